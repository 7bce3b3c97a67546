"""The rows of Volcano's objects in a snapshot, with the columns of `kubectl get`.

Source: the printer columns of volcano v1.16 config/crd; of a queue, which has only its parent there, those of
`vcctl queue list`.
"""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from dashboard.models import VolcanoObject
from scheduler_core.objects.identity import Owners, namespace_of
from scheduler_core.objects.kinds import Kind, kind_of
from scheduler_core.volcano.api_kinds import (
    VOLCANO_CRON_JOB,
    VOLCANO_HYPER_NODE,
    VOLCANO_JOB,
    VOLCANO_JOB_FLOW,
    VOLCANO_JOB_TEMPLATE,
    VOLCANO_POD_GROUP,
    VOLCANO_QUEUE,
)
from scheduler_core.volcano.model.custom_resources import DEFAULT_QUEUE, GROUP_NAME
from scheduler_core.volcano.model.queues import ROOT

SHOWN_KINDS = (
    VOLCANO_JOB,
    VOLCANO_POD_GROUP,
    VOLCANO_QUEUE,
    VOLCANO_HYPER_NODE,
    VOLCANO_JOB_FLOW,
    VOLCANO_JOB_TEMPLATE,
    VOLCANO_CRON_JOB,
)
_OF_THE_CLUSTER = (VOLCANO_QUEUE, VOLCANO_HYPER_NODE)
COLUMN_LENGTH, PHASE_LENGTH, OWNER_LENGTH = 253, 32, 600
LARGEST_INTEGER = 2**63 - 1

Object = dict[str, Any]


def volcano_columns(document: Object, owners: Owners) -> dict[str, Any]:
    """Return the columns of `VolcanoObject` for one of `SHOWN_KINDS`."""
    kind = kind_of(document)
    spec, status = document.get("spec") or {}, document.get("status") or {}
    name = document["metadata"]["name"]
    return {
        "kind": str(kind),
        "namespace": "" if kind in _OF_THE_CLUSTER else namespace_of(document),
        "name": name,
        "owner": owners.workload(document)[:OWNER_LENGTH],
        "created_at": _moment(document["metadata"].get("creationTimestamp")),
        "object": document,
        **_columns(kind, name, spec, status),
    }


def group_of_pod(document: Object) -> str:
    """Return the pod group that a pod's annotation names, as `namespace/name`; empty where there is none."""
    name = (document["metadata"].get("annotations") or {}).get(GROUP_NAME)
    return f"{namespace_of(document)}/{name}"[:OWNER_LENGTH] if name else ""


def _columns(kind: Kind, name: str, spec: Object, status: Object) -> dict[str, Any]:
    if kind == VOLCANO_HYPER_NODE:
        return {"queue": "", "phase": ""}
    if kind == VOLCANO_QUEUE:
        parent = _text(spec.get("parent")) or ("" if name == ROOT else ROOT)
        phase = _text(status.get("state"), PHASE_LENGTH)
        return {"queue": parent, "phase": phase, "weight": _count(spec.get("weight"))}
    if kind == VOLCANO_JOB_FLOW:
        return {"queue": "", "phase": _text((status.get("state") or {}).get("phase"), PHASE_LENGTH)}
    if kind == VOLCANO_JOB_TEMPLATE:
        return _of_template(spec)
    if kind == VOLCANO_CRON_JOB:
        of_jobs = _of_template((spec.get("jobTemplate") or {}).get("spec") or {})
        return {**of_jobs, "running": _count(len(status.get("active") or ()))}
    columns = {
        "queue": _text(spec.get("queue")) or DEFAULT_QUEUE,
        "running": _count(status.get("running")),
    }
    if kind == VOLCANO_POD_GROUP:
        said, minimum = status.get("phase"), spec.get("minMember")
    else:
        said = (status.get("state") or {}).get("phase")
        minimum = status.get("minAvailable") or spec.get("minAvailable")
    return {**columns, "phase": _text(said, PHASE_LENGTH), "minimum": _count(minimum)}


def _of_template(spec: Object) -> dict[str, Any]:
    """Return the columns of what Jobs are made of; `spec` is theirs."""
    queue = _text(spec.get("queue")) or DEFAULT_QUEUE
    return {"queue": queue, "phase": "", "minimum": _count(spec.get("minAvailable"))}


def _text(value: Any, length: int = COLUMN_LENGTH) -> str:
    return value[:length] if isinstance(value, str) else ""


def _count(value: Any) -> int | None:
    return value if type(value) is int and 0 <= value <= LARGEST_INTEGER else None


def _moment(text: Any) -> datetime | None:
    """Return when it was made, None where that isn't said or is no time."""
    try:
        moment = datetime.fromisoformat(text)
    except (TypeError, ValueError):
        return None
    return moment if moment.tzinfo else None


class VolcanoRows:
    """The rows of Volcano's objects."""

    model = VolcanoObject
    shown: Collection[Kind] = SHOWN_KINDS

    def columns(self, document: Object, owners: Owners) -> Object:
        """Return the columns of `VolcanoObject`."""
        return volcano_columns(document, owners)

    def group_of_pod(self, document: Object) -> str:
        """Return the pod group that a pod's annotation names."""
        return group_of_pod(document)
