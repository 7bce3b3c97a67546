"""Counts how many more of a shape fit: so many are added, and a trial plays until the first that does not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from itertools import islice
from typing import NamedTuple

import msgspec
import numpy as np

from scheduler_core.events.decisions import Attempt
from scheduler_core.objects.collector import collector_at_rest
from scheduler_core.schedulers.cause import Answered, Cause
from scheduler_core.world.headroom.largest import largest
from scheduler_core.world.headroom.others import Others, ways_of, why_no_pods
from scheduler_core.world.headroom.places import pools_of, stopped_of, stops_of
from scheduler_core.world.headroom.results import Headroom, Room
from scheduler_core.world.headroom.shapes import Shape, told_by_name
from scheduler_core.world.simulation import Simulation
from scheduler_core.world.trials.playing import Stop, never
from scheduler_core.world.trials.trial_result import TrialResult, TriedEviction, TriedPod, by_workload
from scheduler_core.world.trials.warm_world import WarmWorld

MOST = 1_000
"""No more than so many of a shape are tried."""
Told = Callable[[int, int], None]


def headroom(
    world: WarmWorld,
    shapes: Sequence[Shape],
    *,
    most: int = MOST,
    stop: Stop = never,
    told: Told = lambda done, of: None,
) -> Headroom:
    """Return how many more of each shape fit, each alone, as a run says that adds them one after another.

    The other pods that wait are left out where a scheduler has a queue; who decides in sessions looks at all.
    No more than `most` of a shape are tried. `stop` ends it; `told` hears how many shapes of how many are
    done. Raises BadInput where a shape can't be added.
    """
    rooms, others = list[Room](), Others(world, stop)
    for shape in shapes:
        told(len(rooms), len(shapes))
        if stop():
            break
        with collector_at_rest(), told_by_name(shape):
            rooms.append(_Counting(world, shape, most, stop, others).room())
    told(len(rooms), len(shapes))
    untried, ways = [shape.name for shape in shapes[len(rooms) :]], ways_of(world)
    rests_on = world.rests_on(adds=True)
    return Headroom(rooms, untried, rests_on, in_queues=False in ways, in_sessions=True in ways)


def room_for(world: WarmWorld, shape: Shape, *, most: int = MOST, stop: Stop = never) -> Room:
    """Return how many more of one shape fit. Raises BadInput where it can't be added."""
    with collector_at_rest(), told_by_name(shape):
        return _Counting(world, shape, most, stop, Others(world, stop)).room()


def free_room(world: WarmWorld, shape: Shape, *, most: int = MOST, stop: Stop = never) -> int | None:
    """Return how many more of a shape fit in free room, no more than `most`; None where somebody stops it.

    Raises BadInput where it can't be added.
    """
    with collector_at_rest(), told_by_name(shape):
        return _Counting(world, shape, most, stop, Others(world, stop)).free_room()


def world_after(world: WarmWorld, simulation: Simulation) -> WarmWorld:
    """Return a world that begins where a run of this world stands. Raises BadInput."""
    objects = simulation.objects()
    run_input = msgspec.structs.replace(world.run_input, objects=objects, edits=[], schedule=None)
    return WarmWorld(run_input, imported=world.imported)


class _Stopped(Exception):
    """Somebody wants no more trials."""


class _Passed(NamedTuple):
    """How many found a node before the first that did not, on which nodes (by uid), and what stops that one.

    What a workload lacks already is not among them: its controller makes that first, whoever asks.

    answered: None where all found one, or where `first` has to be asked before its try: of so many, after so
    many of them, that one by uid. evicts: the first that did not may have it by evicting others.
    """

    fit: int
    nodes: dict[str, str]
    answered: Answered | None
    evicts: bool
    stopped: bool = False
    first: tuple[int, int, str] | None = None


class _Round(NamedTuple):
    """What a trial says of so many: whether all have a node, where, and who had to go for that.

    answered: what stands against the first that has none. others: who else has found one, by uid.
    """

    fits: bool
    nodes: dict[str, str]
    evicted: list[TriedEviction]
    answered: Answered | None
    others: frozenset[str]


