"""Plays a run to its end and notes what a trial says of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from itertools import chain, islice
from typing import Literal

import msgspec
import numpy as np

from scheduler_core.events.decisions import Attempt, Completion, Decision, Eviction
from scheduler_core.events.effects import Evicted, Placed, effects
from scheduler_core.events.sessions import Gang
from scheduler_core.kube.attempt_event import pod_ref
from scheduler_core.kube.equivalence.signature import read_of
from scheduler_core.schedulers.actor import EndedBy
from scheduler_core.schedulers.cause import Cause
from scheduler_core.state.pods import PodInfo
from scheduler_core.world.simulation import Simulation
from scheduler_core.world.trials.trial_result import TrialResult, TriedEviction, TriedPod, TriedRefusal

Stop = Callable[[], bool]
"""Says whether somebody wants a trial to end."""
Watch = Callable[[Decision], None]
"""Is told of every decision."""


def never() -> bool:
    """Nobody wants a trial to end."""
    return False


def unwatched(decision: Decision) -> None:
    """Nobody wants to be told."""


def play(
    simulation: Simulation,
    known: Set[str],
    asked: Set[str],
    most: int,
    stop: Stop,
    watch: Watch,
    *,
    first: int,
    reasons: bool,
) -> TrialResult:
    """Play a run from where it stands, for no more than so many decisions; `stop` is asked before each.

    Of the pods, by uid, those are told that are not `known` before, and those that are `asked` for; with
    `reasons`, also why they wait. All rows before `first` are of known pods.
    """
    tried = _Tried(simulation)
    ended_by: EndedBy | Literal["stopped"] = "stopped"
    while tried.decisions < most and not stop():
        decision = simulation.step()
        if decision is None:
            ended_by = simulation.ended_by
            break
        tried.add(decision)
        watch(decision)
    return TrialResult(
        edits=simulation.edit_results,
        pods=list(tried.pods(known, asked, first, reasons=reasons)),
        evictions=tried.evictions,
        refusals=list(tried.refusals.values()),
        pending=tried.pending(),
        placed=tried.placed,
        decisions=tried.decisions,
        ended_by=ended_by,
    )


class _Tried:
    """What decisions come to while they go by."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._state = simulation.cluster
        self._begun = len(self._state.pods)
        self._absent = frozenset(self._state.gone.values)
        """Pods, by row, that edits have taken away."""
        self.decisions = 0
        self.placed = 0
        self.evictions: list[TriedEviction] = []
        self.refusals: dict[str, TriedRefusal] = {}
        self._violating: set[tuple[str, str]] = set()
        """Preemptors and victims, by uid, where the loss violates a budget; a victim may go later."""

    def add(self, decision: Decision) -> None:
        """Count a decision that was carried out."""
        self.decisions += 1
        if isinstance(decision, Attempt):
            self._violating.update((decision.pod.uid, victim) for victim in _against_budgets(decision))
        elif isinstance(decision, Eviction):
            self._hear_of_request(decision)
        for effect in effects(decision.changes):
            if isinstance(effect, Placed):
                self.placed += 1
            elif isinstance(effect, Evicted):
                self.evictions.append(self._evicted(effect.pod, decision))

    def _hear_of_request(self, decision: Eviction) -> None:
        uid = decision.pod.uid
        self.refusals.pop(uid, None)
        if decision.outcome == "refused":
            self.refusals[uid] = TriedRefusal(
                decision.pod, self._workload(uid), decision.node, decision.seq, decision.message or ""
            )

    def _evicted(self, uid: str, decision: Decision) -> TriedEviction:
        row = self._state.pods.by_uid[uid]
        by = decision.pod.uid if isinstance(decision, Attempt | Completion) else ""
        job = decision.job if isinstance(decision, Gang) else ""
        return TriedEviction(
            pod_ref(self._state, row),
            self._simulation.owner_of(uid),
            self._state.node_of(row),
            decision.seq,
            by,
            job,
            (by, uid) in self._violating,
            isinstance(decision, Eviction),
        )

    def _workload(self, uid: str) -> str:
        return self._simulation.workload_of(uid)

    # -- at the end ----------------------------------------------------------------------------------

    def pending(self) -> list[str]:
        """Return the pods without a node, by uid, in the order of the cluster."""
        state, infos = self._state, self._state.pods.infos
        gone, leaving = state.gone.values, set(np.flatnonzero(state.pods.terminating).tolist())
        node = state.pod_changes.node
        rows = chain(self._simulation.ground.pending, range(self._begun, len(infos)))
        return [infos[row].uid for row in rows if not node[row] and row not in gone and row not in leaving]

    def _waits(self, row: int) -> bool:
        state = self._state
        is_there = row not in state.gone.values and not state.pods.is_terminating(row)
        return is_there and not state.node_of(row)

    def pods(self, known: Set[str], asked: Set[str], first: int, *, reasons: bool) -> Iterator[TriedPod]:
        """Yield what became of pods that are not known, and of those that are asked for."""
        state = self._state
        told = {state.pods.by_uid[uid] for uid in asked if uid in state.pods.by_uid} - self._absent
        told.update(info.row for info in islice(state.pods.infos, first, None) if info.uid not in known)
        causes = self._causes(sorted(told)) if reasons else {}
        for row in sorted(told):
            info = state.pods.infos[row]
            gone = row in state.gone.values
            yield TriedPod(
                pod_ref(state, row),
                self._workload(info.uid),
                "" if gone else state.node_of(row),
                gone,
                state.pod_changes.replaces.get(row, ""),
                causes.get(row),
            )

    def _causes(self, rows: list[int]) -> dict[int, Cause]:
        """Return why pods wait, by row; nothing where a session is open. Of pods alike one is asked about."""
        state = self._state
        alike: dict[bytes, list[int]] = {}
        for row in filter(self._waits, rows):
            alike.setdefault(_likeness(state.pods.infos[row]), []).append(row)
        first = {state.pods.infos[some[0]].uid: some for some in alike.values()}
        try:
            answered = list(self._simulation.whys(first))
        except LookupError:
            return {}
        return {row: one.cause for uid, one in answered for row in first[uid]}


def _likeness(info: PodInfo) -> bytes:
    metadata = info.pod.metadata
    alike = info.namespace, metadata.labels, metadata.owner_references, metadata.annotations
    return msgspec.json.encode([*alike, read_of(info.pod.spec)])


def _against_budgets(attempt: Attempt) -> set[str]:
    """Return the victims, by uid, whose loss violates a budget."""
    preemption, group = attempt.preemption, attempt.group
    if not isinstance(group, msgspec.UnsetType) and group.victims:
        return {victim.uid for victim in group.victims if victim.violates_budget}
    if preemption is None or not preemption.nominated:
        return set()
    chosen = (one for one in preemption.candidates if one.node == preemption.nominated)
    return {victim.uid for one in chosen for victim in one.victims if victim.violates_budget}
