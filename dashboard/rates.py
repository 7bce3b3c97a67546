"""How often somebody may do something: buckets that fill with time, in each web process."""

import threading
import time
from collections.abc import Hashable

_MOST = 10_000
"""So many are remembered; then all start anew."""


class Buckets:
    """One bucket for each of those who ask."""

    def __init__(self) -> None:
        self._left: dict[Hashable, tuple[float, float]] = {}
        self._lock = threading.Lock()

    def take(self, who: Hashable, per_second: float, at_once: float) -> bool:
        """Take one from the bucket, which holds `at_once` and fills by `per_second`; False if it is empty."""
        now = time.monotonic()
        with self._lock:
            if len(self._left) >= _MOST:
                self._left.clear()
            left, then = self._left.get(who, (at_once, now))
            left = min(at_once, left + (now - then) * per_second)
            self._left[who] = (left - 1 if left >= 1 else left), now
        return left >= 1

    def forget_all(self) -> None:
        """Let everybody start anew."""
        self._left.clear()
