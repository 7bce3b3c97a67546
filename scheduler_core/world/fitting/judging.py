"""Holds a change against a trial: do all pods fit then, and what becomes of everybody else?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import chain
from typing import NamedTuple

import msgspec

from scheduler_core.objects.problems import BadInput
from scheduler_core.schedulers.registry import kinds
from scheduler_core.world.fitting.results import Edit, Start
from scheduler_core.world.fitting.starting import starting
from scheduler_core.world.fitting.wanted import Wanted
from scheduler_core.world.setting_up.companions import build_all
from scheduler_core.world.trials.trial_result import TrialResult, TriedEviction, TriedPod, by_workload

MANY_WAIT = 100
"""Where more other pods wait, they are left out of the trials unless somebody asks for them."""
Stop = Callable[[], bool]


class Ended(Exception):
    """No more trials are to be made: somebody has ended it, or there were as many as may be."""

    def __init__(self, by: str) -> None:
        super().__init__(by)
        self.by = by


class Verdict(NamedTuple):
    """What a trial says of the pods: `placed` of `pods`; `fits` if that is all that is needed.

    evicted, violated, lost: as in `Proposal`. refused: why an edit can't be made; then nothing else is known.
    """

    fits: bool
    placed: int
    pods: int
    evicted: dict[str, int]
    violated: dict[str, int]
    lost: dict[str, int]
    refused: str = ""

    @property
    def is_harmless(self) -> bool:
        """Whether all fit, and nobody else is evicted or stays without a node for it."""
        return self.fits and not self.evicted and not self.lost


class Judge:
    """Tries edits, each list of them once, until somebody wants it to stop or there were `most` trials."""

    def __init__(self, wanted: Wanted, stop: Stop, most: int, *, others: bool | None = None) -> None:
        self.wanted = wanted
        self.trials = 0
        self._stop, self._most = stop, most
        self._known: dict[bytes, Verdict] = {}
        world = wanted.world
        in_sessions = any(kinds()[one.kind.name].in_sessions for one in build_all(world.run_input).values())
        waiting = len(world.simulation.ground.pending) - len(wanted.pods)
        is_alone = waiting > MANY_WAIT if others is None else not others
        self.left_out = waiting if is_alone and not in_sessions else 0
        """How many other pods that wait are left out of the trials; sessions look at all."""

    @cached_property
    def begun(self) -> TrialResult:
        """What becomes of the pods, and of all others, without any change. Raises Ended."""
        return self._tried([], reasons=True)

    def judged(self, edits: Sequence[Edit], needed: int, *, least: int | None = None) -> Verdict:
        """Return the verdict on these edits, after which there are to be so many pods. Raises Ended.

        `least`: so many of them are enough.
        """
        key = msgspec.json.encode([list(edits), needed, least])
        if key not in self._known:
            try:
                result = self._tried(edits)
            except BadInput as error:
                refused = "; ".join(str(problem.message) for problem in error.problems[:1])
                self._known[key] = Verdict(False, 0, needed, {}, {}, {}, refused)
            else:
                self._known[key] = self._verdict(result, needed, least)
        return self._known[key]

    def by_the_clock(self, edits: Sequence[Edit], enough: int) -> Start:
        """Return when so many of the pods have a node with these edits. Raises Ended."""
        self._begin()
        started = starting(self.wanted, edits, enough, self._stop, alone=bool(self.left_out))
        if started.ended_by == "untried":
            raise Ended("stopped")
        return started

    def _begin(self) -> None:
        if self._stop():
            raise Ended("stopped")
        if self.trials >= self._most:
            raise Ended("most")
        self.trials += 1

    def _tried(self, edits: Sequence[Edit], *, reasons: bool = False) -> TrialResult:
        self._begin()
        wanted = self.wanted
        result = wanted.world.trial(
            edits,
            pods=wanted.uids,
            stop=self._stop,
            reasons=reasons,
            alone=bool(self.left_out),
            also=frozenset(wanted.uids),
        )
        if result.ended_by == "stopped" and self._stop():
            raise Ended("stopped")
        return result

    def _verdict(self, result: TrialResult, needed: int, least: int | None) -> Verdict:
        mine = [pod for pod in result.pods if self.wanted.counts(pod) and not pod.gone]
        placed = sum(bool(pod.node) for pod in mine)
        enough = needed if least is None else least
        has_ended = result.ended_by != "stopped" and not self.is_unsettled(result)
        fits = has_ended and len(mine) >= needed and placed >= min(len(mine), enough) and not result.refusals
        if least is None:
            fits = fits and placed == len(mine)
        before = self.begun
        known = {one.pod.uid for one in before.evictions}
        own = {pod.pod.uid for pod in mine}
        new = [one for one in result.evictions if one.by in own or one.pod.uid not in known]
        of_others = [one for one in new if not self._is_own(one)]
        return Verdict(
            fits,
            placed,
            len(mine),
            by_workload(of_others),
            by_workload(one for one in of_others if one.violates),
            self._lost(result, before),
        )

    def is_unsettled(self, result: TrialResult) -> bool:
        """Return whether a trial came to its limit while the pods were placed and evicted by turns."""
        evicted = (one for one in result.evictions if not one.asked)
        return result.ended_by == "limit" and any(map(self._is_own, evicted))

    def _is_own(self, eviction: TriedEviction) -> bool:
        wanted = self.wanted
        return bool(wanted.workload) and eviction.workload == wanted.workload

    def _lost(self, result: TrialResult, before: TrialResult) -> dict[str, int]:
        """Return how many pods of others have no node and have one now, or without the change."""
        now, without = self._waiting_now, self._without_node(before)
        found = self._without_node(result)
        lost = {key: number - min(now[key], without[key]) for key, number in sorted(found.items())}
        return {key: number for key, number in lost.items() if number > 0}

    @cached_property
    def _waiting_now(self) -> Counter[str]:
        simulation, known = self.wanted.world.simulation, frozenset(self.wanted.uids)
        infos = simulation.cluster.pods.infos
        uids = (infos[row].uid for row in simulation.ground.pending)
        return Counter(simulation.owner_of(uid) for uid in uids if uid not in known)

    def _without_node(self, result: TrialResult) -> Counter[str]:
        gone = (one.workload for one in _never_back(result) if not self._is_own(one))
        return Counter(chain(self._waiting(result), gone))

    def _waiting(self, result: TrialResult) -> Iterable[str]:
        told = {pod.pod.uid: pod for pod in result.pods}
        simulation = self.wanted.world.simulation
        for uid in result.pending:
            pod = told.get(uid)
            if pod is None:
                yield simulation.owner_of(uid)
            elif not self.wanted.counts(pod):
                yield pod.workload or (simulation.owner_of(uid) if simulation.knows(uid) else "")


def _never_back(result: TrialResult) -> list[TriedEviction]:
    """Return the evictions of pods in whose place none came: nobody makes them anew."""
    replaced = {pod.replaces for pod in result.pods if pod.replaces}
    waiting = set(result.pending)
    return [one for one in result.evictions if one.pod.uid not in replaced | waiting]


def waiting_of(result: TrialResult, wanted: Wanted) -> list[TriedPod]:
    """Return those of the wanted pods that wait at the end of a trial."""
    return [pod for pod in result.pods if wanted.counts(pod) and not pod.gone and not pod.node]
