"""Moves between the parts of the queue as they are recorded."""

import math
from collections.abc import Mapping
from typing import Any

from scheduler_core.kube.queueing.report import Move

_MILLISECOND = 10**6


def recorded_move(move: Move, now: int) -> dict[str, Any]:
    """Return a move at an instant in nanoseconds."""
    recorded: dict[str, Any] = {
        "at": in_seconds(now),
        "pod": move.key,
        "from": move.source,
        "to": move.target,
        "event": move.event,
    }
    if move.hints:
        recorded["hints"] = dict(move.hints)
    if move.during:
        recorded["during"] = [with_hints({"event": wake.event}, wake.hints) for wake in move.during]
    return recorded


def with_hints(recorded: dict[str, Any], hints: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was recorded with the hints' answers, if there were any."""
    return recorded | {"hints": dict(hints)} if hints else recorded


def in_seconds(instant: int) -> float:
    """Return an instant in seconds, to the millisecond."""
    return math.floor(instant / _MILLISECOND + 0.5) / 1000
