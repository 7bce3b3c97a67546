"""Edits that happen at an instant: what each of them changes, as entries of the timeline.

An edit is applied to the cluster as the snapshot and the earlier edits leave it; what it changes there
happens at its instant. Whom a drain or an eviction meets is only known then.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from scheduler_core.kube.queueing.watched import WATCHED
from scheduler_core.objects.identity import name_of, namespace_of
from scheduler_core.objects.kinds import NODE, POD, WORKLOAD_KINDS, kind_of
from scheduler_core.objects.types import convert
from scheduler_core.world.edits.cluster import EditedCluster, full_name, is_namespaced
from scheduler_core.world.edits.results import EditResult, Refused
from scheduler_core.world.edits.shapes import Add, AnyEdit, Drain, Evict, Scale
from scheduler_core.world.run_input import LATEST, SHORTEST_SECONDS
from scheduler_core.world.timeline import Entry

Object = dict[str, Any]
_MILLISECOND = 10**6


def check_times(edit: AnyEdit) -> None:
    """Refuse instants and durations that are none."""
    if edit.at is not None and not (math.isfinite(edit.at) and 0 <= edit.at <= LATEST):
        raise Refused("at", f"must be seconds from 0 to {LATEST:,} after the run's start")
    duration = edit.duration if isinstance(edit, Add) else None
    if duration is not None and not (math.isfinite(duration) and SHORTEST_SECONDS <= duration <= LATEST):
        raise Refused("duration", f"must be seconds from {SHORTEST_SECONDS} to {LATEST:,}")


def refuse_untimely(edit: AnyEdit, cluster: EditedCluster) -> None:
    """Refuse what can't be foreseen at an instant."""
    if isinstance(edit, Scale) and edit.at is not None:
        workload = cluster.get(cluster.kind_named(edit.kind), edit.namespace, edit.name)
        if edit.replicas < len(cluster.pods_of(workload)):
            raise Refused(
                "at", "scaling down at an instant: which pods would go is decided by where they are then"
            )


def entries_of(
    edit: AnyEdit, result: EditResult, before: Mapping[int, Object], after: Mapping[int, Object]
) -> list[Entry]:
    """Return what the edit lets happen; `before` and `after` are the objects by place. Raises Refused."""
    assert edit.at is not None
    at = nanoseconds(edit.at)
    if isinstance(edit, Evict):
        return [Entry(at, "evict", POD, edit.pod, edit=result.index)]
    entries = [_entry(at, change, result.index) for change in _changes(before, after)]
    if isinstance(edit, Drain):
        entries.append(Entry(at, "drain", NODE, edit.node, edit=result.index))
    return entries


def nanoseconds(seconds: float) -> int:
    """Return seconds as nanoseconds, to the millisecond."""
    return int(seconds * 1000 + 0.5) * _MILLISECOND


def _changes(before: Mapping[int, Object], after: Mapping[int, Object]) -> Iterable[tuple[str, Object]]:
    for place, document in before.items():
        if place not in after:
            yield "delete", document
        elif after[place] is not document:
            yield "update", after[place]
    for place, document in after.items():
        if place not in before:
            yield "put", document


def _entry(at: int, change: tuple[str, Object], edit: int) -> Entry:
    verb, document = change
    kind = kind_of(document)
    key = f"{namespace_of(document)}/{name_of(document)}" if is_namespaced(document) else name_of(document)
    if kind in WORKLOAD_KINDS:  # no scheduler listens to them, so they may be known before they come
        return Entry(at, "know", kind, key, document=document, edit=edit)
    if kind not in WATCHED:
        raise Refused("at", f"{full_name(document)} can't come, change or go at an instant yet")
    item = None if verb == "delete" else convert(document, WATCHED[kind])
    return Entry(at, verb, kind, key, item, document, edit)  # type: ignore[arg-type]
