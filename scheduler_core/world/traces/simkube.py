"""SimKube's traces: objects that came, changed and went in a cluster, as edits at their instants.

A trace has no nodes and no pods of workloads: it is played on a snapshot, whose controllers make the pods.

Source: acrlabs/simkube v2 docs/ref/trace-files.md, sk-core/src/trace (Trace, TraceEvent), sk-core/src/k8s
(PodLifecycleData): MessagePack with names; `ts` in seconds since 1970.
"""

from collections import Counter
from typing import Any

import msgspec

from scheduler_core.objects.identity import name_of, namespace_of
from scheduler_core.objects.kinds import CRON_JOB, JOB, POD, Kind, kind_of
from scheduler_core.objects.privacy.kept_by_kind import kept_kinds
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.world.traces.history import Replay

Object = dict[str, Any]
VERSION = 2
"""Of the format; SimKube itself reads no other one."""
_OBJECT = "trace"
_SHORTEST = 1
"""For who came and went within one second, which is as finely as a trace tells time."""


class _Event(msgspec.Struct):
    ts: int
    applied_objs: list[Object] = []
    deleted_objs: list[Object] = []


class _Head(msgspec.Struct):
    version: int = 0


Lifecycles = dict[tuple[str, str], dict[int, list[Any]]]


class _Trace(msgspec.Struct):
    events: list[_Event]
    pod_lifecycles: Lifecycles = {}


def read_simkube(data: bytes) -> Replay:
    """Return a trace as edits; it has no objects of a start.

    Raises BadInput for what is no trace of version 2, and for one of which nothing can be played.
    """
    version = _decoded(data, _Head).version
    if version != VERSION:
        raise BadInput([Problem(_OBJECT, "version", f"is {version}; version {VERSION} is read")])
    trace = _decoded(data, _Trace)
    if not trace.events:
        raise BadInput([Problem(_OBJECT, "events", "is empty")])
    played = _Reading(trace).replay()
    if not played.edits:
        why = " ".join(played.told) or "No event applies or deletes an object."
        raise BadInput([Problem(_OBJECT, "events", f"nothing of it can be played. {why}")])
    return played


def _decoded(data: bytes, kind: Any) -> Any:
    try:
        return msgspec.msgpack.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput([Problem(_OBJECT, "", f"is no trace of SimKube: {error}")]) from None


class _Reading:
    def __init__(self, trace: _Trace) -> None:
        self._trace = trace
        self._start = min(event.ts for event in trace.events)
        self._left: Counter[str] = Counter()
        self._ends: set[tuple[Kind, str, str]] = set()
        """Who ends by itself, so that nothing is left to be deleted."""

    def replay(self) -> Replay:
        edits = [
            edit
            for event in sorted(self._trace.events, key=lambda event: event.ts)
            for edit in (*self._applied(event), *self._deleted(event))
        ]
        lines = [f"Left out: {words} ({number:,})." for words, number in sorted(self._left.items())]
        return Replay([], edits, lines)

    def _applied(self, event: _Event) -> list[Object]:
        at = event.ts - self._start
        together: list[Object] = []
        alone: list[Object] = []
        for item in event.applied_objs:
            if not self._is_read(item):
                continue
            duration = self._duration(item)
            if duration is None:
                together.append(item)
            else:
                self._ends.add(_key(item))
                alone.append({"op": "add", "at": at, "manifest": item, "duration": duration})
        manifest = {"apiVersion": "v1", "kind": "List", "items": together}
        return [*([{"op": "add", "at": at, "manifest": manifest}] if together else []), *alone]

    def _deleted(self, event: _Event) -> list[Object]:
        return [
            {
                "op": "delete",
                "at": event.ts - self._start,
                "kind": str(kind_of(item)),
                "namespace": namespace_of(item),
                "name": name_of(item),
            }
            for item in event.deleted_objs
            if self._is_read(item) and _key(item) not in self._ends
        ]

    def _is_read(self, item: Object) -> bool:
        kind = kind_of(item)
        if kind == CRON_JOB:
            self._left["objects of the kind CronJob, whose times are not played"] += 1
        elif name_of(item) and kind in kept_kinds():
            return True
        else:
            self._left["objects of kinds that nothing reads"] += 1
        return False

    def _duration(self, item: Object) -> int | None:
        """Return how many seconds a pod, or each pod of a Job, ran; None where these ran on, or differ."""
        kind = kind_of(item)
        version = str(item.get("apiVersion"))
        key = f"{version}.{item.get('kind')}", f"{namespace_of(item)}/{name_of(item)}"
        seen = [one for found in self._trace.pod_lifecycles.get(key, {}).values() for one in found]
        if not seen:
            return None
        spans = {_span(one) for one in seen}
        if kind in (POD, JOB) and len(spans) == 1:
            (span,) = spans
            return span
        if spans != {None}:
            self._left["times after which pods of a workload ended, which differ"] += 1
        return None


def _key(item: Object) -> tuple[Kind, str, str]:
    return kind_of(item), namespace_of(item), name_of(item)


def _span(lifecycle: Any) -> int | None:
    """Return how long a pod ran that has finished: `{"Finished": [start, end]}`."""
    finished = lifecycle.get("Finished") if isinstance(lifecycle, dict) else None
    match finished:
        case [int(began), int(ended)]:
            return max(_SHORTEST, ended - began)
    return None
