"""A rolling drain cordons a node when its turn comes, and gives the turn on when the node is back."""

from itertools import pairwise

import pytest

from scheduler_core.events.decisions import ClusterChange
from scheduler_core.objects.problems import BadInput
from scheduler_core.world import RunInput, Simulation
from tests.scheduler_core.clusters import node, pod
from tests.scheduler_core.world.controllers.test_drains import budget, web

NODES = ["n1", "n2", "n3"]


def cluster(*more):
    pods = [pod(f"p{name}", on=name, owner="rs", terminationGracePeriodSeconds=10) for name in NODES]
    return [*(node(name, cpu="4") for name in NODES), *pods, *more]


def played(objects, **edit):
    given = {"op": "drain", "nodes": NODES, **edit}
    return Simulation(RunInput(objects=objects, driver="timed", edits=[given]))


def told(simulation):
    """Return when a drain came to a node, and when a node came back."""
    entries = (one for one in simulation if isinstance(one, ClusterChange) and one.actor == "scenario")
    return [(one.time / 1000, one.outcome, one.object.removeprefix("Node ")) for one in entries]


def test_the_next_node_waits_until_the_one_before_is_back():
    simulation = played(cluster(), back=60)
    assert told(simulation) == [
        (0, "asked", "n1"),
        (70, "updated", "n1"),
        (70, "asked", "n2"),
        (140, "updated", "n2"),
        (140, "asked", "n3"),
        (210, "updated", "n3"),
    ]
    assert not any(one.spec.unschedulable for one in simulation.cluster.nodes.objects)
    assert not any(one.spec.taints for one in simulation.cluster.nodes.objects)


def test_so_many_at_a_time_and_without_an_end_they_stay_closed():
    simulation = played(cluster(), together=2)
    assert told(simulation) == [(0, "asked", "n1"), (0, "asked", "n2"), (10, "asked", "n3")]
    assert all(one.spec.unschedulable for one in simulation.cluster.nodes.objects)


def test_a_node_that_is_given_up_stays_closed_and_gives_its_turn_on():
    objects = cluster(web("kept", on="n1"), budget(1, 1))
    simulation = played(objects, back=60, timeout=30)
    assert told(simulation)[:2] == [(0, "asked", "n1"), (30, "asked", "n2")]
    closed = [one.metadata.name for one in simulation.cluster.nodes.objects if one.spec.unschedulable]
    assert closed == ["n1"]


def test_a_pod_that_may_not_be_asked_for_again_gives_the_node_up_at_once():
    objects = cluster(web("kept", on="n1"), budget(1, 2), budget(1, 2, name="too"))
    assert told(played(objects, back=60))[:2] == [(0, "asked", "n1"), (10, "asked", "n2")]


def test_a_rolling_drain_goes_on_from_any_checkpoint():
    whole = played(cluster(), back=60, together=2)
    decisions = list(whole)
    for cut in (2, len(decisions) // 2):
        first = played(cluster(), back=60, together=2)
        for _ in range(cut):
            first.step()
        again = played(cluster(), back=60, together=2)
        again.restore(first.checkpoint())
        assert list(again) == decisions[cut:]
    assert all(one.time <= other.time for one, other in pairwise(decisions))


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        ({"together": 0}, "must be between 1"),
        ({"back": 0}, "must be seconds"),
        ({"together": "2"}, "whole number"),
    ],
)
def test_what_no_rolling_drain_can_be(edit, reason):
    with pytest.raises(BadInput, match=reason):
        played(cluster(), **edit)


@pytest.mark.parametrize("field", ["together", "back"])
def test_it_needs_a_clock(field):
    with pytest.raises(BadInput, match=f"{field}: needs the driver timed"):
        Simulation(RunInput(objects=cluster(), edits=[{"op": "drain", "nodes": NODES, field: 5}]))
