"""A node whose kubelet is silent is unreachable, until it speaks again."""

import pytest

from scheduler_core.events.decisions import ClusterChange, Eviction
from scheduler_core.objects.problems import BadInput
from scheduler_core.world import RunInput, Simulation
from scheduler_core.world.controllers.node_lifecycle import REACHED, UNREACHED, UNTAINTED, NodeLifecycle
from tests.scheduler_core.clusters import budget, node, pod
from tests.scheduler_core.world.test_timed_controllers import controller, running, there

UNREACHABLE = "node.kubernetes.io/unreachable"
TAINTS = [{"key": UNREACHABLE, "effect": effect} for effect in ("NoSchedule", "NoExecute")]


def for_a_while(seconds):
    toleration = {"key": UNREACHABLE, "operator": "Exists", "effect": "NoExecute"}
    return [{**toleration, "tolerationSeconds": seconds}]


def stop(name="n", at=None, grace=8):
    return {"op": "stop-kubelet", "node": name, "gracePeriod": grace} | ({} if at is None else {"at": at})


def start(at, name="n"):
    return {"op": "start-kubelet", "node": name, "at": at}


def play(objects, *edits, **settings):
    """Return the simulation after its end, and its decisions."""
    simulation = Simulation(RunInput(objects=objects, driver="timed", edits=list(edits), **settings))
    return simulation, list(simulation)


SAID = {UNREACHED: "unreachable", REACHED: "reachable", UNTAINTED: "untainted"}


def of_nodes(decisions):
    """When what became of which node."""
    changes = [one for one in decisions if isinstance(one, ClusterChange) and one.pod is None]
    return [(one.time / 1000, _word(one), one.object.removeprefix("Node ")) for one in changes]


def _word(change):
    return SAID.get(change.message, "tainted") if change.actor == NodeLifecycle.name else change.outcome


def of_pods(decisions, *outcomes):
    """When what became of which pod."""
    return [
        (one.time / 1000, one.outcome, one.pod.name)
        for one in decisions
        if one.pod and one.outcome in outcomes
    ]


def taints(simulation, name="n"):
    return [
        (taint.key, taint.effect)
        for one in simulation.state().nodes()
        if one.name == name
        for taint in one.taints
    ]


def test_a_silent_node_is_unreachable_after_its_grace_period_and_its_pods_are_evicted():
    web = controller("ReplicaSet", "web", [running("a", tolerations=for_a_while(4))])
    simulation, decisions = play([node("n"), node("m"), *web], stop(at=10))
    assert of_nodes(decisions) == [(10, "stopped", "n"), (18, "unreachable", "n"), (18, "tainted", "n")]
    assert of_pods(decisions, "tainted", "scheduled", "gone") == [
        (22, "tainted", "a"),
        (22, "scheduled", "a-r1"),
    ]
    assert there(simulation) == {"a": "n", "a-r1": "m"}
    rows = {row.name: row for row in simulation.state().pods()}
    assert rows["a"].terminating
    assert taints(simulation) == [(UNREACHABLE, "NoSchedule"), (UNREACHABLE, "NoExecute")]
    assert {one.name: one.ready for one in simulation.state().nodes()} == {"n": False, "m": True}


def test_fifty_seconds_pass_where_nobody_says_otherwise():
    _, decisions = play([node("n"), node("m")], {"op": "stop-kubelet", "node": "n"})
    assert of_nodes(decisions)[:2] == [(0, "stopped", "n"), (50, "unreachable", "n")]


def test_a_node_that_speaks_in_time_has_nobody_moved():
    simulation, decisions = play([node("n"), node("m"), running("a")], stop(), start(7.9))
    assert of_nodes(decisions) == [(0, "stopped", "n"), (7.9, "started", "n")]
    assert there(simulation) == {"a": "n"}


def test_a_node_that_comes_back_ends_its_terminating_pods_after_their_whole_grace():
    pods = controller("StatefulSet", "db", [running("db-0", tolerations=for_a_while(2))])
    simulation, decisions = play([node("n"), node("m"), *pods], stop(), start(100))
    assert of_nodes(decisions)[3:] == [(100, "started", "n"), (100, "reachable", "n")]
    assert of_pods(decisions, "tainted", "gone", "scheduled") == [
        (10, "tainted", "db-0"),
        (130, "gone", "db-0"),
        (130, "scheduled", "db-0"),
    ]
    assert taints(simulation) == []
    assert all(one.ready for one in simulation.state().nodes())


def test_a_pod_that_is_bound_to_a_silent_node_starts_when_the_kubelet_does():
    add = {"op": "add", "manifest": pod("late"), "at": 1, "duration": 5}
    simulation, decisions = play([node("n")], stop(grace=60), add, start(20))
    assert of_pods(decisions, "scheduled", "gone") == [(1, "scheduled", "late"), (25, "gone", "late")]
    assert there(simulation) == {}


def test_a_run_that_ends_while_the_kubelet_is_silent_is_reported_when_it_speaks():
    add = {"op": "add", "manifest": pod("batch"), "at": 0, "duration": 5}
    _, decisions = play([node("n")], add, stop(at=2, grace=60), start(20))
    assert of_pods(decisions, "gone") == [(20, "gone", "batch")]


