"""When a run begins: nothing that schedulers look at is newer in the snapshot."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from scheduler_core.objects.kinds import POD, kind_of
from scheduler_core.objects.timestamps import format_timestamp, parse_timestamp
from scheduler_core.schedulers.registry import own_kinds

Object = dict[str, Any]

RECORDED_EPOCH = parse_timestamp("2026-06-01T00:00:00Z", 0)
"""When runs of older snapshots begin."""
_SECOND = 10**9
_TO_THE_SECOND = len("2026-06-01T00:00:00Z")


def newest_start(pods: Iterable[Object]) -> int:
    """Return the newest start of a pod, in nanoseconds since 1970; 0 where none has started."""
    return _newest((pod.get("status") or {}).get("startTime") for pod in pods)


def past_creations(objects: Iterable[Object]) -> int:
    """Return a second past the newest creation of an object that a scheduler brings, as a pod group.

    In nanoseconds since 1970, 0 where none says one. Sessions take the older of two jobs first, and of two of
    the same second the first by name, so that what comes in a run has to be newer than all that is there.
    """
    kinds = own_kinds()
    own = (one for one in objects if kind_of(one) in kinds)
    newest = _newest((one.get("metadata") or {}).get("creationTimestamp") for one in own)
    return newest + _SECOND if newest else 0


def _newest(moments: Iterable[str | None]) -> int:
    newest, text = 0, ""
    for moment in moments:
        # Moments that are written to the second, in UTC, come in the order of their texts.
        if not moment or (len(moment) == len(text) and moment <= text):
            continue
        found = parse_timestamp(moment, 0)
        if found > newest:
            newest, text = found, moment if len(moment) == _TO_THE_SECOND else ""
    return newest


def epoch_of(newest: int) -> int:
    """Return the recorded epoch, or the newest moment of the snapshot if that is later."""
    return max(RECORDED_EPOCH, -(-newest // _SECOND) * _SECOND)


class Beginning:
    """When a run of a snapshot's objects begins, worked out where it is asked for."""

    def __init__(self, objects: Mapping[int, Object]) -> None:
        self._objects = objects

    def after(self, seconds: float) -> str:
        """Return the instant so many seconds after the beginning, as an API server writes it."""
        return format_timestamp(self._at + int(seconds) * _SECOND)

    @cached_property
    def _at(self) -> int:
        objects = self._objects.values()
        started = newest_start(one for one in objects if kind_of(one) == POD)
        return epoch_of(max(started, past_creations(objects)))
