"""Edits that happen in the run: what each of them changes, as entries of the timeline.

An edit is applied to the cluster as the snapshot and the earlier edits leave it; what it changes there
happens at its instant, at the start if it names none. Whom a drain or an eviction meets is only known then.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scheduler_core.kube.queueing.watched import WATCHED
from scheduler_core.objects.identity import controller_of, is_active, name_of, namespace_of, uid_of
from scheduler_core.objects.imports.pods_with_devices import DEVICE_KINDS
from scheduler_core.objects.kinds import (
    NODE,
    POD,
    WORKLOAD_KINDS,
    kind_named,
    kind_of,
)
from scheduler_core.objects.types import convert
from scheduler_core.schedulers.object_admission import Refused
from scheduler_core.schedulers.registry import own_kinds
from scheduler_core.state.surroundings import KINDS as SURROUNDINGS
from scheduler_core.world.edits.edited_cluster import Difference, EditedCluster
from scheduler_core.world.edits.operations.base import Edit
from scheduler_core.world.edits.operations.delete import Delete
from scheduler_core.world.edits.operations.drain import Drain
from scheduler_core.world.edits.operations.evict import Evict
from scheduler_core.world.edits.operations.kubelets import StartKubelet, StopKubelet
from scheduler_core.world.edits.places import full_name, is_namespaced
from scheduler_core.world.edits.results import EditResult
from scheduler_core.world.timeline_entry import ONLY_KNOWN, Entry

Object = dict[str, Any]
_MILLISECOND = 10**6


def entries_of(
    edit: Edit, result: EditResult, differences: Sequence[Difference], cluster: EditedCluster
) -> list[Entry]:
    """Return what the edit lets happen that has made these differences in the cluster. Raises Refused."""
    at = nanoseconds(edit.at or 0.0)
    if isinstance(edit, Evict):
        return [Entry(at, "evict", POD, pod, edit=result.index) for pod in edit.names]
    if isinstance(edit, StopKubelet | StartKubelet):
        return kubelet_entries(edit, result)
    changes = [_change(difference) for difference in differences]
    removed = [document for verb, document in changes if verb == "delete" and kind_of(document) == POD]
    if removed and isinstance(edit, Delete) and kind_named(edit.kind) == POD:
        return [_removal(at, pod, result.index) for pod in removed]
    shrinking = _shrinking(differences, cluster)
    entries = [_shrink(at, one, differences, cluster, result.index) for one in shrinking.values()]
    entries += [
        _entry(at, change, result.index)
        for change in changes
        if not (change[0] == "delete" and _owner(change[1]) in shrinking)
    ]
    if isinstance(edit, Drain):
        entries.append(drain_entry(edit, result))
    return entries


def drain_entry(edit: Drain, result: EditResult) -> Entry:
    """Return when a drain begins with its first node: at the run's start if the edit has no instant."""
    at = nanoseconds(edit.at or 0.0)
    first, *others = result.nodes
    until = at + nanoseconds(edit.patience)
    return Entry(
        at, "drain", NODE, first, edit=result.index, until=until, then=tuple(others), rolls=_rolls(edit)
    )


def _rolls(edit: Drain) -> tuple[int, int | None] | None:
    if not edit.is_rolling:
        return None
    return edit.together or 1, None if edit.back is None else nanoseconds(edit.back)


def kubelet_entries(edit: StopKubelet | StartKubelet, result: EditResult) -> list[Entry]:
    """Return when kubelets stop or start: at the run's start if the edit has no instant."""
    at = nanoseconds(edit.at or 0.0)
    if isinstance(edit, StopKubelet):
        until = at + nanoseconds(edit.grace)
        return [Entry(at, "stop", NODE, node, edit=result.index, until=until) for node in result.nodes]
    return [Entry(at, "start", NODE, node, edit=result.index) for node in result.nodes]


def _removal(at: int, pod: Object, edit: int) -> Entry:
    """A pod goes by itself: when its controller makes the copy is known only then."""
    return Entry(at, "remove", POD, f"{namespace_of(pod)}/{name_of(pod)}", document=pod, edit=edit)


def _owner(document: Object) -> str:
    return str((controller_of(document) or {}).get("uid") or "") if kind_of(document) == POD else ""


def _shrinking(differences: Sequence[Difference], cluster: EditedCluster) -> dict[str, Object]:
    """Return the controllers that lose pods, by uid. Which ones go is decided by where they are then."""
    losing = {_owner(before) for before, after in differences if before is not None and after is None}
    if not any(losing):
        return {}
    known = {uid_of(document): document for document in _owners_before(differences, cluster)}
    return {uid: known[uid] for uid in sorted(losing) if uid and uid in known}


def _owners_before(differences: Sequence[Difference], cluster: EditedCluster) -> list[Object]:
    """Return the controllers as they were before the edit."""
    changed = {id(after) for _, after in differences}
    stayed = [
        document
        for kind in WORKLOAD_KINDS
        for document in cluster.of_kind(kind)
        if id(document) not in changed
    ]
    return [*stayed, *(before for before, _ in differences if before and kind_of(before) in WORKLOAD_KINDS)]


def _shrink(
    at: int, controller: Object, differences: Sequence[Difference], cluster: EditedCluster, edit: int
) -> Entry:
    uid = uid_of(controller)
    new = {id(after) for before, after in differences if before is None}
    keep = sum(
        1
        for document in cluster.of_kind(POD)
        if _owner(document) == uid and is_active(document) and id(document) not in new
    )
    top = (controller_of(controller) or {}).get("uid")
    siblings = (
        uid_of(document)
        for document in _owners_before(differences, cluster)
        if top
        and kind_of(document) == kind_of(controller)
        and (controller_of(document) or {}).get("uid") == top
    )
    key = f"{namespace_of(controller)}/{name_of(controller)}"
    related = tuple(dict.fromkeys([uid, *siblings]))
    return Entry(at, "shrink", kind_of(controller), key, None, controller, edit, keep, related)


def nanoseconds(seconds: float) -> int:
    """Return seconds as nanoseconds, to the millisecond."""
    return int(seconds * 1000 + 0.5) * _MILLISECOND


def _change(difference: Difference) -> tuple[str, Object]:
    before, after = difference
    if after is None:
        assert before is not None
        return "delete", before
    return ("put" if before is None else "update"), after


def _entry(at: int, change: tuple[str, Object], edit: int) -> Entry:
    verb, document = change
    kind = kind_of(document)
    key = f"{namespace_of(document)}/{name_of(document)}" if is_namespaced(document) else name_of(document)
    if kind in SURROUNDINGS or kind in own_kinds() or kind in {*ONLY_KNOWN, *DEVICE_KINDS}:
        return Entry(at, verb, kind, key, None, document, edit)  # type: ignore[arg-type]
    if kind not in WATCHED:
        raise Refused("at", f"{full_name(document)} can't come, change or go at an instant yet")
    item = None if verb == "delete" else convert(document, WATCHED[kind])
    return Entry(at, verb, kind, key, item, document, edit)  # type: ignore[arg-type]