def test_pods_of_an_unreachable_node_count_for_no_budget_until_it_is_back():
    stays = {"labels": {"app": "web"}, "tolerations": [{"operator": "Exists"}]}
    pods = [running("a", **stays), running("b", **stays)]
    covers = budget("web", "web", allowed=1)
    covers["spec"]["minAvailable"] = 1
    covers["status"] |= {"currentHealthy": 2, "desiredHealthy": 1, "expectedPods": 2}
    simulation = Simulation(
        RunInput([node("n"), node("m"), *pods, covers], driver="timed", edits=[stop(), start(30)], until=60)
    )
    allowed = {}
    for decision in simulation:
        allowed[decision.outcome] = simulation._world.state.budgets[0].current_healthy
    simulation.step()
    assert allowed["stopped"] == 2
    assert allowed["started"] == 0
    assert simulation._world.state.budgets[0].current_healthy == 2


@pytest.mark.parametrize("at", [None, 5])
def test_a_taint_says_as_much_as_a_silent_kubelet(at):
    tainted = {"op": "patch", "kind": "Node", "name": "n", "patch": {"spec": {"taints": TAINTS}}}
    untainted = {"op": "patch", "kind": "Node", "name": "n", "patch": {"spec": {"taints": []}}, "at": 50}
    pods = controller("StatefulSet", "db", [running("db-0", tolerations=for_a_while(2))])
    objects = [node("n"), node("m"), *pods]
    tainted |= {} if at is None else {"at": at}
    simulation, decisions = play(objects, tainted)
    assert there(simulation) == {"db-0": "n"}
    simulation, decisions = play(objects, tainted, untainted)
    assert of_pods(decisions, "gone") == [(80, "gone", "db-0")]
    assert all(one.ready for one in simulation.state().nodes())


def test_an_edit_of_a_node_leaves_it_unreachable():
    pods = controller("ReplicaSet", "web", [running("a", tolerations=for_a_while(20))])
    cordon = {"op": "cordon", "node": "n", "at": 15}
    simulation, decisions = play([node("n"), node("m"), *pods], stop(), cordon)
    assert of_pods(decisions, "tainted") == [(28, "tainted", "a")]
    assert set(taints(simulation)) == {
        ("node.kubernetes.io/unschedulable", "NoSchedule"),
        (UNREACHABLE, "NoSchedule"),
        (UNREACHABLE, "NoExecute"),
    }


def test_a_snapshots_unreachable_node_ends_no_pod_until_its_kubelet_starts():
    lost = node("n", taints=TAINTS)
    lost["status"]["conditions"] = [{"type": "Ready", "status": "Unknown"}]
    leaving = running("a")
    leaving["metadata"]["deletionTimestamp"] = "2026-05-01T00:00:00Z"
    _, decisions = play([lost, node("m"), leaving], start(60))
    assert of_nodes(decisions) == [(60, "started", "n"), (60, "reachable", "n")]
    assert of_pods(decisions, "gone") == [(90, "gone", "a")]


def nodes_of(zones):
    return [
        node(f"{zone}-{number}", labels={"topology.kubernetes.io/zone": zone})
        for zone, size in zones.items()
        for number in range(size)
    ]


def lost_together(zones, *names):
    _, decisions = play(nodes_of(zones), *[stop(name) for name in names], until=60)
    return [(time, name) for time, outcome, name in of_nodes(decisions) if outcome == "tainted"]


def test_nodes_of_a_zone_are_tainted_one_in_ten_seconds():
    assert lost_together({"a": 5, "b": 5}, "a-0", "a-1", "b-0") == [(8, "a-0"), (8, "b-0"), (18, "a-1")]


def test_in_a_small_zone_of_which_most_is_lost_nobody_is_tainted():
    assert lost_together({"a": 5, "b": 1}, "a-0", "a-1", "a-2") == []


def test_a_zone_that_is_lost_as_a_whole_is_tainted_at_the_usual_rate():
    assert lost_together({"a": 3, "b": 1}, "a-0", "a-1", "a-2") == [(8, "a-0"), (18, "a-1"), (28, "a-2")]


def test_where_no_node_is_ready_any_more_taints_are_taken_back():
    pods = controller("ReplicaSet", "web", [running("a", tolerations=for_a_while(30))])
    _, decisions = play([node("n"), node("m"), *pods], stop("n"), stop("m", at=10), until=100)
    assert of_nodes(decisions)[2:] == [
        (8, "tainted", "n"), (10, "stopped", "m"), (18, "unreachable", "m"), (18, "untainted", "n")
    ]  # fmt: skip
    assert [one for one in decisions if isinstance(one, Eviction)] == []


def test_when_one_of_them_comes_back_the_others_are_tainted_again():
    edits = [stop("n"), stop("m"), start(30, "m")]
    _, decisions = play([node("n"), node("m")], *edits, until=100)
    assert of_nodes(decisions)[-2:] == [(30, "reachable", "m"), (40, "tainted", "n")]


def test_a_node_that_is_not_there_stops_nothing():
    gone = {"op": "delete", "kind": "Node", "name": "n", "at": 5}
    with pytest.raises(BadInput):
        play([node("n")], gone, stop(at=10))


@pytest.mark.parametrize("op", ["stop-kubelet", "start-kubelet"])
def test_without_a_clock_it_is_refused(op):
    with pytest.raises(BadInput, match="needs the driver timed"):
        Simulation(RunInput([node("n")], edits=[{"op": op, "node": "n"}]))


def test_where_no_controller_acts_the_node_stays_ready():
    simulation, decisions = play([node("n"), running("a")], stop(), controllers="none", until=100)
    assert of_nodes(decisions) == [(0, "stopped", "n")]
    assert simulation.edit_results[0].changes == [
        "no controller acts in this run: the node stays ready, and nobody moves its pods"
    ]
