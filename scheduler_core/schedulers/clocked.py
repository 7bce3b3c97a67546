"""A scheduler where a clock moves: at work attempt by attempt, or in sessions. Instants are nanoseconds.

Both hold for all instants since the run's start.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

from scheduler_core.events.changes import Change
from scheduler_core.events.decisions import Decision
from scheduler_core.objects.types import KubernetesObject
from scheduler_core.schedulers.actor import Stamp
from scheduler_core.schedulers.decision_explanation import Noted, Watch
from scheduler_core.schedulers.unclocked import Described


class ClockedScheduler(Described):
    """What both have in common."""


class AttemptingScheduler(ClockedScheduler):
    """A scheduler with a queue, of which each attempt begins, takes its time and ends.

    A report says what something did to the queue (kube/queueing/report.py); `shown` is what the log shows.
    Several attempts may make one cycle: they begin at one instant, and end at one. `is_opening`: more of them
    are to begin. `is_closing`: more are to end.
    """

    queue: Any
    shown: Any
    is_opening: bool = False
    is_closing: bool = False

    @property
    @abstractmethod
    def tries(self) -> int:
        """How many attempts are under way, which take their time one after the other."""

    def opens(self, looked: Any) -> bool:
        """Return whether a cycle begins with this attempt that can't be written down in its middle."""
        return False

    @abstractmethod
    def has_next(self) -> bool:
        """Return whether a pod is to be tried."""

    @abstractmethod
    def look(self) -> Any | None:
        """Decide about the next pod and change nothing; None if there is nobody to try."""

    @abstractmethod
    def in_full(self, looked: Any) -> Any:
        """Return what was looked at with all that was found out, where a part of it came of kept answers."""

    @abstractmethod
    def noted(self, look: Any) -> Noted:
        """Return what there is to explain an attempt by, before it is carried out."""

    @abstractmethod
    def begin(self, looked: Any, now: int) -> tuple[Any, Any]:
        """Begin the attempt; return it and a report."""

    @abstractmethod
    def end(self, cluster: Any, now: int) -> tuple[Any, Any, list[Any]]:
        """Carry out what the attempt under way decided; return it, a report, and questions to extenders."""

    @abstractmethod
    def tell(self, look: Any, stamp: Stamp, changes: list[Change]) -> Decision:
        """Return the attempt that has begun, for the log."""

    @abstractmethod
    def next_flush(self) -> int | None:
        """Return the first whole second at which a flush can move a pod, None if none waits for one."""

    @abstractmethod
    def flush(self, second: int, now: int) -> Any:
        """Let those move that have waited for long enough; return a report."""

    @abstractmethod
    def hear(self, old: KubernetesObject | None, new: KubernetesObject | None, now: int) -> Any:
        """Hear that an object came (`old` is None), changed or went (`new` is None); return a report."""


class SessionScheduler(ClockedScheduler):
    """A scheduler that works in sessions. A session takes no time: from opening to close nobody else acts."""

    @property
    @abstractmethod
    def next_at(self) -> int | None:
        """When the next session opens that has to be held, None if time alone changes nothing."""

    @property
    @abstractmethod
    def is_settled(self) -> bool:
        """Whether no session does anything until something else changes."""

    @abstractmethod
    def opens(self, now: int) -> bool:
        """Return whether a session opens now that is to be told; one that does nothing is only counted."""

    @abstractmethod
    def step(self) -> Any:
        """Open a session or take its next step, and return what it did to others' queues."""

    @abstractmethod
    def tell_step(self, stamp: Stamp, changes: list[Change]) -> Decision:
        """Return the step that was taken, for the log."""

    @abstractmethod
    def explained_step(self, act: Callable[[], Decision], watch: Watch) -> Decision:
        """Let `act` take the next step, and return it; `watch` sees what there is to explain it by."""

    @abstractmethod
    def noted_opening(self) -> Noted:
        """Return what there is to explain a session's opening by."""

    @abstractmethod
    def take_untold(self) -> tuple[int, int] | None:
        """Return the first and the last session that were held and not told, None if all were."""

    @abstractmethod
    def heed(self, now: int, *, passed: bool = False) -> None:
        """Hear that something else has changed; `passed` says that a session of this very instant is over."""

    @abstractmethod
    def count_until(self, now: int, *, passed: bool) -> None:
        """Count the sessions before `now` that needed no holding, and that of `now` if it has `passed`."""

    def pod_ended(self, pod: int, *, failed: bool) -> None:
        """Hear that a pod, given by row, has run out."""
