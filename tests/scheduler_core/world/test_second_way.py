"""What answers say is read off whole runs once more, on clusters with a bit of everything."""

import random
from collections import Counter

import msgspec
import pytest

from scheduler_core.events.decisions import Attempt, Eviction
from scheduler_core.events.effects import Evicted, effects
from scheduler_core.objects.identity import comes_back
from scheduler_core.world import RunInput, Simulation
from scheduler_core.world.consolidation import consolidating
from scheduler_core.world.consolidation.nowhere_else import NowhereElse
from scheduler_core.world.fitting.what_fits import what_would_fit
from scheduler_core.world.headroom.counting import room_for
from scheduler_core.world.headroom.shapes import usual_shapes
from scheduler_core.world.trials.warm_world import WarmWorld
from tests.scheduler_core.mixed_clusters import cluster

SPAN = 4_000
"""Seconds between the steps of a consolidation: pods are ready long before."""


def began(seed):
    run_input = RunInput(objects=cluster(random.Random(seed)))
    return run_input, WarmWorld(run_input)


def played(run_input, **settings):
    simulation = Simulation(msgspec.structs.replace(run_input, **settings))
    return simulation, list(simulation)


def there(simulation):
    """Return the pods that neither have gone nor are about to."""
    rows, gone = simulation.cluster.pods.by_uid, simulation.cluster.gone.values
    is_ending = simulation.cluster.pods.is_terminating
    return [
        one for one in simulation.state().pods() if rows[one.uid] not in gone and not is_ending(rows[one.uid])
    ]


@pytest.mark.parametrize("seed", [5, 18, 47])
def test_so_many_more_fit_and_not_one_more_in_one_world_after_the_other(seed):
    run_input, world = began(seed)
    known = set(world.simulation.cluster.pods.by_uid)

    def missing(shape, count):
        """Return how many more have no node, what a workload lacks among them, and whether others go."""
        with world.begun(shape.more(count)) as simulation:
            new = [one for one in simulation.state().pods() if one.uid not in known]
        order = [f"{one.namespace}/{one.name}" for one in new]
        simulation, decisions = played(run_input, edits=shape.more(count), schedule=order)
        own = [one for one in there(simulation) if one.uid not in known and not one.replaces]
        goes = any(isinstance(one, Attempt) and one.outcome == "nominated" for one in decisions)
        return len(own) - sum(bool(one.node) for one in own), len(own), goes

    for shape in usual_shapes(world, 3):
        found = room_for(world, shape, most=40)
        if found.fit:
            assert missing(shape, found.fit)[::2] == (0, False)
        if found.evicting:
            assert missing(shape, found.fit + found.evicting)[0] == 0
        if found.ended_by == "first":
            assert missing(shape, found.fit + found.evicting + 1)[0] > 0
            short, _, goes = missing(shape, found.fit + 1)
            assert short or goes


@pytest.mark.parametrize("seed", [100, 106])
def test_proposals_place_all_pods_in_a_run_and_evict_whom_they_say(seed):
    run_input, world = began(seed)
    before = {uid for uid, _ in evicted(played(run_input)[1])}
    waiting = [world.simulation.cluster.pods.infos[row].uid for row in world.simulation.ground.pending]
    for uid in waiting[:2]:
        found = what_would_fit(world, [uid], most=60, others=True)
        workload = world.simulation.workload_of(uid)
        for one in found.proposals:
            simulation, decisions = played(run_input, edits=one.edits)
            mine = [
                pod
                for pod in there(simulation)
                if pod.uid == uid or (workload and simulation.workload_of(pod.uid) == workload)
            ]
            assert (len(mine), sum(bool(pod.node) for pod in mine)) == (one.pods, one.placed)
            assert one.placed == one.pods
            by_mine = {pod.uid for pod in mine}
            gone = [
                gone
                for gone, decision in evicted(decisions)
                if not (workload and simulation.workload_of(gone) == workload)
                and (gone not in before or decision.pod.uid in by_mine)
            ]
            assert len(gone) == sum(one.evicted.values())


def evicted(decisions):
    return [
        (effect.pod, decision)
        for decision in decisions
        for effect in effects(decision.changes)
        if isinstance(effect, Evicted)
    ]


@pytest.mark.parametrize("seed", [7, 27, 30, 54])
def test_nodes_given_back_are_emptied_by_the_clock_and_nobody_waits_or_goes_for_it(seed, monkeypatch):
    run_input, world = began(seed)
    found = consolidating.consolidation(world)
    monkeypatch.setattr(NowhereElse, "keeping", lambda *_: None)
    plainly = consolidating.consolidation(WarmWorld(run_input))
    assert found.freed == plainly.freed, "what filters say of a node a trial would have said"
    names = [one.node for one in found.freed]
    steps = [[one.node for one in found.freed if one.step == step + 1] for step in range(found.steps)]
    edits = [{"op": "drain", "nodes": some, "at": SPAN * place} for place, some in enumerate(steps, start=1)]
    clocked = {"driver": "timed", "until": SPAN * (found.steps + 1)}
    before, _ = played(run_input, **clocked)
    simulation, decisions = played(run_input, edits=edits, **clocked)
    assert not [
        one for one in there(simulation) if one.node in names and not comes_back(simulation.document(one.uid))
    ]
    waits, waited = (
        Counter(one.workload for one in there(run) if not one.node) for run in (simulation, before)
    )
    assert waits <= waited
    late = [
        uid
        for uid, one in evicted(decisions)
        if (one.time or 0) >= SPAN * 1000 and not isinstance(one, Eviction)
    ]
    assert not late
