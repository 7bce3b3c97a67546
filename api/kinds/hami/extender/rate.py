"""How often somebody may ask a scenario's extender: so many questions a second, in each web process."""

import threading
import time

from django.conf import settings
from rest_framework.exceptions import Throttled

_MOST = 10_000
"""So many askers are remembered; then all start anew."""
_WAIT_SECONDS = 1

_buckets: dict[tuple[int, int], tuple[float, float]] = {}
_lock = threading.Lock()


def count_question(user: int, scenario: int) -> None:
    """Count a question: EXTENDER_RATE a second by user and scenario, a second's worth at once; 0 is no limit.

    Raises Throttled.
    """
    rate: int = settings.EXTENDER_RATE
    if not rate:
        return
    key, now = (user, scenario), time.monotonic()
    with _lock:
        if len(_buckets) >= _MOST:
            _buckets.clear()
        left, then = _buckets.get(key, (float(rate), now))
        left = min(float(rate), left + (now - then) * rate)
        _buckets[key] = (left - 1 if left >= 1 else left), now
    if left < 1:
        words = (
            f"Scenario {scenario} takes {rate:,} questions a second of one person: SANDTABLE_EXTENDER_RATE."
        )
        raise Throttled(_WAIT_SECONDS, words)


def forget_all() -> None:
    """Let everybody start anew."""
    _buckets.clear()
