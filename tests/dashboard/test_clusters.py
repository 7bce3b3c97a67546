"""Connected clusters: connecting, reading, what is kept of credentials, schedules, and their pages."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from dashboard.errors import NotPossibleNow
from dashboard.models import Cluster, Snapshot
from dashboard.queries.clusters import cluster_seen
from dashboard.services.background import cluster_readings
from dashboard.services.background.importing import import_uploads
from dashboard.services.workspace import clusters
from dashboard.services.workspace.clusters import Way
from dashboard.services.workspace.sealing import sealed, unsealed
from scheduler_core.objects.problems import BadInput
from tests.api_server import FakeApiServer, api_server
from tests.builders import node, pod
from tests.dashboard.live.test_kubeconfig import kubeconfig
from tests.dashboard.rows import new_scenario

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.services.workspace.clusters.send_import", lambda snapshot_id: None)
    monkeypatch.setattr(cluster_readings, "FEW", 0)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[FakeApiServer]:
    waiting = pod("waits")
    waiting["metadata"]["uid"] = "u1"
    with api_server([node("n1"), waiting], tmp_path) as running:
        yield running


def connect(server: FakeApiServer, user: Any, **more: Any) -> Cluster:
    return clusters.connect_cluster(user, Way(server.kubeconfig.read_bytes()), **more)


def read(cluster: Cluster) -> Snapshot:
    snapshot = cluster.snapshots.get(status=Snapshot.Status.IMPORTING)
    import_uploads(snapshot.pk)
    snapshot.refresh_from_db()
    return snapshot


def seen(user: Any, cluster: Cluster, **later: Any) -> Any:
    cluster.refresh_from_db()
    return cluster_seen(user, cluster, timezone.now() + timedelta(**later))


def test_a_cluster_is_read_as_soon_as_it_is_connected(server: FakeApiServer, dora: Any) -> None:
    server.forbidden, server.beyond = {"priorityclasses"}, {"delete pods"}
    cluster = connect(server, dora, name="prod")
    snapshot = read(cluster)
    assert (snapshot.status, snapshot.pending, snapshot.counts) == ("ready", 1, {"Node": 1, "Pod": 1})
    assert snapshot.taken_at is not None
    assert abs(snapshot.taken_at - timezone.now()) < timedelta(minutes=5), "as new as the reading"
    assert snapshot.warnings[0] == (
        "Left out, since this account may not read them: priorityclasses.scheduling.k8s.io."
    )
    found = seen(dora, cluster)
    assert [one.state for one in found.readings] == ["in part"]
    assert found.cluster.access["withheld"] == ["priorityclasses.scheduling.k8s.io"]
    assert found.cluster.access["beyond"] == ["delete pods"]


def test_credentials_are_kept_encrypted_and_a_lost_key_is_told(
    server: FakeApiServer, dora: Any, settings: Any
) -> None:
    cluster = connect(server, dora)
    assert b"right" not in bytes(cluster.sealed)
    assert b"right" in unsealed(bytes(cluster.sealed))
    settings.CLUSTER_KEY = "another"
    snapshot = read(cluster)
    assert snapshot.status == "failed"
    assert "encrypted by another key" in snapshot.problems[0]["message"]


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        ({"takes": "another"}, "does not take the credentials (401)"),
        ({"redirects": True}, "sends elsewhere (302), which is not followed"),
        ({"garbage": b"<html>"}, "answers as no API server does"),
        ({"garbage": b'{"groups": [1], "resources": 3}'}, "answers as no API server does"),
        ({"forbidden": {"pods"}}, "does not list pods: pods is forbidden"),
    ],
)
def test_a_reading_that_fails_says_why_and_the_next_may_succeed(
    server: FakeApiServer, dora: Any, spoil: dict[str, Any], said: str
) -> None:
    cluster = connect(server, dora)
    before = {name: getattr(server, name) for name in spoil}
    for name, value in spoil.items():
        setattr(server, name, value)
    snapshot = read(cluster)
    assert snapshot.status == "failed"
    assert said in snapshot.problems[0]["message"]
    assert (seen(dora, cluster).fault, seen(dora, cluster).is_late) == (snapshot.problems[0]["message"], True)
    for name, value in before.items():
        setattr(server, name, value)
    clusters.begin_reading(dora, cluster)
    assert read(cluster).status == "ready"
    assert not seen(dora, cluster).is_late


def test_one_reading_at_a_time(server: FakeApiServer, dora: Any) -> None:
    cluster = connect(server, dora)
    with pytest.raises(NotPossibleNow):
        clusters.begin_reading(dora, cluster)
    with pytest.raises(BadInput, match="is connected already"):
        connect(server, dora)


def test_an_administrator_of_the_machine_narrows_what_may_be_connected(
    server: FakeApiServer, dora: Any, settings: Any
) -> None:
    settings.CLUSTERS = ["https://10.0.0.1:6443"]
    with pytest.raises(BadInput, match="may not be connected: SANDTABLE_CLUSTERS"):
        connect(server, dora)
    clusters.connect_cluster(dora, Way(kubeconfig()))
    settings.CLUSTERS = [server.url]
    cluster = connect(server, dora)
    settings.CLUSTERS = []
    assert "SANDTABLE_CLUSTERS" in read(cluster).problems[0]["message"], "also what was connected before"


def test_readings_are_begun_when_due_and_old_ones_go(server: FakeApiServer, dora: Any) -> None:
    cluster = connect(server, dora)
    with_a_scenario = read(cluster)
    new_scenario(dora, with_a_scenario)
    now = timezone.now()
    assert clusters.begin_due_readings(now + timedelta(days=3)) == 0, "without a schedule none"
    clusters.schedule_cluster(cluster, every=60, keep=1)
    assert clusters.begin_due_readings(now + timedelta(minutes=30)) == 0
    assert clusters.begin_due_readings(now + timedelta(minutes=61)) == 1
    assert clusters.begin_due_readings(now + timedelta(minutes=61)) == 0, "one at a time"
    second = read(cluster)
    assert not seen(dora, cluster, minutes=119).is_late
    assert seen(dora, cluster, minutes=121).is_late
    assert clusters.begin_due_readings(now + timedelta(minutes=130)) == 1
    third = read(cluster)
    assert clusters.begin_due_readings(now + timedelta(minutes=200)) == 1
    kept = set(cluster.snapshots.exclude(status="importing").values_list("pk", flat=True))
    assert kept == {with_a_scenario.pk, third.pk}
    assert second.pk not in kept


def test_failed_readings_are_bounded_and_cost_no_good_one(
    server: FakeApiServer, dora: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clusters, "KEPT_FAILED", 2)
    cluster = connect(server, dora)
    good = read(cluster)
    clusters.schedule_cluster(cluster, every=15, keep=1)
    server.takes = "another"
    for quarter in range(1, 6):
        assert clusters.begin_due_readings(timezone.now() + timedelta(minutes=16 * quarter)) == 1
        failed = read(cluster)
    clusters.begin_due_readings(timezone.now() + timedelta(hours=3))
    kept = cluster.snapshots.exclude(status="importing").values_list("status", flat=True)
    assert sorted(kept) == ["failed", "failed", "ready"]
    assert cluster.snapshots.filter(pk__in=(good.pk, failed.pk)).count() == 2


def test_other_credentials_are_tried_at_once_and_snapshots_outlive_their_cluster(
    server: FakeApiServer, dora: Any
) -> None:
    server.takes = "wrong"
    cluster = connect(server, dora)
    assert read(cluster).status == "failed"
    clusters.renew_cluster(dora, cluster, Way(server.kubeconfig.read_bytes(), "expired"))
    snapshot = read(cluster)
    assert (snapshot.status, cluster.context) == ("ready", "expired")
    begun = clusters.begin_reading(dora, cluster)
    clusters.disconnect_cluster(cluster)
    snapshot.refresh_from_db()
    assert (snapshot.status, snapshot.cluster) == ("ready", None)
    import_uploads(begun.pk)
    begun.refresh_from_db()
    assert begun.problems[0]["message"] == "its cluster was disconnected before it was read"


def _contents(snapshot: Snapshot) -> list[Any]:
    items = msgspec.json.decode(snapshot.list_json())["items"]
    return [one for one in items if one["kind"] != "WholeLists"]


def _reread(cluster: Cluster, user: Any) -> Snapshot:
    clusters.begin_reading(user, cluster)
    return read(cluster)


def test_a_reading_of_changes_says_what_one_of_lists_says(server: FakeApiServer, dora: Any) -> None:
    commanded = pod("b")
    commanded["spec"]["containers"][0]["command"] = ["sh"]
    server.change("ADDED", commanded)
    cluster = connect(server, dora)
    base = read(cluster)
    asked = len(server.asked)
    moved, odd = pod("waits", on="n1"), pod("a", namespace="a-b")
    moved["metadata"]["uid"] = "u1"
    odd["spec"]["containers"][0]["args"] = ["x"]
    for what, document in [
        ("ADDED", pod("z")), ("ADDED", odd), ("ADDED", pod("a", namespace="a")), ("MODIFIED", moved),
        ("DELETED", pod("z")), ("ADDED", node("n0")), ("MODIFIED", node("n1", cpu="8")),
    ]:  # fmt: skip
        server.change(what, document)
    changed = _reread(cluster, dora)
    assert not [path for path in server.asked[asked:] if "Exact" in path], "nothing is listed"
    assert (changed.goes_on["base"], changed.goes_on["changed"]) == (base.pk, 6)
    assert changed.warnings == [one for one in changed.warnings if "resource version" not in one]
    server.oldest = server.version + 1
    listed = _reread(cluster, dora)
    assert _contents(changed) == _contents(listed)
    assert (changed.pending, changed.counts, changed.dropped) == (
        listed.pending, listed.counts, listed.dropped,
    )  # fmt: skip
    assert (changed.warnings, changed.findings) == (listed.warnings, listed.findings)
    assert (changed.pods.count(), changed.nodes.count()) == (4, 2)


def test_a_reading_of_changes_begins_with_one_of_the_same_cluster_of_this_day(
    server: FakeApiServer, dora: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster = connect(server, dora)
    first = read(cluster)
    server.uid = "another"
    second = _reread(cluster, dora)
    assert ("base" in second.goes_on, second.goes_on["uid"]) == (False, "another")
    third = _reread(cluster, dora)
    assert third.goes_on["base"] == second.pk
    assert third.goes_on["listed_at"] == second.goes_on["listed_at"], "the day counts from the lists"
    for name, bound in (("LISTED_AGAIN", timedelta(0)), ("FEW", 100)):
        with monkeypatch.context() as patch:
            patch.setattr(cluster_readings, name, bound)
            assert "base" not in _reread(cluster, dora).goes_on
    clusters.renew_cluster(dora, cluster, Way(server.kubeconfig.read_bytes()))
    assert "base" not in read(cluster).goes_on, "other credentials may be of another cluster"
    first.refresh_from_db()
    assert first.goes_on == {}


def test_what_is_sealed_is_another_text_each_time() -> None:
    assert sealed(b"text") != sealed(b"text")


def test_a_context_is_changed_with_its_kubeconfig(server: FakeApiServer, dora: Any) -> None:
    cluster, rest = connect(server, dora), APIClient()
    rest.force_authenticate(dora)
    answer = rest.patch(f"/api/v1/clusters/{cluster.pk}/", {"context": "expired"}, format="json")
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, "context")
    sent = {"context": "expired", "kubeconfig": server.kubeconfig.read_text(), "every": 30}
    answer = rest.patch(f"/api/v1/clusters/{cluster.pk}/", sent, format="json")
    assert (answer.json()["context"], answer.json()["every"], answer.json()["keep"]) == ("expired", 30, 24)


# -- pages -----------------------------------------------------------------------------------------------


def test_pages_connect_show_renew_and_disconnect(server: FakeApiServer, client: Any, dora: Any) -> None:
    client.force_login(dora)
    assert "No cluster is connected." in client.get("/clusters/").content.decode()
    wrong = client.post("/clusters/connect/", {"text": kubeconfig(user={"exec": {"command": "sh"}}).decode()})
    assert wrong.status_code == 422
    assert "users.u.exec.command: runs a program" in wrong.content.decode()
    assert client.post("/clusters/connect/", {}).status_code == 422

    sent = {"text": server.kubeconfig.read_text(), "name": "prod", "context": ""}
    answer = client.post("/clusters/connect/", sent)
    cluster = Cluster.objects.get()
    assert answer["Location"] == f"/snapshots/{cluster.snapshots.get().pk}/"
    assert "Being read for the first time: prod." in client.get("/clusters/").content.decode()
    server.forbidden = {"poddisruptionbudgets"}
    snapshot = read(cluster)
    page = client.get("/clusters/").content.decode()
    assert "prod is as new as it should be." in page
    assert "may change nothing" in page
    page = client.get(f"/clusters/{cluster.pk}/").content.decode()
    assert "✕ poddisruptionbudgets.policy" in page
    assert "evictions may be refused or weighed otherwise in reality" in page
    assert seen(dora, cluster).cluster.access["touched"]["poddisruptionbudgets.policy"] == {
        "kind": "PodDisruptionBudget", "pods": 1,
    }  # fmt: skip
    assert "token: right" not in page
    assert (
        f'of cluster <a href="/clusters/{cluster.pk}/">prod</a>'
        in client.get(f"/snapshots/{snapshot.pk}/summary/").content.decode()
    )

    assert client.post(f"/clusters/{cluster.pk}/schedule/", {"every": "30", "keep": "0"}).status_code == 422
    client.post(f"/clusters/{cluster.pk}/schedule/", {"every": "30", "keep": "5"})
    cluster.refresh_from_db()
    assert (cluster.every, cluster.keep) == (30, 5)
    assert (seen(dora, cluster).schedulers, seen(dora, cluster).release) == (["default-scheduler"], "1.36")
    answer = client.post(f"/clusters/{cluster.pk}/read/")
    assert answer["Location"] == f"/snapshots/{cluster.snapshots.get(status='importing').pk}/"
    assert "is being read" in client.get("/clusters/").content.decode()
    server.takes = "another"
    read(cluster)
    assert seen(dora, cluster).has_expired
    assert "Renew the credentials of prod" in client.get("/clusters/").content.decode()
    client.post(f"/clusters/{cluster.pk}/disconnect/")
    assert not Cluster.objects.exists()


def test_the_gallery_shows_the_last_readings_and_those_that_are_used(
    server: FakeApiServer, client: Any, dora: Any
) -> None:
    cluster = connect(server, dora)
    used = read(cluster)
    new_scenario(dora, used)
    readings = [used]
    for takes in ("right", "right", "another", "another"):
        server.takes = takes
        clusters.begin_reading(dora, cluster)
        readings.append(read(cluster))
    client.force_login(dora)

    def shown(query: str) -> list[int]:
        page = client.get(f"/snapshots/{query}")
        return [snapshot.pk for snapshot, _ in page.context["cards"]]

    assert shown("") == [readings[4].pk, readings[2].pk, used.pk]
    assert (
        "2 older readings of connected clusters are not shown" in client.get("/snapshots/").content.decode()
    )
    assert len(shown("?readings=all")) == len(readings)


@pytest.mark.parametrize(
    ("who", "look", "connect_page", "read_now"),
    [("dora", 200, 200, 302), ("alice", 200, 403, 302), ("bob", 200, 403, 403), ("charlie", 404, 404, 404)],
)
def test_who_may_do_what(
    server: FakeApiServer, client: Any, dora: Any, request: Any, who: str, look: int, connect_page: int,
    read_now: int,
) -> None:  # fmt: skip
    cluster = connect(server, dora)
    read(cluster)
    client.force_login(request.getfixturevalue(who))
    assert client.get("/clusters/").status_code == look
    assert client.get(f"/clusters/{cluster.pk}/").status_code == look
    assert client.get("/clusters/connect/").status_code == connect_page
    assert client.post(f"/clusters/{cluster.pk}/disconnect/").status_code == (
        302 if who == "dora" else connect_page
    )
    if who != "dora":
        assert client.post(f"/clusters/{cluster.pk}/read/").status_code == read_now
