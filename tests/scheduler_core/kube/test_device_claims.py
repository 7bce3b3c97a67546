"""Claims are part of the state: what is undone leaves them as they were, and a checkpoint has them whole."""

import copy
import gzip
import json
from collections import Counter
from pathlib import Path

import pytest

from scheduler_core.kube.configuration.profiles import build_profiles
from scheduler_core.objects.dynamic_resources import results_of
from scheduler_core.state.build import build_state
from scheduler_core.world.setting_up.arrangements import bare_world

VECTORS = Path(__file__).parents[2] / "vectors" / "kube" / "dra.jsonl.gz"
with gzip.open(VECTORS) as lines:
    CASES = [json.loads(line) for line in lines]


def world_of(case):
    built = build_state(
        case["cluster"]["items"], with_claims=True, failing_devices=case.get("failing_devices", ())
    )
    pending = {built.state.pods.infos[pod].key: pod for pod in built.pending}
    world = bare_world(built.state, build_profiles(case["config"], percentage_of_nodes_to_score=100))
    world.schedulers[0].admit(built.pending, [pending[key] for key in case["schedule"]])
    return world


def claims_of(world):
    return copy.deepcopy(world.state.device_claims.dump())


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_what_is_undone_leaves_the_claims_as_they_were(case):
    world = world_of(case)
    while world.look() is not None:
        before, mark = claims_of(world), world.state.mark()
        world.step()
        after = claims_of(world)
        world.state.undo_to(mark)
        assert claims_of(world) == before
        world.step()
        assert claims_of(world) == after


@pytest.mark.parametrize("case", CASES[::3], ids=[case["id"] for case in CASES[::3]])
def test_a_run_goes_on_from_a_checkpoint_in_its_middle(case):
    whole, told = world_of(case), []
    while (decision := whole.step()) is not None:
        told.append(decision)
    first = world_of(case)
    for _ in range(len(told) // 2):
        first.step()
    second = world_of(case)
    second.load(json.loads(json.dumps(first.dump())))
    rest = []
    while (decision := second.step()) is not None:
        rest.append(decision)
    assert rest == told[len(told) // 2 :]
    assert json.dumps(claims_of(second)) == json.dumps(claims_of(whole))


def doubles(world):
    """The devices that belong to more than one claim: a snapshot may have some."""
    given = Counter(
        (result["driver"], result["pool"], result["device"])
        for document in world.state.device_claims.documents.values.values()
        for result in results_of((document.get("status") or {}).get("allocation"))
        if not result.get("adminAccess") and "shareID" not in result
    )
    return {device for device, number in given.items() if number > 1}


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_no_device_is_given_twice(case):
    world = world_of(case)
    given_twice = doubles(world)
    while world.step() is not None:
        assert doubles(world) <= given_twice
