"""Runs in virtual time: what an operator means by them, and what must hold of every one."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.objects.problems import BadInput
from scheduler_core.world import RunInput, Simulation
from tests.portions import tries
from tests.scheduler_core.clusters import budget, clusters, node, pod
from tests.scheduler_core.folding import assert_folds_both_ways

examples = settings(max_examples=tries(25))


def manifest(name, **fields):
    """A pod as somebody writes it."""
    written = pod(name, **fields)
    del written["metadata"]["uid"]
    written["spec"].pop("priority", None)
    return written


def play(objects, *edits, **settings):
    """Return the simulation after its end, and its decisions."""
    simulation = Simulation(RunInput(objects=objects, driver="timed", edits=list(edits), **settings))
    return simulation, list(simulation)


def kinds(decisions):
    return [(one.time, type(one).__name__, one.outcome, one.pod.name if one.pod else "") for one in decisions]


def test_a_pod_arrives_runs_for_its_duration_and_leaves_room():
    objects = [node("n", cpu="1")]
    add = {"op": "add", "at": 5, "duration": 60, "manifest": manifest("first", cpu="1")}
    later = {"op": "add", "at": 6, "manifest": manifest("second", cpu="1")}
    _, decisions = play(objects, add, later)
    assert kinds(decisions) == [
        (5000, "ClusterChange", "added", "first"),
        (5000, "Attempt", "scheduled", "first"),
        (5010, "Completion", "bound", "first"),
        (6000, "ClusterChange", "added", "second"),
        (6000, "Attempt", "unschedulable", "second"),
        (6010, "Completion", "returned", "second"),
        (65010, "ClusterChange", "gone", "first"),
        (65010, "Attempt", "scheduled", "second"),
        (65020, "Completion", "bound", "second"),
    ]
    assert decisions[7].cause == decisions[6].seq
    [wake] = decisions[6].wakes
    assert (wake.source, wake.target, wake.event) == ("unschedulable", "active", "AssignedPodDelete")
    assert wake.hints == {"NodeResourcesFit": "Queue"}


@pytest.mark.parametrize(
    "failure",
    [
        {"status": {"conditions": [{"type": "Ready", "status": "False"}]}},
        {"status": {"conditions": [{"type": "Ready", "status": "Unknown"}]}},
        {"spec": {"taints": [{"key": "node.kubernetes.io/not-ready", "effect": "NoExecute"}]}},
        {"spec": {"taints": [{"key": "node.kubernetes.io/unreachable", "effect": "NoSchedule"}]}},
    ],
)
def test_a_node_that_fails_is_no_longer_ready_in_the_log(failure):
    fails = {"op": "patch", "kind": "Node", "name": "n", "at": 5, "patch": failure}
    simulation, decisions = play([node("n")], fails)
    assert simulation.base.tables["nodes"]["n"]["ready"]
    [change] = [change for change in decisions[0].changes if change.table == "nodes"]
    assert (change.old["ready"], change.new["ready"]) == (True, False)


def test_a_node_that_reports_that_it_is_ready_is_ready():
    healthy = node("n")
    healthy["status"]["conditions"] = [
        {"type": "Ready", "status": "True"},
        {"type": "DiskPressure", "status": "True"},
    ]
    simulation, _ = play([healthy])
    assert simulation.base.tables["nodes"]["n"]["ready"]


@pytest.mark.parametrize(
    ("cpu", "edits", "ended_by"),
    [
        ("1", [], "quiet"),
        ("9", [], "until"),
        ("1", [{"op": "cordon", "node": "n", "at": 31}], "until"),
        ("1", [{"op": "cordon", "node": "n", "at": 30}], "quiet"),
    ],
)
def test_a_run_says_what_ended_it(cpu, edits, ended_by):
    simulation, _ = play([node("n", cpu="1"), pod("p", cpu=cpu)], *edits, until=30)
    assert (simulation.ended_by, simulation.until) == (ended_by, 30_000)


def test_pods_that_could_still_be_tried_make_the_end_that_of_the_clock():
    objects = [node("n", cpu="8"), *(pod(f"p{number}") for number in range(3))]
    simulation, decisions = play(objects, attempt_seconds=20, until=30)
    assert [one.time for one in decisions] == [0, 20_000, 20_000, 40_000]
    assert simulation.ended_by == "until"


def test_without_an_end_of_its_own_the_clock_ends_ten_minutes_after_the_last_edit():
    edit = {"op": "cordon", "node": "n", "at": 5}
    simulation, _ = play([node("n", cpu="1"), pod("p", cpu="9")], edit)
    assert (simulation.ended_by, simulation.until) == ("until", 605_000)


def test_a_victim_takes_its_time_and_its_controller_does_not_wait():
    objects = [node("n", cpu="1"), pod("low", on="n", owner="rs"), pod("urgent", cpu="1", priority=10)]
    simulation, decisions = play(objects)
    assert kinds(decisions)[:3] == [
        (0, "Attempt", "nominated", "urgent"),
        (10, "Completion", "returned", "urgent"),
        (10, "Attempt", "unschedulable", "low-r1"),
    ]
    assert (30_010, "ClusterChange", "gone", "low") in kinds(decisions)
    where = {row.name: row.node for row in simulation.state().pods()}
    assert where == {"urgent": "n", "low-r1": ""}


def test_a_node_that_goes_and_comes_back_keeps_its_pods():
    new = node("n")
    del new["metadata"]["uid"]
    away = {"op": "delete", "kind": "Node", "name": "n", "at": 1}
    back = {"op": "add", "manifest": new, "at": 2}
    waiting = {"op": "add", "manifest": manifest("waits"), "at": 1.5}
    simulation, decisions = play([node("n"), pod("there", on="n")], away, back, waiting)
    outcomes = [(type(one).__name__, one.outcome) for one in decisions]
    assert outcomes[:2] == [("ClusterChange", "deleted"), ("ClusterChange", "added")]
    [row] = simulation.state().nodes()
    assert row.name == "n"
    assert {pod.name: pod.node for pod in simulation.state().pods()} == {"there": "n", "waits": "n"}


def test_a_drain_meets_the_pods_that_are_there_by_then():
    objects = [node("n"), node("m", cpu="100m"), budget("guard", "kept", 0)]
    edits = [
        {"op": "add", "manifest": manifest("free"), "at": 1},
        {"op": "add", "manifest": manifest("kept", labels={"app": "kept"}), "at": 2},
        {"op": "drain", "node": "n", "at": 10},
    ]
    _, decisions = play(objects, *edits)
    evictions = [one for one in decisions if type(one).__name__ == "Eviction"]
    assert sorted((one.pod.name, one.outcome) for one in evictions) == [
        ("free", "evicted"),
        ("kept", "refused"),
    ]
    [asked] = [one for one in decisions if type(one).__name__ == "ClusterChange" and one.outcome == "asked"]
    assert asked.edit == 2
    assert {one.cause for one in evictions} == {asked.seq}


def test_an_eviction_that_takes_no_time_says_whom_it_wakes():
    there = pod("there", on="n", cpu="1")
    there["spec"]["terminationGracePeriodSeconds"] = 0
    evict = {"op": "evict", "pod": "default/there", "at": 5}
    _, decisions = play([node("n", cpu="1"), there, pod("waits", cpu="1")], evict, controllers="none")
    [evicted] = [one for one in decisions if type(one).__name__ == "Eviction"]
    [wake] = evicted.wakes
    assert (wake.pod, wake.target, wake.hints) == ("pod-waits", "active", {"NodeResourcesFit": "Queue"})
    assert [(one.event, one.asked) for one in evicted.heard] == [("AssignedPodDelete", 1)]


def test_what_a_drain_or_an_eviction_meets_at_an_instant_is_not_foretold():
    objects = [node("n"), node("m"), pod("runs", on="n")]
    drain, evict = {"op": "drain", "node": "n", "at": 5}, {"op": "evict", "pod": "default/runs", "at": 9}
    simulation, _ = play(objects, drain, evict)
    assert [(one.sentence, one.evictions, one.changes) for one in simulation.edit_results] == [
        ("drain n: asks for the eviction of whoever is there by then", 0, []),
        ("evict default/runs", 0, []),
    ]


def test_a_drain_leaves_a_daemon_alone_and_does_not_call_that_refused():
    daemon = pod("agent", on="n", owner="agents")
    daemon["metadata"]["ownerReferences"][0]["kind"] = "DaemonSet"
    _, decisions = play([node("n"), node("m"), daemon], {"op": "drain", "node": "n", "at": 1})
    assert [(one.outcome, one.message) for one in decisions if type(one).__name__ == "Eviction"] == [
        ("skipped", "a DaemonSet's pod: it would come back on this node")
    ]


def test_what_the_clock_makes_impossible_is_a_result_and_no_crash():
    objects = [node("n"), node("m"), pod("runs", on="n")]
    once = {"op": "evict", "pod": "default/runs", "at": 5}
    again = {"op": "evict", "pod": "default/runs", "at": 60}
    _, decisions = play(objects, once, again)
    assert [one.outcome for one in decisions] == ["asked", "evicted", "gone", "nothing"]


@pytest.mark.parametrize(
    ("edit", "field", "said"),
    [
        ({"op": "cordon", "node": "n", "at": -1}, "at", "must be seconds from 0"),
        ({"op": "cordon", "node": "n", "at": 1e12}, "at", "must be seconds from 0"),
        ({"op": "cordon", "node": "nowhere", "at": 1}, "node", "there is no Node nowhere"),
        ({"op": "add", "manifest": manifest("p"), "duration": 0}, "duration", "must be seconds"),
        ({"op": "delete", "kind": "Node", "name": "gone", "at": 3}, "name", "there is no Node gone"),
    ],
)
def test_an_edit_without_a_possible_instant_is_refused_with_its_field(edit, field, said):
    with pytest.raises(BadInput) as refused:
        play([node("n")], {"op": "uncordon", "node": "n"}, edit)
    [problem] = refused.value.problems
    assert (problem.object, problem.field) == ("edits[1]", field)
    assert said in problem.message


@pytest.mark.parametrize("change", [{"until": 0}, {"attempt_seconds": 0}, {"attempt_seconds": 61}])
def test_a_clock_that_cannot_run_is_refused(change):
    with pytest.raises(BadInput, match=next(iter(change))):
        Simulation(RunInput(objects=[node("n")], driver="timed", **change))


def test_a_run_ends_at_its_time_whoever_waits():
    _, decisions = play([node("n", cpu="1"), pod("never", cpu="9")], until=700)
    assert [one.time for one in decisions if type(one).__name__ == "Attempt"] == [0, 330_000, 660_000]


# -- whatever the cluster ---------------------------------------------------------------------------------


@st.composite
def timelines(draw):
    """Edits at instants: pods that come and run out, nodes that go, are cordoned, drained."""
    edits = []
    for number in range(draw(st.integers(0, 5))):
        at = draw(st.integers(0, 40)) / 2
        new = manifest(
            f"new-{number}", cpu=draw(st.sampled_from(["500m", "1", "2"])), priority=draw(st.integers(0, 9))
        )
        edits.append(
            draw(
                st.sampled_from(
                    [
                        {"op": "add", "manifest": new, "at": at},
                        {"op": "add", "manifest": new, "at": at, "duration": draw(st.integers(1, 30))},
                        {"op": "drain", "node": "node-0", "at": at},
                        {"op": "cordon", "node": "node-0", "at": at},
                        {"op": "uncordon", "node": "node-0", "at": at},
                        {
                            "op": "patch",
                            "kind": "Node",
                            "name": "node-0",
                            "at": at,
                            "patch": {"metadata": {"labels": {"zone": f"z{number}"}}},
                        },
                    ]
                )
            )
        )
    if draw(st.booleans()):
        edits.append({"op": "delete", "kind": "Node", "name": "node-0", "at": 25})
    return edits


def simulation_of(objects, edits):
    if not any(item["kind"] == "Node" and item["metadata"]["name"] == "node-0" for item in objects):
        objects = [node("node-0"), *objects]
    settings = GANGS if any(item["kind"] == "PodGroup" for item in objects) else {"attempt_seconds": 0.3}
    return Simulation(RunInput(objects=objects, driver="timed", edits=edits, until=90, **settings))


@st.composite
def clusters_with_gangs(draw):
    """Clusters of which some have a gang, a part of whose members may preempt."""
    objects, size = draw(clusters()), draw(st.integers(0, 3))
    for number in range(size):
        member = pod(f"member-{number}", cpu=draw(st.sampled_from(["500m", "1", "2"])), priority=size)
        member["spec"]["schedulingGroup"] = {"podGroupName": "gang"}
        objects.append(member)
    if size:
        policy = {"gang": {"minCount": draw(st.integers(1, size))}}
        metadata = {"namespace": "default", "name": "gang", "uid": "gang"}
        version = "scheduling.k8s.io/v1alpha2"
        spec = {"schedulingPolicy": policy, "priority": size}
        objects.append({"apiVersion": version, "kind": "PodGroup", "metadata": metadata, "spec": spec})
    return objects


GATES = ("GenericWorkload", "GangScheduling", "WorkloadAwarePreemption")
GANGS = {
    "profile": "kube-1.36",
    "config": {"featureGates": dict.fromkeys(GATES, True)},
    "attempt_seconds": 1.5,
}


def picture(simulation):
    state = simulation._world.state
    return (
        simulation.checkpoint(),
        msgspec.json.encode(simulation.state()),
        state.requested.tobytes(),
        state.pod_count.tobytes(),
        state.pod_node.tobytes(),
        state.nodes.allocatable.tobytes(),
        state.nodes.in_turn.tobytes(),
    )


@examples
@given(clusters_with_gangs(), timelines())
def test_the_folded_log_is_the_state_forwards_and_backwards(objects, edits):
    simulation = simulation_of(objects, edits)
    assert_folds_both_ways(simulation)


@examples
@given(clusters_with_gangs(), timelines(), st.integers(0, 60))
def test_a_resumed_run_is_the_uninterrupted_one(objects, edits, after):
    first = simulation_of(objects, edits)
    for _ in range(after):
        if first.step() is None:
            break
    second = simulation_of(objects, edits)
    second.restore(first.checkpoint())
    assert picture(second) == picture(first)
    assert list(second) == list(first)
    assert picture(second) == picture(first)


@examples
@given(clusters_with_gangs(), timelines())
def test_going_back_before_a_decision_is_exact_and_so_is_going_on(objects, edits):
    simulation = simulation_of(objects, edits)
    while True:
        before = picture(simulation)
        decision = simulation.step()
        if decision is None:
            break
        after = picture(simulation)
        with simulation._world.before():
            if type(decision).__name__ != "Flush":
                assert picture(simulation) == before
        assert picture(simulation) == after


@examples
@given(clusters_with_gangs(), timelines())
def test_an_explanation_agrees_with_the_log(objects, edits):
    explained, plain = simulation_of(objects, edits), simulation_of(objects, edits)
    for decision in plain:
        explanation = explained.explain()
        assert explanation.decision == decision
        for row in explanation.nodes():
            answer = explanation.node(row.node)
            if answer.first_failure:
                assert answer.first_failure == row.status.plugin
        assert explained.state() == plain.state()


@examples
@given(clusters_with_gangs(), timelines())
def test_no_node_ever_holds_more_than_it_has(objects, edits):
    simulation = simulation_of(objects, edits)
    for _ in simulation:
        state = simulation._world.state
        assert (state.requested <= state.nodes.allocatable).all()
