"""The cluster that this program runs in: by the mount of its pod's service account."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from rest_framework.test import APIClient

from dashboard.command_line.live import OF_KUBECTL
from dashboard.command_line.main import main
from dashboard.live import in_cluster
from dashboard.models import Cluster
from dashboard.services.background.importing import import_uploads
from dashboard.services.workspace import clusters
from dashboard.services.workspace.clusters import Way
from scheduler_core.objects.problems import BadInput
from tests.api_server import FakeApiServer, api_server
from tests.builders import node, pod


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any) -> Iterator[FakeApiServer]:
    """An API server, in whose cluster this process is a pod."""
    settings.IN_CLUSTER = True
    monkeypatch.setattr("dashboard.services.workspace.clusters.send_import", lambda snapshot_id: None)
    monkeypatch.setattr(in_cluster, "MOUNT", tmp_path)
    monkeypatch.setattr(in_cluster, "SCHEME", "http")
    (tmp_path / "token").write_text("right\n")
    waits = pod("waits")
    waits["metadata"]["uid"] = "u1"
    with api_server([node("n1"), waits], tmp_path) as running:
        host, port = running.url.removeprefix("http://").split(":")
        monkeypatch.setenv("KUBERNETES_SERVICE_HOST", host)
        monkeypatch.setenv("KUBERNETES_SERVICE_PORT", port)
        yield running


def test_token_and_authority_come_from_the_mount(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_cluster, "MOUNT", tmp_path)
    monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "fd00::1")
    monkeypatch.setenv("KUBERNETES_SERVICE_PORT", "6443")
    with pytest.raises(BadInput, match="does not run in a pod with a service account"):
        in_cluster.own_connection()
    (tmp_path / "token").write_text("t1\n")
    (tmp_path / "ca.crt").write_text("authority")
    found = in_cluster.own_connection()
    assert (found.context, found.address, found.is_verified) == ("in-cluster", "https://[fd00::1]:6443", True)
    assert found.document["users"] == [{"name": "user", "user": {"token": "t1"}}]
    assert found.with_files(tmp_path)["clusters"][0]["cluster"]["certificate-authority"]
    monkeypatch.delenv("KUBERNETES_SERVICE_HOST")
    assert not in_cluster.is_in_cluster()


@pytest.mark.django_db
def test_it_is_connected_where_allowed_and_a_token_that_changed_is_taken(
    server: FakeApiServer, tmp_path: Path, dora: Any, settings: Any
) -> None:
    rest = APIClient()
    rest.force_authenticate(dora)
    made = rest.post("/api/v1/clusters/", {"in_cluster": True, "name": "own"}, format="json")
    assert (made.status_code, made.json()["in_cluster"]) == (201, True)
    cluster = Cluster.objects.get()
    assert bytes(cluster.sealed) == b""
    import_uploads(cluster.snapshots.get().pk)
    assert cluster.snapshots.get().status == "ready"

    server.takes = "newer"
    (tmp_path / "token").write_text("newer")
    second = clusters.begin_reading(dora, cluster)
    import_uploads(second.pk)
    second.refresh_from_db()
    assert second.status == "ready"

    settings.IN_CLUSTER = False
    third = clusters.begin_reading(dora, cluster)
    import_uploads(third.pk)
    third.refresh_from_db()
    assert "SANDTABLE_IN_CLUSTER" in third.problems[0]["message"]
    refused = rest.post("/api/v1/clusters/", {"in_cluster": True}, format="json")
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (400, "in_cluster")
    both = rest.post("/api/v1/clusters/", {"in_cluster": True, "kubeconfig": "x"}, format="json")
    assert both.status_code == 400
    assert rest.post("/api/v1/clusters/", {}, format="json").json()["errors"][0]["field"] == "kubeconfig"


@pytest.mark.django_db
def test_the_page_offers_it_only_in_a_pod_and_where_it_is_allowed(
    server: FakeApiServer, client: Any, dora: Any, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(dora)
    said = "The cluster that Sandtable runs in"
    assert said in client.get("/clusters/connect/").content.decode()
    answer = client.post("/clusters/connect/", {"in_cluster": "on", "text": "kind: Config"})
    assert answer.status_code == 422
    answer = client.post("/clusters/connect/", {"in_cluster": "on", "name": "own"})
    assert answer.status_code == 302
    clusters.renew_cluster(dora, Cluster.objects.get(), Way(server.kubeconfig.read_bytes()))
    found = Cluster.objects.get()
    assert (found.in_cluster, bool(found.sealed)) == (False, True)
    settings.IN_CLUSTER = False
    assert said not in client.get("/clusters/connect/").content.decode()
    settings.IN_CLUSTER = True
    monkeypatch.delenv("KUBERNETES_SERVICE_HOST")
    assert said not in client.get("/clusters/connect/").content.decode()


@pytest.mark.django_db
def test_in_a_pods_shell_the_own_cluster_is_asked(server: FakeApiServer, tmp_path: Path) -> None:
    alone = CliRunner(env={"KUBECONFIG": str(tmp_path / "none")})
    for arguments, obj in ((["--in-cluster"], None), ([], OF_KUBECTL)):
        asked = alone.invoke(main, ["why", "all", *arguments], obj=obj)
        assert (asked.exit_code, asked.stderr) == (0, "")
        assert "waits" in asked.stdout
    both = alone.invoke(main, ["why", "all", "--in-cluster", "--context", "test"])
    assert (both.exit_code, "--in-cluster, not both" in both.stderr) == (3, True)
    server.takes = "another"
    kept = CliRunner(env={"KUBECONFIG": str(server.kubeconfig)})
    assert "401" in kept.invoke(main, ["why", "all"], obj=OF_KUBECTL).stderr, "a kubeconfig comes first"
