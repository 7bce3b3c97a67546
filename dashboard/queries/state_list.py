"""The state after a decision as a Kubernetes `List`: the run's objects with every pod where it is by then.

Pods are bound, nominated or pending as the state says; evicted ones are gone, Succeeded and Failed ones stay
as they were, and the copies that controllers made of evicted pods have the manifest of the original.
"""

import re
from typing import Any

from dashboard.engine import starting_objects
from dashboard.models import Run
from dashboard.queries.resuming import require_same_engine
from scheduler_core.events.decisions import PodCard, RunState
from scheduler_core.objects.workloads import recreated_copy

Object = dict[str, Any]

_COPY = re.compile(r"-r[0-9]+$", re.ASCII)
_ENDED = ("Succeeded", "Failed")


def state_list(run: Run, state: RunState) -> Object:
    """Return the state as a `List` that can be imported again; raises RecordedByOtherEngine."""
    require_same_engine(run)
    objects = starting_objects(run)
    pods = [item for item in objects if item["kind"] == "Pod"]
    others = [item for item in objects if item["kind"] != "Pod"]
    ended = [pod for pod in pods if (pod.get("status") or {}).get("phase") in _ENDED]
    by_uid = {pod["metadata"]["uid"]: pod for pod in pods}
    by_name = {(pod["metadata"].get("namespace") or "default", pod["metadata"]["name"]): pod for pod in pods}
    placed = [_placed(by_uid.get(card.uid) or _copy(card, by_name), card) for card in state.pods]
    return {"apiVersion": "v1", "kind": "List", "items": [*others, *ended, *placed]}


def _copy(card: PodCard, by_name: dict[tuple[str, str], Object]) -> Object:
    """Return what a controller made in place of an evicted pod: named after it, or like it."""
    stem = _COPY.sub("", card.name)
    original = by_name.get((card.namespace, stem)) or next(
        (pod for (space, name), pod in by_name.items() if space == card.namespace and name.startswith(stem)),
        {"metadata": {"name": stem, "namespace": card.namespace, "labels": card.labels}},
    )
    return recreated_copy(original, 1)


def _placed(manifest: Object, card: PodCard) -> Object:
    """Return the manifest with the pod's name, node, nomination and start time of this moment."""
    metadata = {
        **manifest["metadata"],
        "namespace": card.namespace,
        "name": card.name,
        "uid": card.uid,
    }
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
