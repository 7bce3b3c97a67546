"""Gives nodes back as long as trials let it: greedily, and only what the schedulers themselves have placed.

Nodes are tried in a fixed order, as many at once as went well before, twice as many each time; of those that
do not go together the first ones are tried. No trial need tell that a pod fits nowhere else, or that all pods
together find no room, where filters say so (`nowhere_else.py`). The nodes of one step are cordoned first and
drained in order, as one `kubectl drain` does it. They are gone before the next step, which begins as soon as
playing them again takes longer than building the cluster without them.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from itertools import count
from typing import Any, Literal, NamedTuple

import msgspec

from scheduler_core.objects.collector import collector_at_rest
from scheduler_core.objects.identity import name_of, spec_of
from scheduler_core.objects.kinds import NODE, POD, POD_DISRUPTION_BUDGET, kind_of
from scheduler_core.schedulers.registry import cards_by_resource, pod_makers
from scheduler_core.state.cluster import ClusterState
from scheduler_core.world.consolidation.candidates import Candidate, in_order
from scheduler_core.world.consolidation.leaving import Leaving
from scheduler_core.world.consolidation.nowhere_else import NowhereElse
from scheduler_core.world.consolidation.prices import Price
from scheduler_core.world.consolidation.results import Consolidation, Freed, KeptNode
from scheduler_core.world.consolidation.tried_drain import TriedDrain
from scheduler_core.world.reporting.room import Shortage
from scheduler_core.world.simulation import Simulation
from scheduler_core.world.trials.playing import Stop, Watch, never, play
from scheduler_core.world.trials.warm_world import MOST_DECISIONS, WarmWorld

Object = dict[str, Any]
Told = Callable[[int, int], None]
_AGAIN = 16
"""A cluster is built anew in the time of playing so many fewer evictions than it has pods."""


MOST_EXPLAINED = 30
"""Of so many nodes that filters have kept a trial says why; each takes as long as a node that can go."""


def consolidation(
    world: WarmWorld,
    nodes: Iterable[str] | None = None,
    prices: Sequence[Price] = (),
    *,
    local_storage: bool = False,
    stop: Stop = never,
    is_late: Stop = never,
    told: Told = lambda done, of: None,
) -> Consolidation:
    """Return which of these nodes (all, where None) could be given back, in order; leave the world as it was.

    Pods that wait have their turn before any node is tried: what they find, nobody else is given.
    `local_storage`: pods with emptyDir volumes may go. `is_late` ends it as `stop` does, where nobody minds;
    `told` hears how many nodes of how many are done; before, how many decisions that turn has come to, of 0.
    Raises BadInput where the cluster can't be built anew.
    """
    decisions = count(1)
    with collector_at_rest():
        begun = _once_all_had_their_turn(
            world, lambda: stop() or is_late(), lambda _: told(next(decisions), 0)
        )
        return _Consolidating(begun, nodes, prices, local_storage, stop, is_late, told).all()


class _Begun(NamedTuple):
    """A cluster in which all that wait had their turn: how many of them got a node, how many were evicted."""

    world: WarmWorld
    placed: int = 0
    evicted: int = 0


def _once_all_had_their_turn(world: WarmWorld, ended: Stop, watch: Watch) -> _Begun:
    """Return the cluster as a run without edits leaves it, the world itself where nothing happens in one.

    So it is where somebody ends it before: nothing is tried then. Pods that wait and those that controllers
    of schedulers make of their jobs have their turn.
    """
    waiting, makers = list(world.simulation.ground.pending), pod_makers()
    if not waiting and not any(kind_of(item) in makers for item in world.run_input.objects):
        return _Begun(world)
    known = frozenset(world.simulation.cluster.pods.by_uid)
    with world.begun([]) as simulation:
        found = play(simulation, known, frozenset(), MOST_DECISIONS, ended, watch, first=0, reasons=False)
        if not found.placed and not found.evictions:
            return _Begun(world)
        while not ended():
            if simulation.step() is None:
                begun = msgspec.structs.replace(
                    world.run_input, objects=simulation.objects_at_end(), schedule=None
                )
                state = simulation.cluster
                placed = sum(1 for row in (*waiting, *_made(state, known)) if state.node_of(row))
                after = WarmWorld(begun, type(world.simulation), world.imported)
                return _Begun(after, placed, len(found.evictions))
    return _Begun(world)


def _made(state: ClusterState, known: Container[str]) -> Iterator[int]:
    """Yield the pods, by row, that have come and are no copies of evicted ones."""
    copies = state.pod_changes.replaces
    yield from (one.row for one in state.present() if one.uid not in known and one.row not in copies)


class _Judged(NamedTuple):
    """Whether all pods of some nodes found others; if not, what kept the pod that found none first."""

    goes: bool
    obstacle: KeptNode | None = None


class _Consolidating:
    def __init__(
        self,
        begun: _Begun,
        nodes: Iterable[str] | None,
        prices: Sequence[Price],
        local_storage: bool,
        stop: Stop,
        is_late: Stop,
        told: Told,
    ) -> None:
        world, self._placed, self._evicted = begun
        state = world.simulation.cluster
        self._first = world
        self._local_storage, self._told = local_storage, told
        self._stop, self._is_late = stop, is_late
        self._nodes = len(state.nodes)
        self._pending = len(world.simulation.ground.pending)
        self._candidates = in_order(state, nodes, prices)
        self._prices = len(prices)
        self._freed: list[Freed] = []
        self._kept: list[KeptNode] = []
        self._done = 0
        self._step = 1
        self._trials = 0
        self._standing: list[str] = []
        """Nodes that are given back and still have to be drained in each trial."""
        self._replayed = 0
        self._look_at(world)
        self._unexplained: list[Candidate] = []
        """Nodes that filters alone have kept."""

    def _look_at(self, world: WarmWorld) -> None:
        self._world = world
        self._leaving = Leaving(world.simulation, local_storage=self._local_storage)
        self._nowhere = NowhereElse(world.simulation, world.run_input, self._leaving)

    def all(self) -> Consolidation:
        """Try all nodes, for as long as anybody wants it."""
        wanted, at_once = list(self._candidates), 1
        while wanted and not self._has_to_end():
            self._told(len(self._candidates) - len(wanted), len(self._candidates))
            some = self._free_to_go(wanted, at_once)
            if not some:
                continue
            count = self._largest(some)
            if count is None:
                break
            at_once = 2 * count if count == len(some) else max(1, count)
            del wanted[: count or 1]
        self._told(len(self._candidates) - len(wanted), len(self._candidates))
        self._explain()
        return self._result(wanted)

    def _free_to_go(self, wanted: list[Candidate], at_once: int) -> list[Candidate]:
        """Return the next nodes that nothing keeps but room; take the others before them out of `wanted`."""
        some: list[Candidate] = []
        place = 0
        while place < len(wanted) and len(some) < at_once:
            one = wanted[place]
            kept = self._leaving.obstacle(one.name, one.zone, one.pool)
            if kept is None:
                some.append(one)
                place += 1
            else:
                self._kept.append(kept)
                del wanted[place]
        return some

    def _explain(self) -> None:
        """Let trials say why pods fit nowhere else, on the first of the nodes that no trial has kept."""
        said: dict[str, KeptNode] = {}
        for one in self._unexplained[:MOST_EXPLAINED]:
            judged = None if self._has_to_end() else self._judged([one])
            if judged is None:
                break
            if judged.obstacle is not None:
                said[one.name] = judged.obstacle
        self._kept = [said.get(one.node, one) for one in self._kept]

    def _largest(self, some: Sequence[Candidate]) -> int | None:
        """Give back as many of the first of these as go together, and return how many; None where it ends.

        Where not even the first one goes, it is kept: 0.
        """
        count = len(some)
        while count:
            # So many went well together before: a trial is sooner.
            kept = None if 1 < count == len(some) else self._kept_by_filters(some[:count])
            if kept is None:
                judged = self._judged(some[:count])
                if judged is None:
                    return None
                if judged.goes:
                    self._give_back(some[:count])
                    return count
                kept = judged.obstacle
            if count == 1:
                assert kept is not None
                self._kept.append(kept)
            count //= 2
        return 0

    def _kept_by_filters(self, some: Sequence[Candidate]) -> KeptNode | None:
        """Return what keeps nodes, as filters say, as that of the first; None if a trial must tell."""
        found = self._nowhere.keeping([one.name for one in some], self._standing)
        where = some[0].name, some[0].zone, some[0].pool
        if found is None:
            return None
        if isinstance(found, Shortage):
            return KeptNode(*where, "no_room", short=found, beside=len(self._standing))
        if len(some) == 1:
            self._unexplained.append(some[0])
        info = self._world.simulation.cluster.pods.infos[found]
        return KeptNode(*where, "no_place", info.key, self._world.simulation.workload_of(info.uid))

    def _has_to_end(self) -> bool:
        return self._stop() or self._is_late()

    # -- trials ----------------------------------------------------------------------------------------

    def _judged(self, some: Sequence[Candidate]) -> _Judged | None:
        """Drain nodes beside those of this step; None where somebody ends it meanwhile."""
        if self._standing and self._replayed * _AGAIN >= len(self._world.simulation.cluster.pods):
            self._begin_anew()
        self._trials += 1
        self._replayed += sum(len(self._leaving.pods_of(node)) for node in self._standing)
        tried = TriedDrain(self._world, self._edits([one.name for one in some]), self._has_to_end)
        if tried.goes is None:
            return None
        return _Judged(tried.goes, None if tried.goes or len(some) > 1 else tried.obstacle(some[0]))

    def _edits(self, names: Sequence[str]) -> list[Object]:
        """Return the edits of a trial: budgets have let every pod go, one after the other, and step aside."""
        nodes = [*self._standing, *names]
        budgets = sorted({budget for node in nodes for budget in self._leaving.budgets_of(node)})
        aside = [
            {"op": "delete", "kind": "PodDisruptionBudget", "namespace": namespace, "name": name}
            for namespace, name in budgets
        ]
        return [*aside, {"op": "drain", "nodes": nodes}]

    # -- what is given back ----------------------------------------------------------------------------

    def _give_back(self, some: Sequence[Candidate]) -> None:
        for one in some:
            pods = len(self._leaving.pods_of(one.name))
            where = one.name, one.zone, one.pool
            cards = self._cards_of(one)
            self._freed.append(Freed(*where, self._step, pods, one.amounts, one.price, cards))
        self._standing += [one.name for one in some]

    def _cards_of(self, one: Candidate) -> dict[str, int]:
        """Return how many cards are behind what a node has of resources that count slots."""
        [node] = self._first.objects.find(NODE, "", one.name)
        return {name: count for name, count in cards_by_resource(node).items() if name in one.amounts}

    def _begin_anew(self) -> None:
        """Let the cluster be the one without what is given back."""
        with self._world.begun(self._edits([]), alone=True) as simulation:
            while simulation.step() is not None:
                pass
            objects = _without(simulation, frozenset(self._standing))
        budgets = [one for one in self._first.run_input.objects if kind_of(one) == POD_DISRUPTION_BUDGET]
        rest = [one for one in objects if kind_of(one) != POD_DISRUPTION_BUDGET]
        run_input = msgspec.structs.replace(
            self._first.run_input, objects=[*rest, *budgets], edits=[], schedule=None
        )
        self._look_at(WarmWorld(run_input, type(self._first.simulation), self._first.imported))
        self._standing, self._replayed, self._step = [], 0, self._step + 1

    def _result(self, left: Sequence[Candidate]) -> Consolidation:
        ended_by: Literal["all", "late", "stopped"] = "all"
        if left:
            ended_by = "stopped" if self._stop() else "late"
        return Consolidation(
            self._freed,
            self._kept,
            [one.name for one in left],
            self._nodes,
            len(self._candidates),
            sum(one.price is not None for one in self._candidates),
            self._local_storage,
            self._pending,
            self._trials,
            ended_by,
            self._placed,
            self._evicted,
            self._prices,
            self._first.rests_on(drains=True),
        )


def _without(simulation: Simulation, nodes: frozenset[str]) -> list[Object]:
    """Return a cluster's objects without some nodes and what is still on them."""
    return [
        one
        for one in simulation.objects()
        if not (kind_of(one) == NODE and name_of(one) in nodes)
        and not (kind_of(one) == POD and spec_of(one).get("nodeName") in nodes)
    ]
