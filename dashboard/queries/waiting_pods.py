"""The pods of a snapshot that wait, those that are alike together: one try answers for all of these."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from dashboard.models import Pod, Snapshot
from dashboard.natural_order import natural_key
from dashboard.queries.device_asks import devices_asked
from dashboard.queries.pending import PENDING
from scheduler_core.events.decisions import ClusterSaid
from scheduler_core.kube.cluster_said import said_of
from scheduler_core.objects import types
from scheduler_core.objects.amounts.requests import counted_by_scheduler, pod_requests

Object = dict[str, Any]
_OF_ONE_POD = frozenset({"pod-name", "pod-index", "job-completion-index", "task-index"})
"""Labels and annotations that number the pods of a workload, whoever's they are."""
_CLAIMS = ("persistentVolumeClaim", "ephemeral")


@dataclass
class Alike:
    """Pods that a scheduler can't tell apart, in natural order. `asks` is by resource, in the log's units.

    workload: `Kind/namespace/name` or empty; group: `namespace/name` or empty. since: when the first of
    them came into being, RFC 3339. said: what the cluster's scheduler said last of each, by uid. devices:
    what their claims ask for, in words.
    """

    workload: str
    group: str
    namespace: str
    scheduler: str
    priority: int
    asks: dict[str, int]
    names: list[str] = field(default_factory=list)
    uids: list[str] = field(default_factory=list)
    since: str = ""
    said: dict[str, ClusterSaid] = field(default_factory=dict)
    devices: list[str] = field(default_factory=list)

    @property
    def first(self) -> str:
        """The uid of the pod that is asked about."""
        return self.uids[0]


def waiting_pods(snapshot: Snapshot) -> list[Alike]:
    """Return the pods of a snapshot that wait, by likeness: of most pods first, then by name."""
    rows = Pod.objects.filter(PENDING, snapshot=snapshot).order_by()
    kinds: dict[bytes, Alike] = {}
    for row in sorted(rows, key=lambda row: (row.namespace, natural_key(row.name))):
        key = msgspec.json.encode([row.workload, row.group, row.namespace, deciding(row.object)])
        if key not in kinds:
            kinds[key] = _kind_of(row)
            kinds[key].devices = devices_asked(snapshot, row.object)
        _join(kinds[key], row)
    return sorted(kinds.values(), key=lambda one: (-len(one.uids), one.namespace, natural_key(one.names[0])))


def _kind_of(row: Pod) -> Alike:
    amounts = pod_requests(types.convert(row.object, types.Pod))
    asks = {name: amount for name, amount in amounts.items() if amount and counted_by_scheduler(name)}
    return Alike(row.workload, row.group, row.namespace, row.scheduler_name, row.priority, asks)


def _join(alike: Alike, row: Pod) -> None:
    alike.names.append(row.name)
    alike.uids.append(row.uid)
    created = str((row.object.get("metadata") or {}).get("creationTimestamp") or "")
    alike.since = min(filter(None, (alike.since, created)), default="")
    said = said_of(types.convert(row.object, types.Pod))
    if said is not None:
        alike.said[row.uid] = said


def deciding(pod: Mapping[str, Any]) -> list[Any]:
    """Return what of a pod may decide where it goes: all but names that differ from pod to pod."""
    metadata, spec = pod.get("metadata") or {}, dict(pod.get("spec") or {})
    for name in ("hostname", "subdomain", "nodeName"):
        spec.pop(name, None)
    spec["volumes"] = [one for one in spec.get("volumes") or () if any(name in one for name in _CLAIMS)]
    for part in ("containers", "initContainers"):
        spec[part] = [
            _without(one, ("volumeMounts", "env", "args", "command")) for one in spec.get(part) or ()
        ]
    labels, annotations = (_shared(metadata.get(part) or {}) for part in ("labels", "annotations"))
    nominated = (pod.get("status") or {}).get("nominatedNodeName")
    return [spec, labels, annotations, nominated]


def _without(part: Mapping[str, Any], names: Iterable[str]) -> Object:
    return {name: value for name, value in part.items() if name not in names}


def _shared(named: Mapping[str, Any]) -> Object:
    """Return labels or annotations without those that number a workload's pods."""
    return {name: value for name, value in named.items() if name.rpartition("/")[2] not in _OF_ONE_POD}
