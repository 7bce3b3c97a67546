"""A trial says what a whole run with the same edits says, and leaves the warm world as it was."""

import random

import msgspec
import pytest

from scheduler_core.objects.problems import BadInput
from scheduler_core.world import RunInput, Simulation
from scheduler_core.world.trials.warm_world import WarmWorld, adding
from tests.scheduler_core.clusters import budget, node, pod
from tests.scheduler_core.world.test_forecast import random_cluster, random_input


def new(name, cpu="1", **metadata):
    made = pod(name, cpu, **metadata)
    del made["metadata"]["uid"], made["spec"]["priority"], made["status"]
    return made


def told(run_input):
    """Return the log of a whole run, what becomes of its pods, and what its edits did; or every problem."""
    try:
        simulation = Simulation(run_input)
    except BadInput as error:
        return [msgspec.to_builtins(problem) for problem in error.problems]
    edits, log = msgspec.to_builtins(simulation.edit_results), list(simulation)
    pods = simulation.state().pods()
    return {
        "log": log,
        "edits": edits,
        "ended_by": simulation.ended_by,
        "nodes": {one.uid: one.node for one in pods},
        "pending": [one.uid for one in pods if not one.node and not one.terminating],
    }


def tried(world, run_input):
    """Return what a trial says of the same."""
    log = []
    pods = list(world.simulation.cluster.pods.by_uid)
    try:
        result = world.trial(run_input.edits, pods=pods, watch=log.append)
    except BadInput as error:
        return [msgspec.to_builtins(problem) for problem in error.problems]
    assert result.decisions == len(log)
    assert {one.pod.uid for one in result.pods if one.cause} <= set(result.pending)
    return {
        "log": log,
        "edits": msgspec.to_builtins(result.edits),
        "ended_by": result.ended_by,
        "nodes": {one.pod.uid: one.node for one in result.pods if not one.gone},
        "pending": sorted(result.pending),
    }


def assert_the_same(world, run_input):
    """Compare a trial with a whole run; return whether its edits were let through."""
    by_run, by_trial = told(run_input), tried(world, run_input)
    if isinstance(by_run, dict):
        by_run["pending"].sort()
    assert by_trial == by_run, run_input.edits
    return isinstance(by_run, dict)


@pytest.mark.parametrize("seed", range(6))
def test_trials_of_one_cluster_say_what_runs_say(seed):
    dice = random.Random(seed)
    objects = random_cluster(dice)
    untouched = msgspec.json.encode(objects)
    begun = msgspec.structs.replace(random_input(dice, objects), edits=[])
    world, log, played = WarmWorld(begun), list(Simulation(begun)), 0
    start = world.simulation.checkpoint()
    for _ in range(6):
        edits = random_input(dice, objects).edits
        if begun.driver != "timed":
            edits = [{key: value for key, value in edit.items() if key != "at"} for edit in edits]
        played += assert_the_same(world, msgspec.structs.replace(begun, edits=edits))
        assert world.simulation.checkpoint() == start
    assert played, "all were refused"
    assert list(world.simulation) == log
    assert msgspec.json.encode(objects) == untouched


def test_what_is_told_of_a_trial():
    objects = [
        node("a", cpu="4"),
        pod("low", "3", "a", priority=-5, labels={"app": "low"}, owner="rs"),
        budget("guard", "low", 0),
        pod("first", "4", priority=-9),
    ]
    world = WarmWorld(RunInput(objects=objects))
    result = world.trial([adding([new("big", "2")], replicas=3)])
    assert [(one.pod.name, one.node, one.cause.kind if one.cause else "") for one in result.pods] == [
        ("big-1", "a", ""),
        ("big-2", "a", ""),
        ("big-3", "", "nodes"),
        ("low-r1", "", "nodes"),
    ]
    assert result.pods[-1].replaces == "pod-low"
    (gone,) = result.evictions
    assert (gone.pod.name, gone.workload, gone.node) == ("low", "ReplicaSet/default/rs", "a")
    assert (gone.by, gone.violates, gone.asked) == (result.pods[0].pod.uid, True, False)
    assert result.violations == [gone]
    assert result.evicted_by_workload() == {"ReplicaSet/default/rs": 1}
    assert sorted(result.pending) == sorted(["pod-first", *(one.pod.uid for one in result.pods[2:])])
    assert (result.placed, result.ended_by) == (2, "quiet")
    assert world.baseline().pending == ["pod-first"]


