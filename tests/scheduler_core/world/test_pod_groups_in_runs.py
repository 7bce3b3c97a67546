"""A cluster's run tries the pods of a pod group together, where the feature gates of groups are on."""

import gzip

import msgspec
import pytest

from scheduler_core.events.decisions import Attempt
from scheduler_core.events.fold import Fold
from scheduler_core.kube.equivalence.cache import Keeping
from scheduler_core.objects.checks.cluster_checks import check_objects
from scheduler_core.world import RunInput, Simulation
from scheduler_core.world.headroom.counting import room_for
from scheduler_core.world.headroom.shapes import shape_like
from scheduler_core.world.trials.warm_world import WarmWorld
from tests.api.recorded import VECTORS
from tests.api.recorded_gangs import assert_same_gangs
from tests.builders import container, node, pod
from tests.portions import portion

GANGS = {"GenericWorkload": True, "GangScheduling": True}


def recorded():
    with gzip.open(VECTORS / "kube" / "gangs.jsonl.gz") as lines:
        return [msgspec.json.decode(line) for line in lines]


def input_of(case):
    return RunInput(
        objects=case["cluster"]["items"],
        profile="kube-1.36",
        config={**(case["config"] or {}), "featureGates": case["gates"]},
        controllers="none",
        schedule=case["schedule"],
    )


def group(name="train", count=8, **spec):
    return {
        "apiVersion": "scheduling.k8s.io/v1alpha2",
        "kind": "PodGroup",
        "metadata": {"namespace": "default", "name": name, "uid": f"group-{name}"},
        "spec": {"schedulingPolicy": {"gang": {"minCount": count}}, **spec},
    }


def members(number=8, cpu="1", name="train", **spec):
    names = [f"{name}-{place}" for place in range(number)]
    spec = {"schedulingGroup": {"podGroupName": name}, **spec}
    return [pod(one, containers=[container(requests={"cpu": cpu})], spec=spec) for one in names]


def run_of(*objects, gates=GANGS, **settings):
    config = {"featureGates": gates} if gates else None
    return Simulation(RunInput(objects=list(objects), profile="kube-1.36", config=config, **settings))


def encoded(run):
    return [msgspec.json.encode(one) for one in run]


def test_a_run_decides_recorded_gangs_as_the_real_scheduler_did():
    for case in portion(recorded(), 4):
        assert_same_gangs(case, [msgspec.json.decode(one) for one in encoded(Simulation(input_of(case)))])


def test_a_run_goes_on_from_anywhere_in_a_cycle_and_kept_answers_change_nothing():
    for case in portion(recorded(), 7):
        begun = input_of(case)
        run = Simulation(begun)
        fold, log, checkpoints = Fold(run.base), [], [run.checkpoint()]
        for decision in run:
            fold.apply(decision)
            assert fold.state() == run.state()
            log.append(msgspec.json.encode(decision))
            checkpoints.append(run.checkpoint())
        for at in range(0, len(log), 2):
            assert encoded(Simulation(begun, checkpoints[at])) == log[at:]
        assert encoded(Simulation(begun, keeping=Keeping(since=1, check_every=1))) == log
        explained = Simulation(begun)
        for line in log:
            explanation = explained.explain()
            assert msgspec.json.encode(explanation.decision) == line
            for visited in explanation.nodes():
                assert explanation.node(visited.node).first_failure == (
                    visited.status.plugin if visited.status else None
                )


def test_a_gang_that_is_too_large_has_no_pod_placed_and_says_how_many_it_lacks():
    run = run_of(node("a"), node("b", cpu="2"), group(), *members(), pod("zz"))
    attempts = [one for one in run if isinstance(one, Attempt)]
    assert [one.outcome for one in attempts] == ["unschedulable"] * 8 + ["scheduled"]
    assert {(one.group.found, one.group.members, one.group.min_count) for one in attempts[:8]} == {(6, 8, 8)}
    assert attempts[0].message.startswith("pod group is unschedulable, waiting for minCount pods")
    assert attempts[7].message.startswith("0/2 nodes are available: 2 Insufficient cpu")
    cause = run.why("uid-default-train-0").cause
    assert (cause.kind, cause.gang.needed, cause.gang.placed, cause.gang.pods) == ("gang", 8, 6, 8)
    assert (cause.gang.missing, cause.held[0].figure.what) == ("train-6", "cpu")


