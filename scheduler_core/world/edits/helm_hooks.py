"""Helm's hooks in a manifest: `helm template` prints those too that an install doesn't make.

Played is an install. What it makes first stays, but for Jobs and Pods, which are done before the others
come, and for what is deleted once it has succeeded. What has none of its hooks is not made, nor is what names
a hook that Helm doesn't know.

Source: helm v3.19 pkg/releaseutil/manifest_sorter.go (the hooks, and that unknown ones are skipped),
pkg/action/hooks.go execHook (one after the other, and what is deleted), pkg/kube/client.go watchUntilReady
(only Jobs and Pods are waited for), install.go.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from scheduler_core.objects.checks.cluster_checks import object_name
from scheduler_core.world.edits.manifests import makes_pods

Object = dict[str, Any]

HOOK = "helm.sh/hook"
_DELETED = "helm.sh/hook-delete-policy"
_BEFORE, _AFTER = "pre-install", "post-install"
_WAITED_FOR = ("Job", "Pod")


class LeftOut(NamedTuple):
    """An object that an install doesn't make, as `Kind namespace/name`, and its hooks as they are written."""

    name: str
    hooks: str


class Stages(NamedTuple):
    """The objects of a manifest by when an install makes them.

    before: one after the other, before all others; what makes pods is done or deleted by then. objects: all
    that is there after the install, those first that were there before; some of `before` are among them.
    """

    before: list[Object]
    objects: list[Object]
    left_out: list[LeftOut]


def in_stages(documents: Iterable[Object]) -> Stages:
    """Return the objects of a manifest by when an install makes them."""
    stages = Stages([], [], [])
    stay: list[Object] = []
    for document in documents:
        written = _written(document, HOOK)
        hooks = _listed(written)
        if not written or (_AFTER in hooks and hooks <= _KNOWN):
            stages.objects.append(document)
        elif _BEFORE not in hooks or not hooks <= _KNOWN:
            stages.left_out.append(LeftOut(object_name(document), ", ".join(sorted(hooks))))
        elif _goes(document):
            stages.before.append(document)
        else:
            stay.append(document)
            stages.before.extend([] if makes_pods(document) else [document])
    return stages._replace(objects=[*stay, *stages.objects])


_KNOWN = {
    f"{time}-{what}" for time in ("pre", "post") for what in ("install", "upgrade", "delete", "rollback")
} | {"test", "test-success"}  # fmt: skip


def is_made_last(document: Object) -> bool:
    """Return whether it is one of the last Jobs or Pods of an install, which come one after the other."""
    hooks = _listed(_written(document, HOOK))
    return document.get("kind") in _WAITED_FOR and _AFTER in hooks and hooks <= _KNOWN


def _goes(document: Object) -> bool:
    """Return whether an object of an install's first hooks is done or deleted before the others come."""
    kind = document.get("kind")
    is_deleted = "hook-succeeded" in _listed(_written(document, _DELETED))
    return kind in _WAITED_FOR or (is_deleted and kind != "CustomResourceDefinition")


def _listed(written: str) -> set[str]:
    return {word.strip().lower() for word in written.split(",")}


def _written(document: Object, annotation: str) -> str:
    metadata = document.get("metadata")
    annotations = metadata.get("annotations") if isinstance(metadata, dict) else None
    value = annotations.get(annotation) if isinstance(annotations, dict) else None
    return value.strip() if isinstance(value, str) else ""
