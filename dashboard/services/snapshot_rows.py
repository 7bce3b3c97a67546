"""The searchable rows of a snapshot: nodes, pods, workloads, Volcano's objects as columns beside the object.

In go checked objects in their stored order; out come unsaved rows. Amounts are those the scheduler would
take: milli-CPU and bytes, a pod's effective requests, a node's allocatable.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from dashboard.models import Node, Pod, Snapshot, VolcanoObject, Workload
from dashboard.services.packed_objects import PackedObjects, Packing
from dashboard.services.volcano_rows import SHOWN_KINDS, group_of_pod, volcano_columns
from scheduler_core.hami.counting import registered_cards
from scheduler_core.objects import types
from scheduler_core.objects.go_quantity import resource_amount
from scheduler_core.objects.identity import Owners, namespace_of, with_identity
from scheduler_core.objects.kinds import NODE, POD, WORKLOAD_KINDS, kind_of
from scheduler_core.objects.requests import pod_requests

ZONE_LABELS = ("topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone")
POOL_LABELS = (
    "node.kubernetes.io/pool",
    "cloud.google.com/gke-nodepool",
    "eks.amazonaws.com/nodegroup",
    "kubernetes.azure.com/agentpool",
    "karpenter.sh/nodepool",
    "pool",
    "node-pool",
    "nodepool",
)
ENDED_PHASES = ("Succeeded", "Failed")
LARGEST_INTEGER = 2**63 - 1
COLUMN_LENGTH = 253
WORKLOAD_LENGTH = 600

Object = dict[str, Any]


class Rows:
    """Everything that is stored beside the List: columns of each row, and the sums that the summary shows.

    The columns are kept packed, since a large cluster's rows as models would need more memory than its file.
    """

    def __init__(self, objects: Sequence[Object]) -> None:
        self.requested: Counter[str] = Counter()
        self.allocatable: Counter[str] = Counter()
        self.pending = 0
        self._objects = objects
        self._packing = Packing()
        self._columns: dict[Any, list[int]] = {model: [] for model in (Node, Pod, Workload, VolcanoObject)}
        self._pods_on_nodes: Counter[str] = Counter()

    def add(self, model: Any, index: int, columns: Object) -> None:
        """Keep the columns of the row of the object at an index."""
        places = self._columns[model]
        places.append(self._packing.put({**columns, "position": len(places), "object": index}))

    def count_pod(self, node_name: str, requests: dict[str, int]) -> None:
        """Count a pod that takes room on a node."""
        self.requested.update(requests)
        self.requested["pods"] += 1
        self._pods_on_nodes[node_name] += 1

    def models(self, snapshot: Snapshot) -> Iterator[tuple[Any, Iterator[Any]]]:
        """Yield each model and its unsaved rows."""
        for model, places in self._columns.items():
            yield model, self._of(snapshot, model, places)

    def _of(self, snapshot: Snapshot, model: Any, places: list[int]) -> Iterator[Any]:
        for columns in PackedObjects(self._packing, places):
            columns["object"] = self._objects[columns["object"]]
            if model is Node:
                columns["pods_count"] = self._pods_on_nodes[columns["name"]]
            yield model(snapshot=snapshot, **columns)


def make_rows(objects: PackedObjects) -> Rows:
    """Return the rows of all objects that have any, with the sums that the summary shows."""
    rows = Rows(objects)
    by_kind = objects.by_kind()
    owners = Owners(chain.from_iterable(by_kind[kind] for kind in by_kind.keys() - {POD, NODE}))
    for index, document in enumerate(objects):
        kind = kind_of(document)
        if kind == NODE:
            rows.add(Node, index, _node(document, rows))
        elif kind == POD:
            rows.add(Pod, index, _pod(document, rows, owners))
        elif kind in WORKLOAD_KINDS:
            rows.add(Workload, index, _workload(document))
        elif kind in SHOWN_KINDS:
            rows.add(VolcanoObject, index, volcano_columns(document, owners))
    return rows


def _node(document: Object, rows: Rows) -> Object:
    node = types.convert(document, types.Node)
    labels = node.metadata.labels or {}
    allocatable = _amounts(node.status.allocatable or {})
    rows.allocatable.update(allocatable)
    return {
        "name": node.metadata.name,
        "zone": _searchable(_first_of(labels, ZONE_LABELS)),
        "pool": _searchable(pool_of(labels)),
        "unschedulable": bool(node.spec.unschedulable),
        "cpu_milli": _bounded(allocatable.get("cpu", 0)),
        "memory_bytes": _bounded(allocatable.get("memory", 0)),
        "pods_limit": _bounded(allocatable.get("pods", 0)),
        "cards": registered_cards(document),
    }


def _pod(document: Object, rows: Rows, owners: Owners) -> Object:
    pod = types.convert(document, types.Pod)
    node_name = pod.spec.node_name or ""
    phase = pod.status.phase or "Pending"
    requests = pod_requests(pod, running=bool(node_name))
    if node_name and phase not in ENDED_PHASES:
        rows.count_pod(node_name, requests)
    elif not node_name and phase == "Pending" and not pod.metadata.deletion_timestamp:
        rows.pending += 1
    return {
        "uid": with_identity(document)["metadata"]["uid"],
        "namespace": namespace_of(document),
        "name": pod.metadata.name,
        "node_name": node_name,
        "phase": phase,
        "priority": pod.spec.priority or 0,
        "scheduler_name": _searchable(pod.spec.scheduler_name or "default-scheduler"),
        "workload": _searchable(owners.workload(document), WORKLOAD_LENGTH),
        "group": group_of_pod(document),
        "cpu_milli": _bounded(requests.get("cpu", 0)),
        "memory_bytes": _bounded(requests.get("memory", 0)),
    }


def _workload(document: Object) -> Object:
    replicas, ready = _replicas(document.get("spec") or {}, document.get("status") or {})
    return {
        "kind": str(kind_of(document)),
        "namespace": namespace_of(document),
        "name": document["metadata"]["name"],
        "replicas": replicas,
        "ready": ready,
    }


def _replicas(spec: Object, status: Object) -> tuple[int | None, int | None]:
    """Return how many pods a workload wants and how many are ready; None where it doesn't say."""
    wanted = [spec.get("replicas"), status.get("desiredNumberScheduled"), spec.get("parallelism")]
    ready = [
        status.get("readyReplicas"),
        status.get("numberReady"),
        status.get("ready"),
        status.get("active"),
    ]
    return _first_count(wanted), _first_count(ready)


def _first_count(values: list[Any]) -> int | None:
    return next((value for value in values if type(value) is int and 0 <= value <= LARGEST_INTEGER), None)


def _amounts(resources: dict[str, Any]) -> dict[str, int]:
    return {name: resource_amount(name, text) for name, text in resources.items()}


def pool_of(labels: dict[str, str]) -> str:
    """Return the pool that a node's labels name, the empty string where they name none."""
    return _first_of(labels, POOL_LABELS)


def _first_of(labels: dict[str, str], names: Iterable[str]) -> str:
    return next((labels[name] for name in names if name in labels), "")


def _bounded(amount: int) -> int:
    return max(0, min(amount, LARGEST_INTEGER))


def _searchable(text: str, length: int = COLUMN_LENGTH) -> str:
    """Return a text that no check has bounded as a column can hold it; the List keeps it whole."""
    return text[:length]