def test_a_pod_beyond_those_that_its_gang_needs_waits_for_itself():
    placed, late = members(5)[:4], members(5)[4]
    for one in placed:
        one["spec"]["nodeName"], one["status"] = "a", {"phase": "Running"}
    run = run_of(node("a"), group(count=4), *placed, late)
    (attempt,) = run
    cause = run.why("uid-default-train-4").cause
    assert (attempt.group.placed, attempt.group.fits, cause.kind, cause.gang) == (4, False, "nodes", None)


def test_a_gang_that_fits_is_placed_whole():
    run = run_of(node("a", cpu="5"), node("b"), group(), *members())
    assert run.why("uid-default-train-7").cause.kind == "fits"
    attempts = list(run)
    assert [one.outcome for one in attempts] == ["scheduled"] * 8
    assert attempts[-1].group.status == "True"


def test_members_wait_until_their_gang_is_there_and_its_group_too():
    run = run_of(node("a"), group(), *members(3), *members(1, name="lost"))
    said = {one.pod.name: (one.outcome, one.message) for one in run}
    few = "waiting for minCount pods from a gang to appear in scheduling queue"
    assert said["train-0"] == ("gated", few)
    assert said["lost-0"] == (
        "gated",
        'waiting for pods\'s pod group "lost" to appear in scheduling queue',
    )
    assert run.why("uid-default-train-0").cause.reason == few
    assert any("of PodGroups that are not in the import" in one for one in run.trust.missing)


def test_without_the_gates_pods_of_a_gang_are_tried_one_by_one_and_that_is_told():
    run = run_of(node("a"), group(), *members(), gates=None)
    assert sum(one.outcome == "scheduled" for one in run) == 4
    told = run_of(node("a"), group(), *members(), gates=None).trust.not_modelled
    assert told == ["8 pods of pod groups, tried one by one: no gang waits to be whole"]


def told(run, *names):
    """Return instants, what happened and to whom, of the pods whose names begin so."""
    return [
        (one.time, one.outcome, one.pod.name) for one in run if one.pod and one.pod.name.startswith(names)
    ]


def test_by_the_clock_a_gang_is_tried_for_as_long_as_it_has_members_and_bound_at_once():
    run = run_of(node("a"), group(count=3), *members(3), driver="timed", attempt_seconds=0.5)
    names = [f"train-{place}" for place in range(3)]
    assert told(run, "train") == [
        *((0, "scheduled", name) for name in names),
        *((1500, "bound", name) for name in names),
    ]


def test_by_the_clock_a_gang_waits_before_the_queue_until_its_last_member_and_its_group_come():
    late = {"op": "add", "at": 5, "manifest": group(count=2)}
    last = {"op": "add", "at": 9, "manifest": members(2)[1]}
    run = run_of(node("a"), members(1)[0], driver="timed", edits=[late, last])
    log = list(run)
    assert told(log, "train") == [
        (9000, "added", "train-1"),
        (9000, "scheduled", "train-0"),
        (9000, "scheduled", "train-1"),
        (9020, "bound", "train-0"),
        (9020, "bound", "train-1"),
    ]
    [came] = [one for one in log if one.outcome == "added" and one.pod is None]
    assert came.heard[0].event == "scheduling.k8s.io/PodGroupAdd"


def test_by_the_clock_a_gang_that_does_not_fit_is_tried_again_when_something_changes_or_its_back_off_ends():
    add = {"op": "add", "at": 5.5, "manifest": node("b")}
    run = run_of(node("a"), group(count=5), *members(5), driver="timed", edits=[add])
    tries = [one.time for one in run if isinstance(one, Attempt) and one.pod.name == "train-0"]
    assert tries == [0, 2000, 5000, 5500]
    assert [
        one.outcome for one in run_of(node("a"), group(count=5), *members(5), driver="timed", edits=[add])
    ][-1] == "bound"


