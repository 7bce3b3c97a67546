"""When a run begins, and that what edits add comes after all that waits already."""

import msgspec
import pytest

from scheduler_core.world import RunInput, Simulation
from scheduler_core.world.headroom.counting import room_for
from scheduler_core.world.headroom.shapes import Shape, as_new, shape_of_job
from scheduler_core.world.trials.warm_world import WarmWorld
from tests.scheduler_core.clusters import node
from tests.scheduler_core.volcano.test_why import group, queue, workers
from tests.scheduler_core.world.headroom.test_counting import volcano_job


def waiting_since(created, least, cpu):
    """Return a cluster of one node on which the gang `waits` has been waiting since `created`."""
    made = group("waits", least, minResources={"cpu": cpu})
    made["metadata"]["creationTimestamp"] = created
    return [node("a", cpu="4"), queue("default"), made, *workers("waits", least, cpu=cpu)]


@pytest.mark.parametrize("created", ["2020-01-01T00:00:00Z", "2026-06-01T00:00:00Z", "2031-05-04T03:02:01Z"])
@pytest.mark.parametrize("of_job", [False, True])
def test_what_is_added_comes_after_jobs_that_wait_however_new_these_are(created, of_job):
    gang = (group("added", 2), *(as_new(one) for one in workers("added", 2, cpu="1")))
    shape = shape_of_job("job", volcano_job("added", 2, 2)) if of_job else Shape("gang", gang)
    world = WarmWorld(RunInput(objects=waiting_since(created, 2, "1"), profile="volcano-1.16"))
    assert room_for(world, shape).fit == 1, "two of four cores are for those that wait already"
    simulation = Simulation(msgspec.structs.replace(world.run_input, edits=shape.more(2)))
    list(simulation)
    assert {one.name for one in simulation.state().pods() if one.node} >= {"waits-0", "waits-1"}


def test_a_creation_that_a_manifest_says_of_itself_is_not_believed():
    added = group("added", 4)
    added["metadata"]["creationTimestamp"] = "2019-01-01T00:00:00Z"
    gang = Shape("gang", (added, *(as_new(one) for one in workers("added", 4, cpu="1"))))
    world = WarmWorld(RunInput(objects=waiting_since("2026-07-01T00:00:00Z", 4, "1"), profile="volcano-1.16"))
    assert room_for(world, gang).fit == 0
