"""Helm's hooks in a manifest: `helm template` prints those too that an install doesn't make.

Played is an install. What has a hook of it alone comes before or with the others; what has none of its hooks
is not made, nor is what names a hook that Helm doesn't know.

Source: helm v3.19 pkg/releaseutil/manifest_sorter.go (the hooks, and that unknown ones are skipped),
pkg/action/hooks.go execHook (one after the other, each until its Job or Pod is done), install.go.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from scheduler_core.objects.checks.cluster_checks import object_name

Object = dict[str, Any]

HOOK = "helm.sh/hook"
_BEFORE, _AFTER = "pre-install", "post-install"


class LeftOut(NamedTuple):
    """An object that an install doesn't make, as `Kind namespace/name`, and its hooks as they are written."""

    name: str
    hooks: str


class Stages(NamedTuple):
    """The objects of a manifest by when an install makes them.

    before: one after the other, before all others; each is done by then. objects: all others that are made.
    """

    before: list[Object]
    objects: list[Object]
    left_out: list[LeftOut]


def in_stages(documents: Iterable[Object]) -> Stages:
    """Return the objects of a manifest by when an install makes them."""
    stages = Stages([], [], [])
    for document in documents:
        written = _written(document)
        hooks = {hook.strip().lower() for hook in written.split(",")}
        if not written or (_AFTER in hooks and _are_known(hooks)):
            stages.objects.append(document)
        elif _BEFORE in hooks and _are_known(hooks):
            stages.before.append(document)
        else:
            stages.left_out.append(LeftOut(object_name(document), ", ".join(sorted(hooks))))
    return stages


_KNOWN = {
    f"{time}-{what}" for time in ("pre", "post") for what in ("install", "upgrade", "delete", "rollback")
} | {"test", "test-success"}  # fmt: skip


def _are_known(hooks: set[str]) -> bool:
    return hooks <= _KNOWN


def _written(document: Object) -> str:
    metadata = document.get("metadata")
    annotations = metadata.get("annotations") if isinstance(metadata, dict) else None
    value = annotations.get(HOOK) if isinstance(annotations, dict) else None
    return value.strip() if isinstance(value, str) else ""
