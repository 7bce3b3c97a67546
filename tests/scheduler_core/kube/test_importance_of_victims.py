"""The order of victims that have not started, by the sources of 1.36 and 1.37."""

from scheduler_core.kube.framework_releases.v1_37 import by_arrival
from scheduler_core.kube.preemption.dry_run import more_important, sort_by_importance
from scheduler_core.state.build import build_state
from tests.builders import node, pod


def test_since_1_37_pods_that_have_not_started_keep_their_order_on_the_node():
    state = build_state([node("n"), *(pod(name, on="n") for name in "abc")]).state
    assert sort_by_importance(state, [0, 1, 2], more_important) == [2, 1, 0]
    assert sort_by_importance(state, [2, 0, 1], by_arrival) == [0, 1, 2]


def test_priority_and_start_come_first():
    late, early = ({"startTime": f"2026-05-0{day}T00:00:00Z"} for day in (2, 1))
    pods = [pod("a", on="n"), pod("b", on="n", status=late), pod("c", on="n", status=early)]
    pods.append(pod("d", on="n", spec={"priority": 1}))
    state = build_state([node("n"), *pods]).state
    for order in (more_important, by_arrival):
        assert sort_by_importance(state, [0, 1, 2, 3], order) == [3, 2, 1, 0]
