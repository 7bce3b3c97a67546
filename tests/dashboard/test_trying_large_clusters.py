"""What a scenario of a large cluster would change is asked of a worker, in the world that questions share."""

from typing import Any

import pytest

from dashboard.models import Question, Snapshot
from dashboard.services.background import dispatch, warm_worlds
from dashboard.services.workspace import scenarios, snapshots, trying
from dashboard.services.workspace.why_pending import asked
from tests.dashboard.rows import budget, controlled, listing, node, pod

pytestmark = pytest.mark.django_db


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> Snapshot:
    """A cluster that counts as a large one."""
    monkeypatch.setattr(trying, "LARGE", 1)
    warm_worlds.forget_worlds()
    objects = [node("node-1"), node("node-2"), controlled("cart-1"), pod("bare", node="node-1"), pod("waits")]
    return snapshots.import_snapshot(None, "prod", [("a.json", listing(*objects, budget("guard", 0)))])


def draft_of(snapshot: Snapshot, *edits: dict[str, Any], **fields: Any) -> Any:
    return scenarios.draft_scenario({"snapshot": snapshot, "edits": list(edits), **fields})


def try_edits(snapshot: Snapshot, *edits: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return trying.validate_scenario(draft_of(snapshot, *edits, **fields))


EDITS = [
    {"op": "drain", "node": "node-1"},
    {"op": "clone-node", "node": "node-2", "count": 2, "enabled": True},
    {"op": "add", "manifest": pod("more"), "replicas": 3},
]


@pytest.mark.parametrize("profile", ["kube-1.36", "kube-1.29", "volcano-1.16", "hami-2.10"])
def test_a_worker_answers_as_is_answered_in_place(large, monkeypatch, profile):
    def answers() -> list[dict[str, Any]]:
        wrong = {"op": "drain", "node": "gone"}
        off = {"op": "cordon", "node": "node-1", "enabled": False}
        return [try_edits(large, off, *some, profile=profile) for some in (EDITS, [wrong], [])]

    by_a_worker = answers()
    assert Question.objects.filter(kind="forecast").count() == 3
    monkeypatch.setattr(trying, "LARGE", 1000)
    assert by_a_worker == answers()
    assert by_a_worker[0]["figures"][0] == {"what": "nodes", "resource": "", "before": 2, "after": 4}
    assert by_a_worker[1]["problems"][0]["object"].startswith("edits[1]")


def test_scenarios_of_all_settings_are_tried_in_the_world_that_why_pods_wait_is_asked_of(large, monkeypatch):
    assert asked(large).is_ready
    monkeypatch.setattr(warm_worlds, "imported_of", lambda snapshot: pytest.fail("it is built again"))
    for fields in ({}, {"driver": "timed"}, {"controllers": "none"}, {"profile": "kube-1.33"}):
        assert try_edits(large, *EDITS, **fields)["figures"]


def test_what_a_worker_is_still_at_is_told_and_can_be_ended_and_tried_again(large, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(dispatch, "send_question", lambda pk: False)
        patched.setattr(trying, "PATIENCE_SECONDS", 0.0)
        answer = try_edits(large, *EDITS)
        assert answer == {**trying.UNTRIED, "preparing": True, "untried": "A worker tries the edits."}
        trying.end_trying(draft_of(large, *EDITS))
    answer = try_edits(large, *EDITS)
    assert answer == {**trying.UNTRIED, "ended": True, "untried": trying.ENDED}
    assert trying.validate_scenario(draft_of(large, *EDITS), again=True)["figures"]


def test_a_cluster_that_cannot_be_tried_leaves_the_edits_to_a_run(large, monkeypatch, settings):
    with monkeypatch.context() as patched:
        patched.setattr(warm_worlds, "imported_of", lambda snapshot: 1 / 0)
        assert try_edits(large)["untried"] == "It could not be answered: a run tells it."
    settings.TRIAL_KEPT = 4
    assert "at most 4 are tried here" in try_edits(large, *EDITS)["untried"]


def test_nodes_that_get_other_taints_and_labels_are_counted_once(alice: Any) -> None:
    content = listing(node("node-1"), node("node-2"), node("node-3"))
    taint = {"op": "taint", "taints": ["team=x:NoSchedule"]}
    figures = try_edits(
        snapshots.import_snapshot(alice, "some", [("cluster.json", content)]),
        {**taint, "nodes": ["node-1", "node-2"]},
        {**taint, "group": "name=node-"},
        {"op": "label", "node": "node-1", "labels": {"rank": "1", "none": None}},
    )["figures"]
    rows = {row["what"]: row["after"] for row in figures}
    assert (rows["nodes with other taints"], rows["nodes with other labels"]) == (3, 1)


def test_running_pods_that_taints_evict_are_counted(alice: Any) -> None:
    content = listing(node("node-1"), *(pod(f"web-{number}", node="node-1") for number in range(3)))
    snapshot = snapshots.import_snapshot(alice, "some", [("cluster.json", content)])
    taint = {"op": "taint", "node": "node-1", "taints": ["team=x:NoExecute"]}
    tried = try_edits(snapshot, taint, driver="timed")
    assert {"what": "pods evicted by taints", "resource": "", "before": 0, "after": 3} in tried["figures"]
    assert tried["edits"][0]["evicted_by_taints"] == 3


def test_pods_that_have_ended_are_named_where_they_are_not_counted(alice: Any) -> None:
    ended = pod("ended", node="node-1")
    ended["status"] = {"phase": "Succeeded"}

    def counted(*more: dict[str, Any]) -> tuple[str, int]:
        objects = listing(node("node-1"), pod("web", node="node-1"), *more)
        row = try_edits(snapshots.import_snapshot(alice, "some", [("cluster.json", objects)]))["figures"][1]
        return row["what"], row["before"]

    assert counted() == ("pods", 1)
    assert counted(ended) == ("pods that have not ended", 1)
