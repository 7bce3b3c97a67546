"""The fold of the decision log: forwards, backwards, and the shared vectors."""

import json
from pathlib import Path

import msgspec
import pytest

from scheduler_core.events.decisions import (
    Bind,
    Change,
    Create,
    Decision,
    Delete,
    Evict,
    Eviction,
    Move,
    NodeCard,
    Nominate,
    PodCard,
    PodRef,
    QueuePlace,
    RunState,
    Terminate,
)
from scheduler_core.events.fold import Fold, OutOfStep

VECTORS = sorted((Path(__file__).parents[2] / "vectors" / "fold").glob("*.json"))


def pod(uid: str, node: str = "", start_time: str | None = None, queue: QueuePlace | None = None) -> PodCard:
    return PodCard(
        uid=uid,
        namespace="shop",
        name=uid,
        priority=0,
        labels={},
        workload="",
        requests={"cpu": 100},
        scheduler="default-scheduler",
        node=node,
        start_time=start_time,
        queue=queue,
    )


def base() -> RunState:
    """Two nodes: `full` holds a, b and c in this order; `free` holds none; d waits."""
    node = {"labels": {}, "allocatable": {"cpu": 1000}, "pod_limit": 10, "unschedulable": False, "taints": []}
    return RunState(
        at=0,
        nodes=[NodeCard(name="full", **node), NodeCard(name="free", **node)],
        pods=[pod(uid, "full", "2026-06-01T00:00:00Z") for uid in "abc"]
        + [pod("d", queue=QueuePlace("active", 1))],
        node_pods={"full": ["a", "b", "c"], "free": []},
    )


def decision(seq: int, *changes: Change) -> Decision:
    ref = PodRef(uid="d", namespace="shop", name="d", priority=0)
    return Eviction(seq=seq, pod=ref, outcome="evicted", node="full", message=None, changes=list(changes))


EVICT_A = Evict(pod="a", node="full", position=0, start_time="2026-06-01T00:00:00Z")
EVICT_C = Evict(pod="c", node="full", position=2, start_time="2026-06-01T00:00:00Z")
BIND_D = Bind(pod="d", node="free", start_time="2026-06-01T00:00:01Z")
LEAVE = Move(pod="d", old=QueuePlace("active", 1), new=None)


def there_and_back(*changes: Change) -> RunState:
    """Apply one decision, check that reverting it restores the base exactly, return the state between."""
    fold = Fold(base())
    step = decision(1, *changes)
    fold.apply(step)
    between = fold.state()
    fold.revert(step)
    assert fold.state() == base()
    return between


def card(state: RunState, uid: str) -> PodCard:
    return next(pod for pod in state.pods if pod.uid == uid)


def test_a_bound_pod_joins_the_end_of_its_nodes_list():
    state = there_and_back(BIND_D, LEAVE)
    assert state.node_pods == {"full": ["a", "b", "c"], "free": ["d"]}
    assert card(state, "d").node == "free"
    assert card(state, "d").start_time == "2026-06-01T00:00:01Z"
    assert card(state, "d").queue is None


def test_the_last_pod_of_the_list_takes_the_place_of_an_evicted_one():
    state = there_and_back(EVICT_A)
    assert state.node_pods["full"] == ["c", "b"]
    assert [pod.uid for pod in state.pods] == ["b", "c", "d"]


def test_evicting_the_last_pod_of_the_list_moves_nobody():
    assert there_and_back(EVICT_C).node_pods["full"] == ["a", "b"]


def test_a_terminating_pod_stays_at_the_end_of_its_nodes_list_until_it_is_deleted():
    terminate = Terminate(pod="a", node="full", position=0, was=False)
    state = there_and_back(terminate)
    assert state.node_pods["full"] == ["c", "b", "a"]
    assert card(state, "a").terminating
    gone = Delete(pod="a", node="full", position=2, start_time="2026-06-01T00:00:00Z")
    assert there_and_back(terminate, gone).node_pods["full"] == ["c", "b"]


def test_two_evictions_from_one_node_revert_in_the_opposite_order():
    then_c = Evict(pod="c", node="full", position=0, start_time="2026-06-01T00:00:00Z")
    assert there_and_back(EVICT_A, then_c).node_pods["full"] == ["b"]


def test_a_nomination_is_set_and_taken_back():
    state = there_and_back(Nominate(pod="d", old="", new="full"))
    assert card(state, "d").nominated == "full"


def test_a_copy_made_by_a_controller_stands_behind_all_others():
    copy = pod("a-r1", queue=QueuePlace("active", 2))
    state = there_and_back(EVICT_A, Create(pod=copy))
    assert [pod.uid for pod in state.pods] == ["b", "c", "d", "a-r1"]
    assert card(state, "a-r1").queue == QueuePlace("active", 2)


def test_a_state_does_not_change_with_later_decisions():
    fold = Fold(base())
    before = fold.state()
    fold.apply(decision(1, BIND_D, LEAVE))
    assert before == base()


def test_decisions_must_come_in_order():
    fold = Fold(base())
    with pytest.raises(OutOfStep, match="decision 2 doesn't follow decision 0"):
        fold.apply(decision(2))
    with pytest.raises(OutOfStep, match="decision 1 isn't the last one, 0 is"):
        fold.revert(decision(1))


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(Bind(pod="nobody", node="free", start_time=""), id="bind a pod that isn't there"),
        pytest.param(Evict(pod="a", node="full", position=1, start_time=None), id="evict from a wrong place"),
        pytest.param(Create(pod=pod("a")), id="create a pod that is there"),
    ],
)
def test_a_change_that_does_not_fit_the_state_is_refused(change: Change):
    with pytest.raises(OutOfStep):
        Fold(base()).apply(decision(1, change))


@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.stem)
def test_the_vectors_that_the_browser_shares_hold_in_both_directions(path: Path):
    vector = json.loads(path.read_bytes())
    decisions = msgspec.convert(vector["decisions"], list[Decision])
    expected = {int(seq): msgspec.convert(state, RunState) for seq, state in vector["states"].items()}
    start = msgspec.convert(vector["base"], RunState)
    fold = Fold(start)
    for step in decisions:
        fold.apply(step)
        if step.seq in expected:
            assert fold.state() == expected[step.seq]
    for step in reversed(decisions):
        if step.seq in expected:
            assert fold.state() == expected[step.seq]
        fold.revert(step)
    assert fold.state() == start
