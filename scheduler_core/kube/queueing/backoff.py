"""How long a pod that failed has to wait. All instants are nanoseconds from a whole second on.

Source: kubernetes v1.36 pkg/scheduler/backend/queue/backoff_queue.go; gate SchedulerPopFromBackoffQ.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scheduler_core.kube.queueing.behaviour import DEFAULT_QUEUEING, Queueing

SECOND = 10**9


@dataclass(frozen=True)
class Backoff:
    """1 s after the first failure, doubled by each further one up to 10 s, unless configured otherwise.

    `pops_early` is the gate SchedulerPopFromBackoffQ: who backs off may be popped before the end. Then
    instants are cut to whole seconds, so that those who expire in the same second are tried by priority.
    `counts_attempts`: the wait grows with every attempt, and not with rejections and errors apart.
    `ends_at_expiry`: at its very end the wait is over, and not only after it.
    """

    initial: int = SECOND
    longest: int = 10 * SECOND
    pops_early: bool = True
    counts_attempts: bool = False
    ends_at_expiry: bool = False

    def expiry(self, since: int, rejections: int, errors: int, attempts: int = 0) -> int | None:
        """Return when the wait of a pod that was put back at `since` is over; None: it does not wait.

        Errors count alone as long as there are some in a row, unless all attempts count.
        """
        failures = attempts if self.counts_attempts else errors or rejections
        if failures == 0 or self.longest == 0:
            return None
        return self._window(since + self._duration(failures))

    def is_over(self, expires: int | None, now: int) -> bool:
        """Return whether the wait is over."""
        if expires is None:
            return True
        window = self._window(now)
        return expires < window or (self.ends_at_expiry and expires == window)

    def over_at(self, expires: int) -> int:
        """Return the first whole second at which the wait is over, in nanoseconds."""
        second = expires // SECOND * SECOND
        return second if self.ends_at_expiry and second == expires else second + SECOND

    def _duration(self, failures: int) -> int:
        doublings = failures - 1
        if self.initial > self.longest >> doublings:
            return self.longest
        return self.initial << doublings

    def _window(self, instant: int) -> int:
        return instant - instant % SECOND if self.pops_early else instant


def backoff_of(
    config: Mapping[str, Any] | None,
    queueing: Queueing = DEFAULT_QUEUEING,
    *,
    pops_early: bool | None = None,
) -> Backoff:
    """Return what a KubeSchedulerConfiguration that has been checked says about the wait.

    `pops_early` is the gate where it is not as the release has it.
    """
    config, default = config or {}, Backoff()
    initial, longest = config.get("podInitialBackoffSeconds"), config.get("podMaxBackoffSeconds")
    return Backoff(
        default.initial if initial is None else initial * SECOND,
        default.longest if longest is None else longest * SECOND,
        queueing.pops_early if pops_early is None else queueing.pops_early and pops_early,
        queueing.counts_attempts,
        queueing.ends_at_expiry,
    )
