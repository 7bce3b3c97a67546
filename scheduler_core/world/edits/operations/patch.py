"""The edit patch: a merge patch is applied to an object."""

from collections.abc import Iterator
from typing import Annotated, Any

from scheduler_core.world.edits.changes import change
from scheduler_core.world.edits.edited_cluster import EditedCluster
from scheduler_core.world.edits.merge_patch import merge_patch
from scheduler_core.world.edits.operations.base import (
    OBJECT,
    Edit,
    Field,
    KindName,
    Namespace,
    Words,
    listed,
    said,
)
from scheduler_core.world.edits.places import full_name
from scheduler_core.world.edits.results import EditResult

LONGEST = 40
"""Longer values are not repeated in the sentence."""


class Patch(Edit, kw_only=True, tag="patch", frozen=True):
    """Applies a merge patch (RFC 7386) to an object; its controllers follow."""

    moves_pods = True
    words = Words(
        "Change an object",
        "Change",
        "Change {object}",
        (*OBJECT, Field("patch", "Merge patch (YAML)", "yaml")),
        {"kind": "Node", "name": "", "patch": {"metadata": {"labels": {}}}},
    )

    kind: KindName
    name: str
    patch: Annotated[dict[str, Any], said("The fields that change; null takes one away.")]
    namespace: Namespace = None

    def because_of_time(self) -> Iterator[str]:
        yield from super().because_of_time()
        if self.kind.lower() == "node" and _evicts(self.patch):
            yield f"a NoExecute taint evicts pods from {self.name}"

    def apply(self, cluster: EditedCluster, result: EditResult) -> None:
        """Merge the patch into the object and let its controllers follow. Raises Refused."""
        kind = cluster.kind_named(self.kind)
        old = cluster.get(kind, self.namespace, self.name)
        new = merge_patch(old, self.patch)
        parts = list(_changed(old, new, self.patch))
        result.sentence = f"patch {full_name(old)}" + (f": {listed(parts)}" if parts else "")
        if new == old:
            result.note("changes nothing")
            return
        change(cluster, old, new, result, "patch")


def _changed(old: Any, new: Any, patch: dict[str, Any], place: str = "") -> Iterator[str]:
    """Yield the places that a patch changes, with both values of those that are short."""
    before, after = (one if isinstance(one, dict) else {} for one in (old, new))
    for key, given in patch.items():
        path = f"{place}.{key}" if place else key
        if before.get(key) == after.get(key):
            continue
        if isinstance(given, dict) and given and isinstance(before.get(key), dict):
            yield from _changed(before[key], after.get(key), given, path)
            continue
        values = [_short(one.get(key)) for one in (before, after)]
        yield path if None in values else f"{path} {values[0]} → {values[1]}"


def _short(value: Any) -> str | None:
    """Return a value as a sentence can have it; None for what is too long."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int | float | str) and 0 < len(str(value)) <= LONGEST else None


def _evicts(patch: dict[str, Any]) -> bool:
    """Return whether a node's patch brings a taint that evicts pods."""
    spec = patch.get("spec")
    taints = spec.get("taints") if isinstance(spec, dict) else None
    return isinstance(taints, list) and any(
        isinstance(taint, dict) and taint.get("effect") == "NoExecute" for taint in taints
    )