def test_by_the_clock_a_gang_that_preempts_gets_its_room_when_the_grace_is_over():
    low = [pod(f"low-{one}", on=one, containers=[container(requests={"cpu": "4"})]) for one in "ab"]
    for one in low:
        one["spec"]["terminationGracePeriodSeconds"] = 7
    for gates in (GANGS, GANGS | {"WorkloadAwarePreemption": True}):
        objects = (node("a"), node("b"), *low, group(priority=9), *members(priority=9))
        log = list(run_of(*objects, gates=gates, driver="timed", controllers="none"))
        gone = [one.time for one in log if one.outcome == "gone"]
        bound = {one.time for one in log if one.outcome == "bound"}
        assert gone == [7080, 7080]
        assert len(bound) == 1
        assert 7080 < min(bound) < 7400


def test_where_a_part_of_the_nodes_is_looked_at_each_member_is_looked_for_where_the_last_search_ended():
    nodes = [node(f"n{place:03}", cpu="9" if place == 95 else "1") for place in range(110)]
    profile = {"schedulerName": "default-scheduler", "percentageOfNodesToScore": 5}
    config = {"featureGates": GANGS, "profiles": [profile]}
    for driver in ("instant", "timed"):
        objects = [*nodes, group(count=3), *members(3)]
        run = Simulation(RunInput(objects=objects, profile="kube-1.36", config=config, driver=driver))
        tries = [one for one in run if isinstance(one, Attempt)]
        # A search ends with 100 nodes that fit; the second begins behind them and does not come to n095.
        assert [one.chosen for one in tries] == ["n095", "n000", "n095"]


def test_a_gang_with_volume_claims_is_not_decided():
    claim = {"volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}]}
    run = run_of(node("a"), group(count=2), *members(2, **claim))
    assert {(one.outcome, one.message) for one in run} == {
        ("error", "not modelled: a pod group whose pods have volume claims")
    }


def test_a_group_has_the_priority_of_its_class():
    high = {
        "apiVersion": "scheduling.k8s.io/v1",
        "kind": "PriorityClass",
        "metadata": {"name": "high"},
        "value": 100,
    }
    low = pod("low", on="a", containers=[container(requests={"cpu": "4"})])
    gates = GANGS | {"WorkloadAwarePreemption": True}
    run = run_of(
        node("a"),
        low,
        high,
        group(count=2, priorityClassName="high"),
        *members(2, priority=100),
        gates=gates,
    )
    first, *_ = run
    assert (first.group.preemption, [one.name for one in first.group.victims]) == ("Success", ["low"])


@pytest.mark.parametrize("driver", ["instant", "timed"])
def test_how_many_more_of_a_gang_fit_is_what_a_run_that_adds_them_says(driver):
    empty = [node("a"), node("b", cpu="4")]
    config, waiting = {"featureGates": GANGS}, [group(count=3), *members(4)]
    run_input = RunInput(objects=[*empty, *waiting], profile="kube-1.36", config=config, driver=driver)
    shape = shape_like(WarmWorld(run_input), "PodGroup/default/train")
    assert (shape.size, shape.is_gang) == (3, True)
    room = room_for(WarmWorld(run_input), shape)
    assert (room.fit, room.evicting, room.size) == (2, 0, 3)
    for number in (2, 3):  # the pods that wait are left out
        run = Simulation(msgspec.structs.replace(run_input, objects=empty, edits=shape.more(number)))
        assert len({one.pod.name for one in run if one.outcome == "scheduled"}) == 6
    assert (room.cause.kind, room.cause.of_group) == ("gang", True)


@pytest.mark.parametrize(
    ("spec", "field"),
    [
        ({"schedulingPolicy": {}}, "spec.schedulingPolicy"),
        ({"schedulingPolicy": {"gang": {"minCount": 0}}}, "spec.schedulingPolicy.gang.minCount"),
        ({"disruptionMode": "All"}, "spec.disruptionMode"),
        (
            {"schedulingConstraints": {"topology": [{"key": ""}]}},
            "spec.schedulingConstraints.topology[0].key",
        ),
    ],
)
def test_an_import_names_what_is_wrong_with_a_group(spec, field):
    assert [one.field for one in check_objects([group(**spec)])] == [field]
