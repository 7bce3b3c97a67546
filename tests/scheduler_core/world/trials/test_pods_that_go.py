"""Trials by the clock in which pods have changed or gone before the first decision say what runs say.

`make test` takes a few clusters, EVERY_CASE=1 hundreds of each family.
"""

import json
import random

import msgspec
import pytest

from recorded.cluster_cases import edits_of
from samples.volcano.sample import volcano_files, volcano_scenarios
from scheduler_core.events.changes import Vanish
from scheduler_core.objects.reading.texts import read_manifest
from scheduler_core.world import RunInput
from scheduler_core.world.trials import warm_world
from scheduler_core.world.trials.warm_world import WarmWorld
from tests.portions import EVERY
from tests.scheduler_core.clusters import node, pod
from tests.scheduler_core.world.test_cluster_cases import CASES
from tests.scheduler_core.world.test_forecast import random_cluster
from tests.scheduler_core.world.trials.edits import possible_edits
from tests.scheduler_core.world.trials.leaving import edits_of_pods, with_leaving_pods
from tests.scheduler_core.world.trials.test_warm_world import assert_the_same

shifts = warm_world.is_shifted
SEEDS = range(400 if EVERY else 5)


def recorded(dice):
    case = CASES[dice.choice(sorted(CASES))]
    objects, profile = case["before"]["items"], dice.choice(["kube-1.36", "kube-1.34", "kube-1.37"])
    return RunInput(objects=objects, profile=profile), list(edits_of(case))


def invented(dice):
    return RunInput(objects=random_cluster(dice), profile=dice.choice(["kube-1.36", "kube-1.34"])), []


def sessions(dice):
    sample = dice.choice(["gang", "queues", "priority", "restart"])
    objects = [item for _, text in volcano_files(sample) for item in read_manifest(text.decode())]
    config = volcano_scenarios(sample)[0].get("config")
    return RunInput(objects=json.loads(json.dumps(objects)), profile="volcano-1.16", config=config), []


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("family", [recorded, invented, sessions])
def test_trials_say_what_runs_say(family, seed, monkeypatch):
    dice = random.Random(f"{family.__name__} {seed}")
    begun, own = family(dice)
    objects = with_leaving_pods(dice, begun.objects)
    acting, until = dice.choice(["recreate", "none"]), dice.choice([60.0, 400.0])
    begun = msgspec.structs.replace(begun, objects=objects, driver="timed", controllers=acting, until=until)
    monkeypatch.setattr(warm_world, "is_shifted", lambda *of: shifts(*of) or pytest.fail("is built anew"))
    world, possible = WarmWorld(begun), [*possible_edits(objects), *edits_of_pods(objects)]
    start = world.simulation.checkpoint()
    for _ in range(4):
        edits = [*dice.sample(possible, min(len(possible), dice.randrange(4))), *dice.choice([[], own])]
        assert_the_same(world, msgspec.structs.replace(begun, edits=edits))
        assert world.simulation.checkpoint() == start


def test_who_is_gone_before_does_not_leave_and_gives_no_time():
    gone = pod("gone", on="a", started="2026-06-01T00:30:00Z")
    gone["metadata"]["deletionTimestamp"] = "2026-06-01T00:31:00Z"
    ends = pod("ends", "3", "a", started="2026-06-01T00:00:00Z")
    ends["metadata"]["annotations"] = {"sandtable/duration": "90"}
    begun = RunInput(objects=[node("a"), gone, ends], driver="timed", controllers="none", until=300.0)
    edits, log = [{"op": "delete", "kind": "Pod", "name": "gone", "namespace": "default"}], []
    WarmWorld(begun).trial(edits, watch=log.append)
    left = [one.time for one in log if any(isinstance(each, Vanish) for each in one.changes)]
    assert left == [90_000], "90 s after what is the newest start without the other pod"
