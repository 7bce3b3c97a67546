"""The state after a decision as a Kubernetes `List`: the run's objects with every pod where it is by then.

Pods are bound, nominated or pending as the state says; evicted ones are gone, Succeeded and Failed ones stay
as they were, and copies that controllers made of evicted pods have the manifest of the first in their line.
"""

from typing import Any

from dashboard.engine import starting_objects
from dashboard.models import Run
from dashboard.queries.lines import firsts_in_line
from dashboard.queries.resuming import require_same_engine
from scheduler_core.events.state import PodRow, RunState
from scheduler_core.objects.kinds import POD, kind_of
from scheduler_core.objects.workloads.workload_pods import recreated_copy

Object = dict[str, Any]

_ENDED = ("Succeeded", "Failed")


def state_list(run: Run, state: RunState) -> Object:
    """Return the state as a `List` that can be imported again; raises RecordedByOtherEngine."""
    require_same_engine(run)
    objects = starting_objects(run)
    pods = [item for item in objects if kind_of(item) == POD]
    others = [item for item in objects if kind_of(item) != POD]
    ended = [pod for pod in pods if (pod.get("status") or {}).get("phase") in _ENDED]
    by_uid = {pod["metadata"]["uid"]: pod for pod in pods}
    lines = firsts_in_line(run, state.at)
    turns = {uid: turn for turn, uid in enumerate([*by_uid, *lines])}
    present = sorted(state.pods(), key=lambda pod: turns.get(pod.uid, len(turns)))
    placed = [_placed(_manifest(pod, by_uid, lines), pod) for pod in present]
    return {"apiVersion": "v1", "kind": "List", "items": [*others, *ended, *placed]}


def _manifest(pod: PodRow, by_uid: dict[str, Object], lines: dict[str, str]) -> Object:
    """Return what the pod was made from; of one that nobody brought only what its row says."""
    if pod.uid in by_uid:
        return by_uid[pod.uid]
    nothing = {"metadata": {"name": pod.name, "namespace": pod.namespace, "labels": pod.labels}}
    return recreated_copy(by_uid.get(lines.get(pod.uid, ""), nothing), 1)


def _placed(manifest: Object, pod: PodRow) -> Object:
    """Return the manifest with the pod's name, node, nomination and start time of this moment."""
    metadata = {
        **manifest["metadata"],
        "namespace": pod.namespace,
        "name": pod.name,
        "uid": pod.uid,
    }
    spec, status = dict(manifest.get("spec") or {}), dict(manifest.get("status") or {})
    if pod.node and not spec.get("nodeName"):
        spec["nodeName"] = pod.node
        status["phase"] = "Running"
    if pod.start_time is not None:
        status["startTime"] = pod.start_time
    status.pop("nominatedNodeName", None)
    if pod.nominated:
        status["nominatedNodeName"] = pod.nominated
    return {**manifest, "metadata": metadata, "spec": spec, "status": status}
