"""Runs that are played one after the other on a kept cluster are the runs that each would be alone."""

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from samples.teaching.sample import teaching_files
from scheduler_core.objects.reading.texts import read_manifest
from scheduler_core.world import RunInput, Simulation
from scheduler_core.world.imported import Imported
from scheduler_core.world.trials.kept_ground import KeptGround
from tests.scheduler_core.clusters import clusters
from tests.scheduler_core.volcano import gangs
from tests.scheduler_core.world.test_hami import clusters as clusters_with_cards
from tests.scheduler_core.world.test_invariants import SCHEDULERS


def played(simulation):
    begun = simulation.base, simulation.trust, simulation.edit_results
    return begun, list(simulation), simulation.state(), simulation.checkpoint()


def played_on(ground, run_input):
    with ground.lent(run_input) as lent:
        return played(Simulation(run_input, **lent._asdict()))


def spoil(ground, begun):
    with ground.lent(begun) as lent:
        Simulation(begun, **lent._asdict()).step()
        lent.ground.state.placement.pod_count[:] = 0
        raise KeyboardInterrupt


@settings(max_examples=8)
@given(clusters(), st.sampled_from([*SCHEDULERS, ("kube-1.37", "timed")]), st.data())
def test_every_run_is_as_one_alone(objects, scheduler, data):
    profile, driver = scheduler
    ground = KeptGround(Imported(objects))
    for controllers in data.draw(st.lists(st.sampled_from(["recreate", "none"]), min_size=2, max_size=4)):
        run_input = RunInput(objects=objects, profile=profile, driver=driver, controllers=controllers)
        for seed in (None, 3):
            begun = msgspec.structs.replace(run_input, seed=seed)
            assert played_on(ground, begun) == played(Simulation(begun))


@settings(max_examples=6, suppress_health_check=list(HealthCheck))
@given(gangs.clusters(), st.sampled_from(["instant", "timed"]), st.data())
def test_every_run_of_sessions_is_as_one_alone(objects, driver, data):
    ground = KeptGround(Imported(objects))
    for config in data.draw(st.lists(gangs.CONFIGURATIONS, min_size=2, max_size=3)):
        begun = RunInput(objects=objects, profile="volcano-1.16", config=config, driver=driver)
        assert played_on(ground, begun) == played(Simulation(begun))


@settings(max_examples=6, suppress_health_check=list(HealthCheck))
@given(clusters_with_cards())
def test_every_run_with_cards_is_as_one_alone(begun):
    ground = KeptGround(Imported(begun.objects))
    for seed in (None, 3, None):
        run_input = msgspec.structs.replace(begun, seed=seed)
        assert played_on(ground, run_input) == played(Simulation(run_input))


def test_a_run_that_is_cut_off_leaves_nothing():
    objects = [one for _, content in teaching_files() for one in read_manifest(content.decode())]
    ground, begun = KeptGround(Imported(objects)), RunInput(objects=objects)
    with pytest.raises(KeyboardInterrupt):
        spoil(ground, begun)
    assert played_on(ground, begun) == played(Simulation(begun))
