"""A drain that is tried: whether all pods of some nodes find others, and what keeps those that don't."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from scheduler_core.events.decisions import Attempt, Decision
from scheduler_core.schedulers.cause import Cause
from scheduler_core.schedulers.without_nodes import without_nodes
from scheduler_core.world.consolidation.candidates import Candidate
from scheduler_core.world.consolidation.results import KeptNode
from scheduler_core.world.trials.playing import Stop, play
from scheduler_core.world.trials.warm_world import MOST_DECISIONS, WarmWorld

Object = dict[str, Any]


class TriedDrain:
    """A drain that is played until the first copy finds no node.

    goes: whether all pods found nodes without harm to others; None where somebody ended it before.
    """

    def __init__(self, world: WarmWorld, edits: Sequence[Object], stop: Stop) -> None:
        """Play these edits on a warm world, and take all back. Raises BadInput where an edit is refused."""
        state = world.simulation.cluster
        self._world = world
        self._drained = frozenset(name for edit in edits for name in edit.get("nodes", ()))
        self._failed: list[Attempt] = []
        self._cause: Cause | None = None
        with world.begun(edits, alone=True) as simulation:
            result = play(
                simulation, frozenset(state.pods.by_uid), frozenset(), MOST_DECISIONS,
                lambda: bool(self._failed) or stop(), self._watch, first=0, reasons=False,
            )  # fmt: skip
            copies = [pod for pod in result.pods if pod.replaces]
            homeless = [pod.pod.uid for pod in copies if not pod.node and not pod.gone]
            homeless[:0] = [one.pod.uid for one in self._failed]
            if homeless:
                with suppress(LookupError):  # a session is open
                    self._cause = without_nodes(simulation.why(homeless[0]), self._drained)
        self._result, self._copies = result, {pod.pod.uid: pod for pod in copies}
        self._homeless = homeless
        was_ended = result.ended_by == "stopped" and not self._failed and stop()
        self.goes = None if was_ended else self._went_well(frozenset(state.pods.by_uid))

    def _watch(self, decision: Decision) -> None:
        if isinstance(decision, Attempt) and decision.outcome != "scheduled":
            self._failed.append(decision)

    def _went_well(self, known: frozenset[str]) -> bool:
        """Return whether every evicted pod has a copy with a node, nobody else went, and no more wait."""
        result = self._result
        if self._failed or result.refusals or result.ended_by != "quiet":
            return False
        has_place = {one.replaces for one in self._copies.values() if one.node and not one.gone}
        return all(one.asked and one.pod.uid in has_place for one in result.evictions) and known.issuperset(
            result.pending
        )

    def obstacle(self, node: Candidate) -> KeptNode:
        """Return what kept a node: the first of the pods that found no place without harm."""
        where = node.name, node.zone, node.pool
        for one in self._result.evictions:
            if not one.asked and one.by in self._copies:
                gone = f"{one.pod.namespace}/{one.pod.name}"
                return KeptNode(*where, "evicts", *self._whose(one.by), evicts=gone)
        if self._homeless:
            return KeptNode(*where, "no_place", *self._whose(self._homeless[0]), cause=self._cause)
        copied = {one.replaces for one in self._copies.values()}
        for lost in self._result.evictions:
            if lost.pod.uid not in copied:
                return KeptNode(*where, "not_copied", f"{lost.pod.namespace}/{lost.pod.name}", lost.workload)
        return KeptNode(*where, "no_place")

    def _whose(self, copy: str) -> tuple[str, str]:
        """Return the pod, and its workload, of which this one is a copy; itself where it is none."""
        simulation = self._world.simulation
        original = copy
        while original in self._copies and self._copies[original].replaces:
            original = self._copies[original].replaces
        if not simulation.knows(original):
            new = next(one for one in self._result.pods if one.pod.uid == original)
            return f"{new.pod.namespace}/{new.pod.name}", new.workload
        info = simulation.cluster.pods.infos[simulation.cluster.pods.by_uid[original]]
        return info.key, simulation.workload_of(original)
