"""Trials say what runs say, whoever schedules and whether a clock moves; afterwards all is as it was."""

import json
from itertools import islice

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recorded.cluster_cases import edits_of
from samples.teaching.sample import teaching_files
from samples.volcano.sample import volcano_files, volcano_scenarios
from scheduler_core.objects.reading.texts import read_manifest
from scheduler_core.world import RunInput, Simulation
from scheduler_core.world.trials.warm_world import WarmWorld
from tests.scheduler_core.clusters import clusters
from tests.scheduler_core.volcano import gangs
from tests.scheduler_core.world.test_cluster_cases import CASES
from tests.scheduler_core.world.test_hami import asking, machine, run_of
from tests.scheduler_core.world.test_hami import clusters as clusters_with_cards
from tests.scheduler_core.world.test_invariants import SCHEDULERS
from tests.scheduler_core.world.trials.edits import possible_edits, some_edits
from tests.scheduler_core.world.trials.test_warm_world import assert_the_same

examples = settings(max_examples=8, suppress_health_check=list(HealthCheck))
KUBE = [*SCHEDULERS, ("kube-1.37", "timed"), ("kube-1.34", "timed"), ("kube-1.30", "instant")]
controllers = st.sampled_from(["recreate", "none"])
RECORDED = {case["id"].split("/")[0]: case for case in CASES.values()}


def assert_trials_leave_no_trace(begun, lists_of_edits):
    """Hold trials against runs, and the world after each against the world before."""
    world = WarmWorld(begun)
    start = world.simulation.checkpoint()
    for edits in lists_of_edits:
        assert_the_same(world, msgspec.structs.replace(begun, edits=edits))
        assert world.simulation.checkpoint() == start, edits
    assert list(world.simulation) == list(Simulation(begun))


@examples
@given(clusters(), st.sampled_from(KUBE), controllers, st.data())
def test_kube_schedulers(objects, scheduler, acting, data):
    profile, driver = scheduler
    begun = RunInput(objects=objects, profile=profile, driver=driver, controllers=acting)
    assert_trials_leave_no_trace(begun, (data.draw(some_edits(objects)) for _ in range(3)))


@examples
@given(gangs.clusters(), gangs.CONFIGURATIONS, controllers, st.sampled_from(["instant", "timed"]), st.data())
def test_schedulers_of_sessions(objects, config, acting, driver, data):
    begun = RunInput(
        objects=objects, profile="volcano-1.16", config=config, controllers=acting, driver=driver
    )
    assert_trials_leave_no_trace(begun, (data.draw(some_edits(objects)) for _ in range(2)))


@examples
@given(clusters_with_cards(), st.data())
def test_schedulers_of_cards(begun, data):
    assert_trials_leave_no_trace(begun, (data.draw(some_edits(begun.objects)) for _ in range(2)))


@pytest.mark.parametrize("family", RECORDED)
def test_what_real_control_planes_were_asked(family):
    case = RECORDED[family]
    begun = RunInput(objects=case["before"]["items"], driver="timed", until=600.0)
    edits = list(edits_of(case))
    assert_trials_leave_no_trace(begun, [edits, edits[:1], []])


@pytest.mark.parametrize("sample", ["gang", "queues", "priority", "restart", "teaching"])
def test_samples(sample):
    files = teaching_files() if sample == "teaching" else volcano_files(sample)
    objects = [item for _, text in files for item in read_manifest(text.decode())]
    scenario = {} if sample == "teaching" else volcano_scenarios(sample)[0]
    given_fields = {key: value for key, value in scenario.items() if key not in ("name", "edits")}
    begun = RunInput(objects=json.loads(json.dumps(objects)), **given_fields)
    chosen = islice(possible_edits(objects), 0, None, 9)
    assert_trials_leave_no_trace(begun, ([edit] for edit in islice(chosen, 6)))


def test_usual_edits_build_no_cluster():
    objects = [*(gangs.node(number, (8, 2)) for number in range(2)), gangs.queue("prod", 1)]
    world = WarmWorld(RunInput(objects=objects, profile="volcano-1.16"), _BuiltOnce)
    for edits in (
        [{"op": "cordon", "node": "node-1"}],
        [{"op": "clone-node", "node": "node-1", "count": 1}],
        [{"op": "set-queue", "name": "prod", "weight": 3}],
        [],
    ):
        world.trial(edits)


def test_usual_edits_build_no_cluster_of_cards_either():
    waits = asking("waits", memory=90_000)
    asked = waits["spec"]["containers"][0]["resources"]
    asked["requests"] = asked["limits"]  # as an API server has it
    world = WarmWorld(run_of(machine("a"), machine("b"), waits), _BuiltOnce)
    new = {"op": "add", "manifest": asking("new")}
    for edits, expected in (([new], "a"), ([{"op": "cordon", "node": "a"}, new], "b"), ([new], "a")):
        [told] = world.trial(edits).pods
        assert (told.pod.name, told.node) == ("new", expected)


class _BuiltOnce(Simulation):
    def __init__(self, run_input, **more):
        assert more.get("ground") is not None or not run_input.edits, "the cluster is built anew"
        super().__init__(run_input, **more)
