"""When pods start: a trial that is played by the clock until enough of them have a node.

Source: docs/semantics.md "Start times".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scheduler_core.events.decisions import Decision
from scheduler_core.events.effects import Arrived, Evicted, Left, Placed, Unplaced, effects
from scheduler_core.events.state import PodRow
from scheduler_core.objects.collector import collector_at_rest
from scheduler_core.objects.problems import BadInput
from scheduler_core.schedulers.cause import Cause
from scheduler_core.world.fitting.results import Edit, Start
from scheduler_core.world.fitting.wanted import Wanted
from scheduler_core.world.simulation import Simulation
from scheduler_core.world.trials.playing import Stop

UNTIL = 7200.0
"""So many seconds of the clock are played at the most."""
MOST_DECISIONS = 20_000
"""So many decisions are played at the most."""


def needed(wanted: Wanted, causes: Iterable[Cause], pods: int, least: int | None = None) -> int:
    """Return how many of the pods that are asked for have to have a node before they count as started.

    That are as many as their gang lacks; all `pods` where there is no gang, or it is ready already. `least`:
    so many are enough for the gang, instead of what it says.
    """
    gang = next((cause.gang for cause in causes if cause.gang is not None), None)
    if gang is None:
        return pods
    others = max(0, gang.pods - len(wanted.uids))
    lacks = (gang.needed if least is None else least) - others
    have_a_node = sum(map(wanted.has_node, wanted.uids))
    return min(pods, lacks) if lacks > have_a_node else pods


def starting(wanted: Wanted, edits: Sequence[Edit], enough: int, stop: Stop, *, alone: bool) -> Start:
    """Return when so many of the pods have a node at once, with these edits at the start.

    `stop`, asked before each decision, ends it as `untried`. `alone` as for a trial.
    """
    if not wanted.world.has_clock:
        reason = f"{wanted.world.run_input.profile} is played without one"
        return Start(None, "refused", reason=reason)
    also = frozenset(wanted.uids)
    try:
        with (
            collector_at_rest(),
            wanted.world.begun(edits, alone=alone, also=also, until=UNTIL) as simulation,
        ):
            return _Starting(wanted, simulation, enough).played(stop)
    except BadInput as error:
        return Start(None, "refused", reason="; ".join(str(one.message) for one in error.problems[:1]))


class _Starting:
    """A trial by the clock while it goes by."""

    def __init__(self, wanted: Wanted, simulation: Simulation, enough: int) -> None:
        self._wanted, self._simulation, self._enough = wanted, simulation, enough
        state = simulation.cluster
        near = (one for one in wanted.near(state) if state.node_of(one.row))
        self._placed = {one.uid for one in near if self._is_wanted(one.uid)}
        self._evicted: set[str] = set()
        self._gone: int | None = None
        self._once: dict[str, None] = {}
        self._left = 0

    def played(self, stop: Stop) -> Start:
        """Play until enough of the pods have a node, or it ends."""
        simulation = self._simulation
        if len(self._placed) >= self._enough:
            return Start(0, "started")
        for _ in range(MOST_DECISIONS):
            if stop():
                return Start(None, "untried")
            decision = simulation.step()
            if decision is None:
                quiet = simulation.ended_by == "quiet"
                return Start(None, "quiet" if quiet else "until", left=self._left)
            self._note(decision)
            if len(self._placed) >= self._enough:
                return Start(decision.time, "started", list(self._once), self._gone, self._left)
        return Start(None, "most", left=self._left)

    def _note(self, decision: Decision) -> None:
        for effect in effects(decision.changes):
            match effect:
                case Placed(uid) if self._is_wanted(uid):
                    self._placed.add(uid)
                case Unplaced(uid):
                    self._placed.discard(uid)
                case Evicted(uid):
                    self._evicted.add(uid)
                case Arrived(row) if row.node and self._wanted.names(row.uid, row.workload):
                    self._placed.add(row.uid)
                case Left(uid, row):
                    self._placed.discard(uid)
                    is_own = self._wanted.names(uid, row.workload)
                    if row.node and not is_own and uid not in self._evicted:
                        self._note_gone(row, decision.time)

    def _note_gone(self, row: PodRow, time: int | None) -> None:
        if time != self._gone:
            self._gone, self._once = time, {}
        self._once[row.workload or f"{row.namespace}/{row.name}"] = None
        self._left += 1

    def _is_wanted(self, uid: str) -> bool:
        return self._wanted.names(uid, self._simulation.workload_of(uid))
