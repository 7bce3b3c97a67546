"""How many more of a shape fit if it asks for another amount: each as if somebody had written that shape."""

from scheduler_core.world.headroom.counting import room_for
from scheduler_core.world.headroom.other_amounts import other_amounts
from scheduler_core.world.headroom.shapes import shape_like, shape_of_pod
from scheduler_core.world.run_input import RunInput
from scheduler_core.world.trials.warm_world import WarmWorld
from tests.scheduler_core.clusters import node
from tests.scheduler_core.world.headroom.test_counting import workload


def of_cpu(cpu, *others):
    """Return a shape whose first container asks for this, and others for theirs."""
    asked = ({"cpu": one} for one in (cpu, *others))
    containers = [
        {"name": f"c{at}", "image": "i", "resources": {"requests": one}} for at, one in enumerate(asked)
    ]
    return shape_of_pod("s", {"containers": containers})


def test_each_point_is_what_is_counted_of_such_a_shape():
    world = WarmWorld(RunInput(objects=[node("a", cpu="4"), node("b", cpu="7")]))
    start = world.simulation.checkpoint()
    found = other_amounts(world, of_cpu("2"))
    [cpu] = found.curves
    assert (cpu.resource, cpu.asked, found.is_whole) == ("cpu", 2000, True)
    assert [(one.amount, one.fit) for one in cpu.points] == [
        (500, 22), (1000, 11), (1500, 6), (2000, 5), (3000, 3), (4000, 2),
    ]  # fmt: skip
    for one in cpu.points:
        assert room_for(world, of_cpu(f"{one.amount}m")).fit == one.fit
    assert world.simulation.checkpoint() == start


def test_an_amount_below_what_other_containers_ask_for_is_left_out():
    world = WarmWorld(RunInput(objects=[node("a", cpu="4")]))
    [cpu] = other_amounts(world, of_cpu("1", "1")).curves
    assert [one.amount for one in cpu.points] == [1500, 2000, 3000, 4000]


def test_a_workload_and_what_asks_for_nothing():
    objects = [node("a", cpu="4"), *workload("web", 1, "1", on=["a"])]
    world = WarmWorld(RunInput(objects=objects))
    [cpu] = other_amounts(world, shape_like(world, "ReplicaSet/default/web")).curves
    assert [one.fit for one in cpu.points if one.amount == cpu.asked] == [3]
    assert not other_amounts(world, shape_of_pod("s", {"containers": [{"name": "c", "image": "i"}]})).curves


def test_somebody_ends_it():
    world = WarmWorld(RunInput(objects=[node("a", cpu="4")]))
    assert not other_amounts(world, of_cpu("1"), stop=lambda: True).is_whole
