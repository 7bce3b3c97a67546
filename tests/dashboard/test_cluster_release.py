"""The release of a snapshot's cluster is what its files tell, and goes with it wherever it goes."""

import json
from typing import Any

import pytest

from dashboard.models import Snapshot
from dashboard.queries.cluster_release import cluster_release
from dashboard.services.background.importing import import_uploads
from dashboard.services.workspace.scenarios import draft_scenario
from dashboard.services.workspace.snapshots import begin_import, export_json, export_yaml, import_snapshot
from dashboard.services.workspace.upgrading import upgrade_choices
from scheduler_core.world.reporting.cluster_release import told_by
from tests.dashboard.packing import zipped
from tests.dashboard.rows import listing, node, pod

pytestmark = pytest.mark.django_db
EKS = "v1.29.4-eks-036c24b"
ANSWER = json.dumps({"clientVersion": {"gitVersion": "v1.36.0"}, "serverVersion": {"gitVersion": EKS}})
SAID = f"The API server is of 1.29 ({EKS})"


def cluster() -> bytes:
    one = node("node-1", **{"node-role.kubernetes.io/control-plane": ""})
    one["status"]["nodeInfo"] = {"kubeletVersion": "v1.33.5"}
    return listing(one, pod("web-1"))


def source_of(snapshot: Snapshot) -> str:
    found = cluster_release(snapshot)
    assert found is not None
    return found.source


@pytest.mark.parametrize(
    "payloads",
    [
        [("prod.json", cluster()), ("version.json", ANSWER.encode())],
        [("both.json", cluster() + b"\n" + ANSWER.encode())],
        [
            (
                "dump.zip",
                zipped([("cluster/nodes.json", cluster()), ("version/version.json", ANSWER.encode())]),
            )
        ],
    ],
    ids=["two files", "two documents", "an archive"],
)
def test_the_release_is_taken_from_what_the_server_said(
    alice: Any, payloads: list[tuple[str, bytes]]
) -> None:
    snapshot = import_snapshot(alice, "prod", payloads)
    assert source_of(snapshot) == SAID
    assert snapshot.server_versions == [EKS]
    assert snapshot.counts == {"Node": 1, "Pod": 1}
    assert not [warning for warning in snapshot.warnings if "ersion" in warning]
    choices = upgrade_choices(snapshot, "kube-1.36")
    assert choices is not None
    assert (choices.older, choices.newer[0]) == ("1.29", "1.30")
    assert draft_scenario({"name": "a", "snapshot": snapshot}).profile == "kube-1.29"


def test_the_run_is_told_the_same(alice: Any) -> None:
    snapshot = import_snapshot(alice, "prod", [("a.json", cluster()), ("b.json", ANSWER.encode())])
    objects = json.loads(export_json(snapshot))["items"]
    assert source_of(snapshot).lower() == told_by(objects).source.lower()


def test_it_stays_where_files_are_added_and_where_the_export_is_imported(alice: Any) -> None:
    snapshot = import_snapshot(alice, "prod", [("a.json", cluster()), ("b.json", ANSWER.encode())])
    for payload in (("again.json", export_json(snapshot)), ("again.yaml", export_yaml(snapshot))):
        again = import_snapshot(alice, "again", [payload])
        assert (source_of(again), again.content_hash) == (SAID, snapshot.content_hash)
    added = begin_import(alice, "more", [("more.json", listing(node("node-2")))], add_to=snapshot)
    import_uploads(added.pk)
    added.refresh_from_db()
    assert source_of(added) == SAID


def test_without_such_an_answer_the_control_plane_s_kubelets_tell_it(alice: Any) -> None:
    snapshot = import_snapshot(alice, "prod", [("prod.json", cluster())])
    assert source_of(snapshot) == "The control plane's kubelets are of 1.33"
    image = {"name": "kube-scheduler", "image": "registry.k8s.io/kube-scheduler:v1.32.9"}
    own = pod("kube-scheduler-node-1", node="node-1", containers=[image])
    own["metadata"]["namespace"] = "kube-system"
    snapshot = import_snapshot(alice, "prod", [("prod.json", cluster()), ("own.json", listing(own))])
    assert source_of(snapshot) == "The pods of kube-scheduler itself are of 1.32"
