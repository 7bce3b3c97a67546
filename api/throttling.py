"""How often somebody may ask a scenario's extender: so many questions a second, in each web process."""

import threading
import time
from typing import Any

from django.conf import settings
from rest_framework.throttling import BaseThrottle

_MOST = 10_000
"""So many askers are remembered; then all start anew."""

_buckets: dict[tuple[int, int], tuple[float, float]] = {}
_lock = threading.Lock()


class ExtenderRate(BaseThrottle):
    """EXTENDER_RATE questions a second by user and scenario, a second's worth at once; 0 is no limit."""

    def allow_request(self, request: Any, view: Any) -> bool:
        rate: int = settings.EXTENDER_RATE
        if not rate or not request.user.is_authenticated:
            return True
        key, now = (request.user.pk, view.kwargs["pk"]), time.monotonic()
        with _lock:
            if len(_buckets) >= _MOST:
                _buckets.clear()
            left, then = _buckets.get(key, (float(rate), now))
            left = min(float(rate), left + (now - then) * rate)
            _buckets[key] = (left - 1 if left >= 1 else left), now
        return left >= 1

    def wait(self) -> float:
        """Return after how many seconds to try again."""
        return 1.0


def forget_all() -> None:
    """Let everybody start anew."""
    _buckets.clear()
