"""The pace of a run that is watched: at most so many decisions a second, changeable on the way."""

import time
from collections.abc import Callable

MADE_UP_SECONDS = 30.0


class Pace:
    """Says when the next decision is due; a rate of None is as fast as possible.

    Turns that were missed because others had the worker are made up for (`late`: for how many seconds, of
    which the last 30 count). Those missed otherwise (a slow decision, a pause) are not.
    """

    def __init__(
        self, rate: float | None, late: float = 0.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.rate = rate
        self._clock = clock
        self._due = clock()
        self._owed = int(min(late, MADE_UP_SECONDS) * rate) if rate else 0

    def set_rate(self, rate: float | None) -> None:
        """Change the rate; a turn that a slower rate has put far off comes as soon as the new rate says."""
        if rate == self.rate:
            return
        self.rate = rate
        self._owed = 0
        if rate:
            self._due = min(self._due, self._clock() + 1 / rate)

    def seconds_to_wait(self) -> float:
        """Return the seconds until the next decision is due; 0 if it is."""
        return max(0.0, self._due - self._clock()) if self.rate else 0.0

    def take_turn(self) -> None:
        """Note that a decision is being taken now."""
        if self._owed:
            self._owed -= 1
        elif self.rate:
            self._due = max(self._due + 1 / self.rate, self._clock())