class _Counting:
    """The count of one shape."""

    def __init__(self, world: WarmWorld, shape: Shape, most: int, stop: Stop, others: Others) -> None:
        self._world, self._shape, self._most, self._stop = world, shape, most, stop
        self._known = frozenset(world.simulation.cluster.pods.by_uid)
        self._rounds: dict[int, _Round] = {}
        self._in_sessions = True in ways_of(world)
        self._others = others
        self._in_rounds = shape.is_gang or self._in_sessions
        """Whether several are decided about together, so that each number has to be tried."""

    def room(self) -> Room:
        """Return all that is known of the room; less where somebody stops it."""
        try:
            passed = self._in_free_room() if self._in_rounds else self._asked_before(self._one_by_one())
        except _Stopped:
            return Room(self._shape.name, 0, 0, {}, {}, [], [], None, [], "stopped")
        whole, stopped = passed.fit, passed.stopped
        if passed.evicts and passed.answered is not None:
            try:
                whole = self._most_with_evictions(passed.fit)
            except _Stopped:
                stopped = True
        gone = self._round(whole).evicted if whole > passed.fit else []
        answered = self._beyond(whole, passed)
        return Room(
            self._shape.name,
            passed.fit,
            whole - passed.fit,
            by_workload(gone),
            by_workload([one for one in gone if one.violates]),
            pools_of(self._world.objects, passed.nodes, answered),
            [] if answered is None else stops_of(answered),
            None if answered is None else answered.cause,
            self._shape.more(passed.fit + 1),
            "stopped" if stopped else "most" if answered is None else "first",
            {} if answered is None else stopped_of(answered, passed.nodes),
            self._shape.size,
            self._devices(),
            self._others.held_up(self._round(whole).others) if self._in_sessions and whole else 0,
        )

    def _beyond(self, whole: int, passed: _Passed) -> Answered | None:
        """Return what stops the next one: where a session says only that it would evict, after those."""
        first, after = passed.answered, self._rounds.get(whole + 1)
        if first is None or first.cause.kind != "preempts" or first.cause.held or after is None:
            return first
        return after.answered or first

    def _devices(self) -> list[str]:
        claims, pod = self._world.simulation.cluster.device_claims, self._shape.first_pod
        return [] if claims is None or pod is None else claims.asks_of(pod)

    def free_room(self) -> int | None:
        """Return how many fit in free room; None where somebody stops it."""
        try:
            if self._in_rounds:
                return self._largest(0, self._begin, self._fits_in_free_room)
            passed = self._one_by_one()
        except _Stopped:
            return None
        return None if passed.stopped else passed.fit

    # -- one after another -----------------------------------------------------------------------------

    @cached_property
    def _lacking(self) -> int:
        """How many pods a workload's controller makes before any more: it has fewer than it wants."""
        if self._shape.workload is None:
            return 0
        result = self._world.trial(self._shape.more(0), alone=True, reasons=False)
        return sum(not pod.replaces and pod.pod.uid not in self._known for pod in result.pods)

    def _without_lacking(self, passed: _Passed) -> _Passed:
        nodes = dict(islice(passed.nodes.items(), self._lacking, None))
        return passed._replace(fit=max(0, passed.fit - self._lacking), nodes=nodes)

    def _one_by_one(self) -> _Passed:
        """Play until the first has no node: before it, each is decided about as if no other came."""
        count = min(self._guess + 1, self._most)
        while True:
            passed = self._until_first(count)
            if passed.answered is not None or passed.first or passed.stopped or count >= self._most:
                return self._without_lacking(passed)
            count = min(4 * count, self._most)

    @cached_property
    def _guess(self) -> int:
        """How many there is room for, as resources alone say: where to begin, and no more than that."""
        state = self._world.simulation.cluster
        free = np.maximum(state.nodes.allocatable - state.requested, 0)
        most = np.maximum(state.nodes.pod_limit - state.pod_count, 0)
        for name, amount in self._shape.requests.items():
            column = state.nodes.resources.column.get(name)
            if column is not None and amount:
                most = np.minimum(most, free[:, column] // amount)
        return int(most.sum())

    def _until_first(self, count: int) -> _Passed:
        nodes: dict[str, str] = {}
        with self._world.begun(self._shape.more(count), alone=True) as simulation:
            while (decision := simulation.step()) is not None:
                if self._stop():
                    return _Passed(len(nodes), nodes, None, evicts=False, stopped=True)
                if not isinstance(decision, Attempt) or not self._is_own(simulation, decision.pod.uid):
                    continue
                if decision.outcome == "scheduled":
                    nodes[decision.pod.uid] = decision.chosen or ""
                elif decision.outcome == "nominated":
                    break  # whom it evicts has gone by now: a run that stops before is asked
                else:
                    return _Passed(len(nodes), nodes, simulation.why(decision.pod.uid), evicts=False)
            else:
                left = self._undecided(simulation) if len(nodes) < count else None
                answered = None if left is None else simulation.why(left)
                if answered is None and len(nodes) < count:
                    answered = _not_created(simulation)
                return _Passed(len(nodes), nodes, answered, evicts=False)
            first = decision.pod.uid
        return _Passed(len(nodes), nodes, None, evicts=True, first=(count, len(nodes), first))

    def _undecided(self, simulation: Simulation) -> str | None:
        """Return one of them that nobody decides about, by uid; None where there is none."""
        state = simulation.cluster
        waiting = (info.uid for row, info in enumerate(state.pods.infos) if not state.node_of(row))
        return next((uid for uid in waiting if self._is_own(simulation, uid)), None)

    def _asked_before(self, passed: _Passed) -> _Passed:
        """Add what stands against the first one before its try, where that one evicts others."""
        return passed if passed.first is None else passed._replace(answered=self._before(*passed.first))

    def _before(self, count: int, fit: int, uid: str) -> Answered:
        """Return what stands against a pod before its try, with so many of its like placed."""
        with self._world.begun(self._shape.more(count), alone=True) as simulation:
            while fit:
                decision = simulation.step()
                assert decision is not None
                fit -= isinstance(decision, Attempt) and self._is_own(simulation, decision.pod.uid)
            while not simulation.knows(uid):  # its controller makes it once the one before it is placed
                decision = simulation.step()
                assert decision is not None
            return simulation.why(uid)

    # -- so many together ------------------------------------------------------------------------------

    def _in_free_room(self) -> _Passed:
        """Try numbers of them: how many find nodes is known of all together only."""
        fit = self._largest(0, self._begin, self._fits_in_free_room)
        nodes = dict(islice(self._round(fit).nodes.items(), self._lacking, None)) if fit else {}
        if fit >= self._most:
            return _Passed(fit, nodes, None, evicts=False)
        return _Passed(fit, nodes, self._why_not(fit + 1), evicts=self._round(fit + 1).fits)

    @property
    def _begin(self) -> int:
        """The number to try first: more than resources alone have room for; 1 where they don't say."""
        return self._guess // self._shape.size + 1 if self._shape.requests else 1

    def _fits_in_free_room(self, count: int) -> bool:
        return self._round(count).fits and not self._round(count).evicted

    def _why_not(self, count: int) -> Answered:
        """Return what stands against the first that has no node among so many, or has it by evicting.

        Of the latter it is asked before anybody has gone.
        """
        answered = self._round(count).answered
        if answered is not None:
            return answered
        with self._world.begun(self._shape.more(count), alone=True) as simulation:
            own = self._made(simulation, count)
            answers = [one for _, one in simulation.whys(own)]
            return next((one for one in answers if one.cause.kind != "fits"), answers[-1])

    def _why_waiting(self, simulation: Simulation, count: int) -> Answered:
        """Return what stands against the first that has no node among so many where a run has ended."""
        state = simulation.cluster
        own = [uid for uid in state.pods.by_uid if self._is_own(simulation, uid)]
        if not own and (refused := _not_created(simulation)) is not None:
            return refused
        waiting = (uid for uid in own if not state.node_of(state.pods.by_uid[uid]))
        if self._shape.jobs and len(own) < count * self._shape.least:
            return why_no_pods(simulation, self._shape.jobs, self._shape.objects[0])
        return simulation.why(next(waiting, own[-1]))

    def _made(self, simulation: Simulation, count: int) -> list[str]:
        """Return the uids of all pods of so many; those of jobs are there once a controller has made them."""
        least = count * self._shape.size if self._shape.jobs else 0
        while True:
            own = [uid for uid in simulation.cluster.pods.by_uid if self._is_own(simulation, uid)]
            if len(own) >= least or simulation.step() is None:
                return own

    def _most_with_evictions(self, low: int) -> int:
        """Return how many all find nodes if they may evict; `low` do without."""
        return self._largest(low, low + 1, lambda number: self._round(number).fits)

    def _largest(self, low: int, first: int, holds: Callable[[int], bool]) -> int:
        return largest(low, self._most, first, holds, self._placed)

    def _placed(self, count: int) -> int:
        """Return how many of so many have all of their nodes, as far as nodes are counted."""
        return (len(self._round(count).nodes) - self._lacking) // self._shape.size

    def _round(self, count: int) -> _Round:
        if count not in self._rounds:
            if self._stop():
                raise _Stopped
            answers: list[Answered] = []
            lacking = self._lacking
            result = self._world.trial(
                self._shape.more(count),
                alone=True,
                stop=self._stop,
                reasons=False,
                pods=self._others.waiting if self._in_sessions else (),
                at_end=partial(self._ask, count, lacking, answers),
            )
            if result.ended_by == "stopped" and self._stop():
                raise _Stopped
            nodes, answered = self._nodes(result), next(iter(answers), None)
            gone = self._gone_for(result) if answered is None else []
            others = self._others.placed(result)
            self._rounds[count] = _Round(answered is None, nodes, gone, answered, others)
        return self._rounds[count]

    def _ask(
        self,
        count: int,
        lacking: int,
        answers: list[Answered],
        simulation: Simulation,
        result: TrialResult,
    ) -> None:
        """Add what stands against the first of so many that has no node where their run ends."""
        if result.ended_by == "stopped" and self._stop():
            return
        if result.ended_by == "stopped" or not self._all_placed(count, lacking, result):
            answers.append(self._why_waiting(simulation, count))

    def _nodes(self, result: TrialResult) -> dict[str, str]:
        """Return by uid where those are that are new."""
        own = filter(self._is_new, result.pods)
        return {pod.pod.uid: pod.node for pod in own if pod.node and not pod.gone}

    def _gone_for(self, result: TrialResult) -> list[TriedEviction]:
        """Return the evictions that would not be without those that are new."""
        if not result.evictions:
            return []
        uids = {pod.pod.uid for pod in result.pods if self._is_new(pod)}
        anyway = self._others.evicted if self._in_rounds else frozenset[str]()
        return [one for one in result.evictions if one.by in uids or one.pod.uid not in anyway]

    def _is_new(self, pod: TriedPod) -> bool:
        is_known = pod.replaces or pod.pod.uid in self._known
        return not is_known and pod.workload.startswith(self._shape.jobs)

    def _all_placed(self, count: int, lacking: int, result: TrialResult) -> bool:
        """Return whether so many more have their nodes: of a job as many pods as its gang has."""
        nodes = self._nodes(result)
        if not self._shape.jobs:
            return len(nodes) == count * self._shape.size + lacking
        placed = Counter(pod.workload for pod in result.pods if pod.pod.uid in nodes)
        return sum(number >= self._shape.least for number in placed.values()) == count

    def _is_own(self, simulation: Simulation, uid: str) -> bool:
        state = simulation.cluster
        is_new = uid not in self._known and state.pods.by_uid[uid] not in state.pod_changes.replaces
        if not is_new or not self._shape.jobs:
            return is_new
        return simulation.workload_of(uid).startswith(self._shape.jobs)


def _not_created(simulation: Simulation) -> Answered | None:
    """Return that admission refuses the next one, as the edits say; None where they say nothing."""
    said = (text for one in simulation.edit_results for text in one.problems)
    reason = next((text.partition(": ")[2] or text for text in said), "")
    return Answered(Cause("not_created", reason=reason)) if reason else None
