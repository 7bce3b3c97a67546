"""Claims and volumes as the decisions of volume binders leave them in an API server.

A volume that was matched is the claim's; a claim whose volume is yet to be made names the node for it, and
waits: no provisioner is played.

Source: kubernetes v1.36 pkg/scheduler/framework/plugins/volumebinding/binder.go bindAPIUpdate;
pkg/controller/volume/persistentvolume bind.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from scheduler_core.objects.identity import name_of, namespace_of
from scheduler_core.objects.kinds import PERSISTENT_VOLUME, PERSISTENT_VOLUME_CLAIM, kind_of
from scheduler_core.objects.storage import ClaimReference
from scheduler_core.state.volumes import BIND_COMPLETED, SELECTED_NODE, BinderView

Document = dict[str, Any]

BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller"


def bound_by(item: Document, binders: Sequence[BinderView]) -> Document:
    """Return a claim or a volume as binders leave it, anything else as it is."""
    if kind_of(item) == PERSISTENT_VOLUME_CLAIM:
        return _claim(item, binders)
    return _volume(item, binders) if kind_of(item) == PERSISTENT_VOLUME else item


def _claim(claim: Document, binders: Sequence[BinderView]) -> Document:
    spec, metadata = claim.get("spec") or {}, claim["metadata"]
    if spec.get("volumeName"):
        return claim
    reference = ClaimReference(namespace_of(claim), name_of(claim), str(metadata.get("uid") or ""))
    volume = next((name for name, held in _references(binders) if held == reference), None)
    annotations = metadata.get("annotations") or {}
    if volume is not None:
        annotations = annotations | {BIND_COMPLETED: "yes", BOUND_BY_CONTROLLER: "yes"}
        status = {**(claim.get("status") or {}), "phase": "Bound"}
        bound = {**claim, "spec": {**spec, "volumeName": volume}, "status": status}
        return {**bound, "metadata": {**metadata, "annotations": annotations}}
    node = next((one.selected_nodes[reference] for one in binders if reference in one.selected_nodes), None)
    if node is None:
        return claim
    return {**claim, "metadata": {**metadata, "annotations": annotations | {SELECTED_NODE: node}}}


def _volume(volume: Document, binders: Sequence[BinderView]) -> Document:
    held = next((held for name, held in _references(binders) if name == name_of(volume)), None)
    if held is None:
        return volume
    claim = {"apiVersion": "v1", "kind": "PersistentVolumeClaim"}
    claim |= {"namespace": held.namespace, "name": held.name}
    spec = {**volume["spec"], "claimRef": claim | ({"uid": held.uid} if held.uid else {})}
    return {**volume, "spec": spec, "status": {**(volume.get("status") or {}), "phase": "Bound"}}


def _references(binders: Sequence[BinderView]) -> Iterator[tuple[str, ClaimReference]]:
    return (pair for one in binders for pair in one.references.items())
