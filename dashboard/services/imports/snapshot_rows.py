"""The searchable rows of a snapshot: nodes, pods, workloads and others as columns beside the object.

In go checked objects in their stored order; out come unsaved rows. Amounts are those the scheduler would
take: milli-CPU and bytes, a pod's effective requests, a node's allocatable.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from sys import intern
from typing import Any

from dashboard.kinds.own_rows import by_kind, group_of_pod, row_models
from dashboard.models import Node, Pod, Workload
from dashboard.services.imports.packed_objects import PackedObjects
from dashboard.services.imports.stored_rows import ROWS_AT_ONCE, Batch, columns_of
from scheduler_core.objects import types
from scheduler_core.objects.amounts.go_quantity import resource_amount
from scheduler_core.objects.amounts.requests import pod_requests
from scheduler_core.objects.api_server.default_requests import with_default_requests
from scheduler_core.objects.identity import ENDED_PHASES, Owners, namespace_of, spec_of, with_identity
from scheduler_core.objects.imports.twins import Pattern
from scheduler_core.objects.kinds import NODE, POD, WORKLOAD_KINDS, Kind, kind_of
from scheduler_core.objects.node_groups import pool_of, zone_of
from scheduler_core.schedulers.registry import registered_devices

LARGEST_INTEGER = 2**63 - 1
COLUMN_LENGTH = 253
WORKLOAD_LENGTH = 600

Object = dict[str, Any]


class Rows:
    """All that is stored beside the List: the values of each row, and the sums that the summary shows."""

    def __init__(self, objects: PackedObjects) -> None:
        self.requested: Counter[str] = Counter()
        self.allocatable: Counter[str] = Counter()
        self.pending = self.gated = 0
        self._objects = objects
        self._rows: dict[Any, list[tuple[Any, ...]]] = {model: [] for model in row_models()}
        self._pods_on_nodes: Counter[str] = Counter()

    def __len__(self) -> int:
        return sum(map(len, self._rows.values()))

    def add(self, model: Any, index: int, columns: Object) -> None:
        """Keep the columns of the row of the object at an index."""
        self._rows[model].append((index, *(columns.get(name) for name in columns_of(model)[1:])))

    def count_pod(self, node_name: str, requests: dict[str, int]) -> None:
        """Count a pod that takes room on a node."""
        for name, amount in requests.items():
            self.requested[name] += amount
        self.requested["pods"] += 1
        self._pods_on_nodes[node_name] += 1

    def pods_on(self, node_name: str) -> int:
        """Return how many pods that were counted take room on a node."""
        return self._pods_on_nodes[node_name]

    def batches(self) -> Iterator[Batch]:
        """Yield all rows as they are to be inserted."""
        for model, rows in self._rows.items():
            for start in range(0, len(rows), ROWS_AT_ONCE):
                yield Batch(
                    model,
                    [
                        (start + offset, *values, self._objects.text(index).decode())
                        for offset, (index, *values) in enumerate(rows[start : start + ROWS_AT_ONCE])
                    ],
                )


class RowMaker:
    """Makes the rows of objects that are handed to it in their order, each decoded."""

    def __init__(self, objects: PackedObjects, of_kind: Mapping[Kind, Iterable[Object]]) -> None:
        """Take the objects, and the same by their kinds: all but nodes and pods may own some."""
        self._owners = Owners(chain.from_iterable(of_kind[kind] for kind in of_kind.keys() - {POD, NODE}))
        self._rows = Rows(objects)
        self._pods = _Pods(self._rows, self._owners)
        self._nodes: list[tuple[int, Object]] = []
        self._own_rows = by_kind()

    def take(self, index: int, kind: Kind, document: Object, pattern: Pattern | None) -> None:
        """Make the row of an object, if it has one. pattern: what it is a twin of."""
        if kind == POD:
            self._rows.add(Pod, index, self._pods.columns(document, pattern))
        elif kind == NODE:
            self._nodes.append((index, _node(document, self._rows)))
        elif kind in WORKLOAD_KINDS:
            self._rows.add(Workload, index, _workload(document))
        elif own := self._own_rows.get(kind):
            self._rows.add(own.model, index, own.columns(document, self._owners))

    def rows(self) -> Rows:
        """Return the rows of all objects, with the sums that the summary shows."""
        for index, columns in self._nodes:
            self._rows.add(Node, index, {**columns, "pods_count": self._rows.pods_on(columns["name"])})
        return self._rows


class _Pods:
    """Makes the columns of pods: those that all twins share only once."""

    def __init__(self, rows: Rows, owners: Owners) -> None:
        self._rows = rows
        self._owners = owners
        self._shared: dict[Pattern, tuple[Object, dict[str, int]]] = {}

    def columns(self, document: Object, pattern: Pattern | None) -> Object:
        """Return the columns of a pod, which is counted."""
        if pattern is None:
            columns, requests = _pod(document, self._owners)
        else:
            if pattern not in self._shared:
                self._shared[pattern] = _pod(document, self._owners)
            shared, requests = self._shared[pattern]
            metadata = document["metadata"]
            node_name = spec_of(document).get("nodeName") or ""
            columns = {**shared, "uid": metadata["uid"], "name": metadata["name"], "node_name": node_name}
        node_name, phase = columns["node_name"], columns["phase"]
        if node_name and phase not in ENDED_PHASES:
            self._rows.count_pod(node_name, requests)
        elif not node_name and phase == "Pending" and not document["metadata"].get("deletionTimestamp"):
            self._rows.pending += 1
            self._rows.gated += bool(spec_of(document).get("schedulingGates"))
        return columns


def _node(document: Object, rows: Rows) -> Object:
    node = types.convert(document, types.Node)
    labels = node.metadata.labels or {}
    allocatable = _amounts(node.status.allocatable or {})
    rows.allocatable.update(allocatable)
    return {
        "name": node.metadata.name,
        "zone": _searchable(zone_of(labels)),
        "pool": _searchable(pool_of(labels)),
        "unschedulable": bool(node.spec.unschedulable),
        "cpu_milli": _bounded(allocatable.get("cpu", 0)),
        "memory_bytes": _bounded(allocatable.get("memory", 0)),
        "pods_limit": _bounded(allocatable.get("pods", 0)),
        "cards": registered_devices(document),
    }


def _pod(document: Object, owners: Owners) -> tuple[Object, dict[str, int]]:
    """Return the columns of a pod, and what it requests."""
    pod = types.convert(with_default_requests(document), types.Pod)
    node_name = intern(pod.spec.node_name or "")
    requests = pod_requests(pod, running=bool(node_name))
    columns = {
        "uid": with_identity(document)["metadata"]["uid"],
        "namespace": namespace_of(document),
        "name": pod.metadata.name,
        "node_name": node_name,
        "phase": pod.status.phase or "Pending",
        "priority": pod.spec.priority or 0,
        "scheduler_name": _searchable(pod.spec.scheduler_name or "default-scheduler"),
        "workload": intern(_searchable(owners.workload(document), WORKLOAD_LENGTH)),
        "group": group_of_pod(document),
        "cpu_milli": _bounded(requests.get("cpu", 0)),
        "memory_bytes": _bounded(requests.get("memory", 0)),
    }
    return columns, requests


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


def _bounded(amount: int) -> int:
    return max(0, min(amount, LARGEST_INTEGER))


def _searchable(text: str, length: int = COLUMN_LENGTH) -> str:
    """Return a text that no check has bounded as a column can hold it; the List keeps it whole."""
    return text[:length]
