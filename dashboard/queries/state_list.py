"""The cluster after a decision as a Kubernetes `List`: what the engine says, and what it said of who waits.

A waiting pod has the condition with its last attempt's message, as a scheduler writes it; the log holds that.
"""

from itertools import islice
from typing import Any

import msgspec

from dashboard.models import Run
from dashboard.queries.replay import objects_at
from dashboard.queries.resuming import stored_lines
from scheduler_core.objects.kinds import POD, kind_of
from scheduler_core.world.reporting.cluster_objects import not_scheduled, with_condition

Object = dict[str, Any]

_MARK = b'"kind":"attempt"'
"""In the recorded text of every attempt."""


class _Tried(msgspec.Struct):
    uid: str


class _Attempt(msgspec.Struct):
    pod: _Tried
    outcome: str
    message: str | None


_decoder = msgspec.json.Decoder(_Attempt)


def state_list(run: Run, at: int, viewer: int = 0) -> Object:
    """Return the cluster as a `List` that can be imported again; raises as `objects_at`."""
    objects = objects_at(run, at, viewer)
    waiting = {item["metadata"]["uid"] for item in objects if kind_of(item) == POD and _waits(item)}
    said = _last_said(run, at, waiting) if waiting else {}
    return {"apiVersion": "v1", "kind": "List", "items": [_with_message(item, said) for item in objects]}


def _waits(pod: Object) -> bool:
    spec, phase = pod.get("spec") or {}, (pod.get("status") or {}).get("phase") or "Pending"
    return not spec.get("nodeName") and not spec.get("schedulingGates") and phase == "Pending"


def _last_said(run: Run, at: int, pods: set[str]) -> dict[str, str]:
    """Return the message of each pod's last attempt up to a decision, by uid."""
    said = {}
    for line in islice(stored_lines(run.pk, 0), at):
        if _MARK not in line:
            continue
        attempt = _decoder.decode(line)
        if attempt.pod.uid in pods and attempt.outcome != "gated" and attempt.message:
            said[attempt.pod.uid] = attempt.message
    return said


def _with_message(item: Object, said: dict[str, str]) -> Object:
    message = said.get((item.get("metadata") or {}).get("uid") or "") if kind_of(item) == POD else None
    if message is None:
        return item
    conditions = with_condition(item["status"], not_scheduled("Unschedulable", message))
    return {**item, "status": {**item["status"], "conditions": conditions}}