def test_a_drain_tells_what_a_budget_refuses():
    objects = [node("a"), node("b"), pod("x", on="a", owner="rs", labels={"app": "x"}), budget("x", "x", 0)]
    result = WarmWorld(RunInput(objects=objects)).trial([{"op": "drain", "node": "a"}])
    (refused,) = result.refusals
    assert (refused.pod.name, refused.node, refused.workload) == ("x", "a", "ReplicaSet/default/rs")
    assert result.evictions == []
    allowed = WarmWorld(RunInput(objects=[*objects[:3], budget("x", "x", 1)]))
    (evicted,) = allowed.trial([{"op": "drain", "node": "a"}]).evictions
    assert (evicted.pod.name, evicted.asked, evicted.violates) == ("x", True, False)


def test_a_trial_ends_after_so_many_decisions_or_when_somebody_wants_it_to():
    world = WarmWorld(RunInput(objects=[node("a"), *(pod(f"p{number}") for number in range(3))]))
    assert (world.trial([], most=2).decisions, world.trial([], most=2).ended_by) == (2, "stopped")
    assert world.trial([], stop=lambda: True).decisions == 0
    assert world.baseline(stop=lambda: True).ended_by == "stopped"
    assert world.baseline().placed == 3


def test_a_world_at_the_end_begins_as_a_run_leaves_its_cluster():
    objects = [node("a", cpu="2"), pod("x"), pod("y", cpu="5")]
    world = WarmWorld(RunInput(objects=objects)).at_end()
    (placed,) = world.trial([], pods=["pod-x"]).pods
    assert (placed.node, world.baseline().placed, world.baseline().pending) == ("a", 0, ["pod-y"])
    result = world.trial([adding([new("z")], replicas=2)])
    assert [one.node for one in result.pods] == ["a", ""]
    assert WarmWorld(RunInput(objects=objects)).at_end(stop=lambda: True) is None


@pytest.mark.parametrize("driver", ["instant", "timed"])
def test_new_pods_are_tried_alone_as_a_schedule_would_have_it(driver):
    objects = [node("a"), pod("low", "3", "a", priority=-5, owner="rs"), pod("waits", "1", priority=5)]
    begun = RunInput(objects=objects, driver=driver)
    edits, log = [adding([new("n", "2")], replicas=2)], []
    result = WarmWorld(begun).trial(edits, alone=True, watch=log.append)
    schedule = ["default/n-1", "default/n-2"]
    assert log == list(Simulation(msgspec.structs.replace(begun, edits=edits, schedule=schedule)))
    assert "pod-waits" in result.pending
    assert {one.pod.name for one in result.pods} >= {"n-1", "n-2", "low-r1"}


def test_edits_are_for_trials():
    with pytest.raises(BadInput, match="are for trials"):
        WarmWorld(RunInput(objects=[], edits=[{"op": "drain", "node": "a"}]))


def test_no_anti_affinity_of_a_trial_holds_in_the_next_one():
    term = {"topologyKey": "kubernetes.io/hostname", "labelSelector": {"matchLabels": {"app": "x"}}}
    apart = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}
    world = WarmWorld(RunInput(objects=[node("a"), node("b")]))
    assert world.trial([adding([new("apart", labels={"app": "x"}, affinity=apart)], 3)]).placed == 2
    assert world.trial([adding([new("plain", labels={"app": "x"})], 4)]).placed == 4
    assert world.trial([adding([new("apart", labels={"app": "x"}, affinity=apart)], 3)]).placed == 2
