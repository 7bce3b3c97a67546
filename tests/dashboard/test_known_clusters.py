"""A large cluster is read once to try its scenarios, kept within bounds, and says when it is not ready."""

from threading import Event
from typing import Any

import msgspec
import pytest

from dashboard.models import Snapshot
from dashboard.services.workspace import known_clusters, scenarios, snapshots, trying
from dashboard.services.workspace.known_clusters import KnownClusters
from scheduler_core.objects.reading.json_list import unread_items
from scheduler_core.world.forecast import KnownCluster
from tests.dashboard.rows import budget, controlled, listing, new_snapshot, node, pod

pytestmark = pytest.mark.django_db
UNREADY = {"preparing": True, "edits": [], "problems": [], "figures": [], "trust": None, "left_alone": []}


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> Snapshot:
    """A cluster that counts as a large one."""
    monkeypatch.setattr(trying, "LARGE", 1)
    monkeypatch.setattr(trying, "PATIENCE_SECONDS", 60.0)
    monkeypatch.setattr(trying, "known_clusters", KnownClusters(most=100))
    objects = [node("node-1"), node("node-2"), controlled("cart-1"), pod("bare", node="node-1"), pod("waits")]
    return snapshots.import_snapshot(None, "prod", [("a.json", listing(*objects, budget("guard", 0)))])


def try_edits(snapshot: Snapshot, *edits: dict[str, Any], **fields: Any) -> dict[str, Any]:
    draft = scenarios.draft_scenario({"snapshot": snapshot, "edits": list(edits), **fields})
    return trying.validate_scenario(draft)


EDITS = [
    {"op": "drain", "node": "node-1"},
    {"op": "clone-node", "node": "node-2", "count": 2},
    {"op": "add", "manifest": pod("more"), "replicas": 3},
]


def test_a_kept_cluster_answers_as_the_whole_one(large, monkeypatch):
    by_parts = try_edits(large, *EDITS), try_edits(large, {"op": "drain", "node": "gone"})
    monkeypatch.setattr(trying, "LARGE", 1000)
    assert by_parts == (try_edits(large, *EDITS), try_edits(large, {"op": "drain", "node": "gone"}))
    assert by_parts[0]["figures"][0] == {"what": "nodes", "resource": "", "before": 2, "after": 4}


def test_a_cluster_is_read_once_until_its_snapshot_goes(large, monkeypatch):
    read = []
    monkeypatch.setattr(
        known_clusters, "KnownCluster", lambda objects: read.append(1) or KnownCluster(objects)
    )
    assert try_edits(large, *EDITS) == try_edits(large, *EDITS)
    assert read == [1]
    kept = trying.known_clusters
    kept.forget(large.pk)
    assert not kept._kept
    try_edits(large)
    assert read == [1, 1]


def test_deleting_a_snapshot_lets_its_cluster_go(large, monkeypatch, django_capture_on_commit_callbacks):
    monkeypatch.setattr(snapshots, "known_clusters", trying.known_clusters)
    try_edits(large)
    assert trying.known_clusters._kept
    with django_capture_on_commit_callbacks(execute=True):
        snapshots.delete_snapshot(large)
    assert not trying.known_clusters._kept


def test_while_a_cluster_is_being_read_that_is_said(large, monkeypatch):
    goes_on = Event()

    def slow(objects):
        goes_on.wait(60)
        return KnownCluster(objects)

    monkeypatch.setattr(known_clusters, "KnownCluster", slow)
    monkeypatch.setattr(trying, "PATIENCE_SECONDS", 0.0)
    answer = try_edits(large, *EDITS)
    assert "The cluster is being read to try the edits" in answer.pop("untried")
    assert answer == UNREADY
    goes_on.set()
    trying.known_clusters.reading(large, 60.0)
    assert not try_edits(large, *EDITS)["preparing"]


def test_a_cluster_that_cannot_be_read_leaves_the_edits_to_a_run(large, monkeypatch):
    def fails(objects):
        raise ValueError(len(objects))

    monkeypatch.setattr(known_clusters, "KnownCluster", fails)
    answer = try_edits(large, *EDITS)
    assert (answer["preparing"], answer["problems"]) == (False, [])
    assert answer["untried"] == "The cluster could not be read to try the edits: a run checks them."


def test_the_clusters_that_nobody_asked_for_the_longest_go_first(large):
    others = [new_snapshot(name=name) for name in ("a", "b", "c")]
    size = known_clusters.size_of(others[0])
    kept = KnownClusters(most=2 * size)
    for snapshot in (others[0], others[1], others[0], others[2]):
        kept.reading(snapshot, 60.0)
    assert [number for number, _ in kept._kept] == [others[0].pk, others[2].pk]
    assert kept.holds(others[0])
    assert not KnownClusters(most=size - 1).holds(others[0])


def test_what_a_session_decides_is_not_built_where_the_cluster_is_too_large(large, settings):
    volcano = {"profile": "volcano-1.16"}
    assert try_edits(large, **volcano)["figures"]
    settings.TRIAL_WHOLE_LIMIT = 4
    untried = "The cluster has 5 pods and nodes, at most 4 are built beforehand: a run checks the edits."
    assert try_edits(large, **volcano)["untried"] == untried


def test_read_objects_are_those_that_are_stored_and_share_what_is_equal(large):
    reader = known_clusters._Reader()
    read = [reader.read(text) for text in unread_items(large.list_json())]
    assert read == msgspec.json.decode(large.list_json())["items"]
    bare, waits = read[3], read[4]
    assert bare["spec"]["containers"] is waits["spec"]["containers"]


def test_a_cluster_that_is_let_go_before_its_turn_is_not_read(large, monkeypatch):
    goes_on, read = Event(), []

    def slow(objects):
        read.append(len(objects))
        goes_on.wait(60)
        return KnownCluster(objects)

    monkeypatch.setattr(known_clusters, "KnownCluster", slow)
    kept = KnownClusters(most=100)
    first, second = kept.reading(large), kept.reading(new_snapshot(name="other"))
    kept.forget(max(number for number, _ in kept._kept))
    goes_on.set()
    last = kept.reading(new_snapshot(name="last"))
    assert last.ended.wait(60)
    assert (first.ended.is_set(), second.ended.is_set(), len(read)) == (True, False, 2)


def test_pods_that_have_ended_are_named_where_they_are_not_counted(alice: Any) -> None:
    ended = pod("ended", node="node-1")
    ended["status"] = {"phase": "Succeeded"}

    def counted(*more: dict[str, Any]) -> tuple[str, int]:
        objects = listing(node("node-1"), pod("web", node="node-1"), *more)
        row = try_edits(snapshots.import_snapshot(alice, "some", [("cluster.json", objects)]))["figures"][1]
        return row["what"], row["before"]

    assert counted() == ("pods", 1)
    assert counted(ended) == ("pods that have not ended", 1)
