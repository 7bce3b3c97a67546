"""Answers kept by class of pods: a pod like one that was seen before is decided by what has changed since.

The plain path stays the measure: explanations are made by it, and each is held against what was kept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from scheduler_core.equivalence.cache import EquivalenceCache, classes_within
from scheduler_core.kube.attempt_result import AttemptResult
from scheduler_core.kube.equivalence.faults import NotKept, Outdated
from scheduler_core.kube.equivalence.invalidation import Touches
from scheduler_core.kube.equivalence.kept_answers import Answers
from scheduler_core.kube.equivalence.signature import signature_of
from scheduler_core.kube.profile import Profile
from scheduler_core.kube.tie_breaking import Lots
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.nodes import BoolArray
from scheduler_core.state.pods import PodInfo

_MOST_BYTES = 256 * 2**20
_BYTES_A_NODE, _BYTES_A_POD = 100, 16
_MOST_SEEN = 10_000
T = TypeVar("T")
_NEVER = -(2**62)
"""Stands for a class that nothing can be kept for."""


@dataclass(frozen=True)
class Keeping:
    """How answers are kept: from the how manieth pod of a class on (0: never).

    On so many nodes as `large` says keeping costs no more than asking: there it is from the first pod on.
    Each `check_every`-th answer that was kept is held against the plugins' own (0: none is).
    """

    since: int = 2
    large: int = 1000
    check_every: int = 0


class Kept:
    """The answers of one scheduler's plugins."""

    def __init__(self, state: ClusterState, keeping: Keeping) -> None:
        self._state = state
        self._keeping = keeping
        self._touches = Touches(state)
        self._answers: EquivalenceCache[bytes, Answers] = EquivalenceCache(keeping.check_every)
        self._seen: EquivalenceCache[bytes, int] = EquivalenceCache()
        """How many pods of a class came before answers to it were kept."""
        self._epoch = self._touches.epoch

    @property
    def given(self) -> int:
        """How many attempts kept answers decided."""
        return self._answers.given

    def attempt(self, profile: Profile, pod: PodInfo, lots: Lots, start: int) -> AttemptResult | None:
        """Decide about one pod as `attempt_pod` does; None where it is to be asked."""
        result = self._answer(profile, pod, lambda answers: answers.attempt(pod, lots, start))
        if result is not None:
            self._answers.count_given()
        return result

    @property
    def is_to_be_checked(self) -> bool:
        """Whether the last answer that was given is to be held against the plugins' own."""
        return self._answers.is_to_be_checked

    def fits(self, profile: Profile, pod: PodInfo) -> BoolArray | None:
        """Return on which nodes a pod fits, whatever extenders say; None where plugins are to be asked."""
        return self._answer(profile, pod, lambda answers: answers.fits(pod))

    def _answer(self, profile: Profile, pod: PodInfo, ask: Callable[[Answers], T | None]) -> T | None:
        """Ask what is kept of a pod's class; None where the plugins are to be asked."""
        if not len(self._state.nodes):
            return None
        signature = signature_of(pod)
        if signature is None:
            return None
        if self._epoch != self._touches.epoch:
            self._epoch = self._touches.epoch
            self._answers.clear()
            self._seen.clear()
        try:
            return self._answer_class(signature, profile, pod, ask)
        except (NotKept, Outdated):
            self._answers.drop(signature)
            self._seen.keep(signature, _NEVER, _MOST_SEEN)
            return None

    def _answer_class(
        self, signature: bytes, profile: Profile, pod: PodInfo, ask: Callable[[Answers], T | None]
    ) -> T | None:
        answers = self._answers.find(signature)
        if answers is not None:
            try:
                return ask(answers)
            except Outdated:
                self._answers.drop(signature)
        elif not self._is_worthwhile(signature):
            return None
        answers = Answers(profile, self._state, pod, self._touches)
        self._answers.keep(signature, answers, classes_within(_MOST_BYTES, self._bytes_of_a_class))
        return ask(answers)

    @property
    def _bytes_of_a_class(self) -> int:
        return _BYTES_A_NODE * len(self._state.nodes) + _BYTES_A_POD * len(self._state.pods)

    def _is_worthwhile(self, signature: bytes) -> bool:
        """Count a pod of a class that nothing is kept for, and return whether there were enough."""
        seen = self._seen.keep(signature, (self._seen.find(signature) or 0) + 1, _MOST_SEEN)
        since = self._keeping.since
        if since > 1 and len(self._state.nodes) >= self._keeping.large:
            since = 1
        return 0 < since <= seen
