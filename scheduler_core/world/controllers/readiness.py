"""How long after its start a pod is ready.

No run plays probes. A pod counts as ready after the longest initial delay of its startup and readiness
probes; without one, after a time that is the same for all.

Source: docs/semantics.md "Time".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scheduler_core.objects.identity import spec_of

_SECOND = 10**9
_PROBES = ("startupProbe", "readinessProbe")


def ready_after(pod: dict[str, Any], usual: int) -> int:
    """Return the time from a pod's start until it is ready, in nanoseconds; `usual` where it doesn't say."""
    longest = max(_delays(pod), default=0)
    return longest * _SECOND if longest > 0 else usual


def _delays(pod: dict[str, Any]) -> Iterator[int]:
    for container in spec_of(pod).get("containers") or ():
        for probe in _PROBES:
            delay = (container.get(probe) or {}).get("initialDelaySeconds")
            if isinstance(delay, int):
                yield delay
