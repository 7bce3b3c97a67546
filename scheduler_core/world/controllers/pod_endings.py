"""How a pod's run ends: after how long, and whether it fails.

A pod says so itself, by annotations; a task of a Volcano Job says it in its template. Without them a pod runs
as long as the edit that added it says, or for ever.

Source: docs/semantics.md "Time".
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from scheduler_core.world.run_input import LATEST, SHORTEST_SECONDS

DURATION = "sandtable/duration"
"""Seconds that the pod runs."""
FAILS_IN_RUNS = "sandtable/fails-in-runs"
"""Which runs of a pod of this name fail, counted from 1 on: `1`, `1,3`, or `all`."""
EXIT_CODE = "sandtable/exit-code"
"""The exit code of a run that fails, 1 if nothing is said."""
_MILLISECOND, _SECOND = 10**6, 1000
_LARGEST_CODE = 255


class Ending(NamedTuple):
    """After how many nanoseconds a run ends (None: it doesn't), and with which exit code."""

    after: int | None
    exit_code: int


def ending_of(annotations: Mapping[str, str], run: int) -> Ending:
    """Return how the n-th run of a pod ends; what isn't understood counts as if it weren't there."""
    after = _duration(annotations.get(DURATION))
    failing = annotations.get(FAILS_IN_RUNS, "")
    fails = failing.strip() == "all" or str(run) in (part.strip() for part in failing.split(","))
    return Ending(after, _code(annotations.get(EXIT_CODE)) if fails else 0)


def _duration(text: str | None) -> int | None:
    try:
        seconds = float(text or "")
    except ValueError:
        return None
    if not (math.isfinite(seconds) and SHORTEST_SECONDS <= seconds <= LATEST):
        return None
    return int(seconds * _SECOND + 0.5) * _MILLISECOND


def _code(text: str | None) -> int:
    code = int(text) if text and text.isascii() and text.isdigit() else 1
    return code if 1 <= code <= _LARGEST_CODE else 1
