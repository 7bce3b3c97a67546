"""Recorded operations on the scheduling queue of 1.11 and 1.13, one after another on a new queue.

Source: docs/verification.md, the family `queue`.
"""

from collections.abc import Mapping
from typing import Any

from scheduler_core.kube.releases.queue import POLICIES, ReleaseQueue
from scheduler_core.kube.releases.queued_pod import QueuedPod
from scheduler_core.objects.kinds import POD, kind_of
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.objects.timestamps import parse_timestamp
from scheduler_core.state.journal import Journal

_EMPTY = "empty"
"""What the recording answers for a pop that would block."""


def play(case: Mapping[str, Any], release: str) -> dict[str, Any]:
    """Do a case's operations and return its steps. Raises BadInput for a release without this queue."""
    if release not in POLICIES:
        raise BadInput([Problem("case", "family", f"the queue of {release} is not recorded")])
    operator = QueueOperator(ReleaseQueue(POLICIES[release], Journal()), case["cluster"]["items"])
    return {"steps": [operator.step(op) for op in case["ops"]]}


class QueueOperator:
    """A queue and the current version of every pod."""

    def __init__(self, queue: ReleaseQueue, objects: list[dict[str, Any]]) -> None:
        self._queue = queue
        pods = [QueuedPod(document) for document in objects if kind_of(document) == POD]
        self._pods = {pod.key: pod for pod in pods}

    def step(self, op: Mapping[str, Any]) -> dict[str, Any]:
        """Do one operation and return what it returned, with the queue's state after it."""
        return {"op": op["op"], "returns": self._do(op), "state": self.state()}

    def _do(self, op: Mapping[str, Any]) -> Any:
        before = self._pods.get(op.get("pod", ""))
        if "set" in op and before is not None:
            self._pods[op["pod"]] = _new_version(before, op["set"])
        match op["op"]:
            case "set":
                return None
            case "pop":
                popped = self._queue.pop()
                return popped.key if popped is not None else _EMPTY
            case "move_all_to_active":
                return self._queue.move_all_to_active()
            case "flush_unschedulable_leftover":
                return self._queue.flush_unschedulable_leftover(parse_timestamp(op["now"], 0))
            case "nominated_pods_for_node":
                return self._queue.nominations.of_nodes().get(op["node"], [])
        if before is None:
            raise BadInput([Problem("case", "ops", f"no pod {op.get('pod')!r}")])
        return self._do_with(op, before, self._pods[op["pod"]])

    def _do_with(self, op: Mapping[str, Any], before: QueuedPod, pod: QueuedPod) -> Any:
        match op["op"]:
            case "add":
                return self._queue.add(pod)
            case "add_if_not_present":
                return self._queue.add_if_not_present(pod)
            case "add_unschedulable_if_not_present":
                return self._queue.add_unschedulable_if_not_present(pod, op.get("cycle", 0))
            case "update":
                return self._queue.update(before, pod)
            case "delete":
                return self._queue.delete(pod)
            case "assigned_pod_added" | "assigned_pod_updated":
                return self._queue.assigned_pod_changed(pod)
            case "update_nominated_pod_for_node":
                return self._queue.nominations.add(pod, op["node"])
            case "delete_nominated_pod_if_exists":
                return self._queue.nominations.delete(pod)
        raise BadInput([Problem("case", "ops", f"unknown operation {op['op']!r}")])

    def state(self) -> dict[str, Any]:
        """Return all of the queue as it was recorded."""
        queue = self._queue
        return {
            "active": [pod.key for pod in queue.active],
            "unschedulable": sorted(pod.key for pod in queue.unschedulable),
            "nominated": dict(sorted(queue.nominations.of_nodes().items())),
            **queue.moves.figures(),
        }


def _new_version(pod: QueuedPod, changes: Mapping[str, Any]) -> QueuedPod:
    metadata, status = dict(pod.document["metadata"]), dict(pod.document.get("status") or {})
    if "labels" in changes:
        metadata["labels"] = {**(metadata.get("labels") or {}), **changes["labels"]}
    if "resourceVersion" in changes:
        metadata["resourceVersion"] = changes["resourceVersion"]
    if "nominatedNodeName" in changes:
        status["nominatedNodeName"] = changes["nominatedNodeName"]
    if "podScheduled" in changes:
        status["conditions"] = [changes["podScheduled"]]
    return QueuedPod({**pod.document, "metadata": metadata, "status": status})
