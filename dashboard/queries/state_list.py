"""The state after a decision as a Kubernetes `List`: the run's objects with every pod where it is by then.

Pods are bound, nominated or pending as the state says; evicted ones are gone, Succeeded and Failed ones stay
as they were, and the copies that controllers made of evicted pods have the manifest of the original.
"""

import re
from typing import Any

from dashboard.engine import items_of
from dashboard.models import Run
from scheduler_core.events import PodCard, RunState

Object = dict[str, Any]

_COPY = re.compile(r"-r[0-9]+$", re.ASCII)


def state_list(run: Run, state: RunState) -> Object:
    """Return the state as a `List` that can be imported again."""
    objects = items_of(run.snapshot)
    return {"apiVersion": "v1", "kind": "List", "items": _items(objects, state)}


def _items(objects: list[Object], state: RunState) -> list[Object]:
    others, manifests, by_name = [], {}, {}
    for item in objects:
        if item.get("kind") != "Pod":
            others.append(item)
            continue
        metadata = item.get("metadata") or {}
        manifests[metadata.get("uid")] = item
        by_name[metadata.get("namespace"), metadata.get("name")] = item
        if (item.get("status") or {}).get("phase") in ("Succeeded", "Failed"):
            others.append(item)
    pods = []
    for card in state.pods:
        manifest = manifests.get(card.uid) or _manifest_of_copy(card, by_name)
        pods.append(_placed(manifest, card))
    return [*others, *pods]


def _manifest_of_copy(card: PodCard, by_name: dict[tuple[Any, Any], Object]) -> Object:
    """Return the manifest of the pod that this one is a copy of, as its controller would make it anew."""
    name = card.name
    while (card.namespace, name) not in by_name and _COPY.search(name):
        name = _COPY.sub("", name)
    original = by_name.get((card.namespace, name), {"apiVersion": "v1", "kind": "Pod"})
    spec = {key: value for key, value in (original.get("spec") or {}).items() if key != "nodeName"}
    return {**original, "spec": spec, "status": {"phase": "Pending"}}


def _placed(manifest: Object, card: PodCard) -> Object:
    """Return the manifest with the pod's name, node, nomination and start time of this moment."""
    metadata = {
        **(manifest.get("metadata") or {}), "namespace": card.namespace, "name": card.name, "uid": card.uid,
    }  # fmt: skip
    spec, status = dict(manifest.get("spec") or {}), dict(manifest.get("status") or {})
    if card.node and not spec.get("nodeName"):
        spec["nodeName"] = card.node
        status["phase"] = "Running"
    if card.start_time is not None:
        status["startTime"] = card.start_time
    status.pop("nominatedNodeName", None)
    if card.nominated:
        status["nominatedNodeName"] = card.nominated
    return {**manifest, "metadata": metadata, "spec": spec, "status": status}
