"""The distance to the optimum: as many as can be, never fewer than the run."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.objects.problems import BadInput
from scheduler_core.world import RunInput
from scheduler_core.world.optimum.optimizing import optimum
from scheduler_core.world.trials.warm_world import WarmWorld
from tests.scheduler_core.clusters import node, pod

HOSTNAME = "kubernetes.io/hostname"


def found(objects, **settings):
    world = WarmWorld(RunInput(objects=objects, **settings))
    before = world.simulation.checkpoint()
    answer = optimum(world)
    assert world.simulation.checkpoint() == before
    return answer


def test_what_better_packing_would_have_placed_is_counted_and_proven():
    objects = [node("a"), node("b"), pod("1"), pod("2"), pod("wide", "4")]
    answer = found(objects)
    assert (answer.pending, answer.movable, answer.more, answer.bound, answer.proven) == (1, 2, 1, 1, True)
    assert answer.by_priority == {"0": 1}
    assert answer.placed[0].pod == "default/wide"
    assert answer.moved == 1


def test_pods_that_were_there_before_stay():
    objects = [node("a"), node("b"), pod("1", on="a"), pod("2", on="b"), pod("wide", "4")]
    answer = found(objects)
    assert (answer.more, answer.bound, answer.proven, answer.failed) == (0, 0, True, 0)


def test_a_solver_at_work_is_stopped_and_leaves_the_world_as_it_was():
    """Twenty kinds of pods of odd sizes: the solver proves nothing within its twenty seconds."""
    nodes = [node(f"n{number}", cpu="97") for number in range(12)]
    pods = [pod(f"p{number}", f"{17 + 3 * (number % 20)}", priority=number % 2) for number in range(60)]
    world = WarmWorld(RunInput(objects=[*nodes, *pods]))
    before = world.simulation.checkpoint()
    asked = 0

    def stop():
        nonlocal asked
        asked += 1
        return asked > 65  # the run has as many decisions: from then on the solver is at work

    assert optimum(world, effort=1e6, stop=stop) is None
    assert world.simulation.checkpoint() == before


def test_nothing_waits():
    assert found([node("a"), pod("1")]).proven


def test_no_priority_has_fewer_than_the_run_gave_it():
    small = [pod(f"s{number}", "1", priority=0) for number in range(4)]
    answer = found([node("a"), pod("large", "3", priority=9), *small])
    assert (answer.more, answer.pending, answer.proven) == (0, 3, True)


def test_ports_and_anti_affinity_by_hostname_are_in_the_model():
    term = {"topologyKey": HOSTNAME, "labelSelector": {"matchLabels": {"app": "apart"}}}
    apart = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}
    pods = [pod(name, "1", labels={"app": "apart"}, affinity=apart) for name in "123"]
    answer = found([node("a"), node("b"), *pods])
    assert (answer.pending, answer.more, answer.bound, answer.proven) == (1, 0, 0, True)
    ports = [{"name": "m", "image": "i", "ports": [{"hostPort": 80, "containerPort": 80}]}]
    answer = found([node("a"), pod("1", containers=ports), pod("2", priority=1, containers=ports)])
    assert (answer.pending, answer.more, answer.bound, answer.proven) == (1, 0, 0, True)


def test_where_the_model_lacks_a_rule_nothing_is_said_to_be_proven():
    spread = [
        {
            "maxSkew": 1,
            "topologyKey": HOSTNAME,
            "whenUnsatisfiable": "DoNotSchedule",
            "labelSelector": {"matchLabels": {"app": "x"}},
        }
    ]
    pods = [pod(name, "3", labels={"app": "x"}, topologySpreadConstraints=spread) for name in "123"]
    answer = found([node("a"), node("b"), *pods])
    assert (answer.bound, answer.proven, answer.inexact) == (None, False, {"spread": 3})


def test_what_waits_for_something_else_is_left_out():
    answer = found([node("a"), pod("g", schedulingGates=[{"name": "x"}]), pod("o", schedulerName="other")])
    assert answer.left_out == {"its gates": 1, "a scheduler that takes no part": 1}


def test_a_run_by_the_clock_is_refused():
    with pytest.raises(BadInput, match="by the clock"):
        found([node("a")], driver="timed")


def brute_force(sizes, wanted):
    """Return how many pods of these sizes fit on nodes of those at the most."""
    best = 0
    for places in product(range(-1, len(sizes)), repeat=len(wanted)):
        left = list(sizes)
        for size, place in zip(wanted, places, strict=True):
            if place >= 0:
                left[place] -= size
        if min(left) >= 0:
            best = max(best, sum(place >= 0 for place in places))
    return best


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.integers(1, 6), min_size=1, max_size=3), st.lists(st.integers(1, 6), min_size=1, max_size=6)
)
def test_on_tiny_clusters_it_is_as_many_as_trying_all_finds(sizes, wanted):
    nodes = [node(f"n{number}", cpu=str(size)) for number, size in enumerate(sizes)]
    pods = [pod(f"p{number}", str(size)) for number, size in enumerate(wanted)]
    answer = found([*nodes, *pods])
    assert answer.proven
    assert answer.movable + answer.more == brute_force(sizes, wanted)
    assert answer.more == answer.bound >= 0
    assert len(answer.placed) >= answer.more
