"""The tables of a snapshot: its nodes, pods and workloads, each searchable, sortable and exportable."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from django.db.models import F, Q, QuerySet

from dashboard.models import Node, Pod, Snapshot, Workload
from dashboard.queries.node_devices import NO_DEVICES, devices_of_nodes
from dashboard.queries.pending import PENDING
from dashboard.queries.pod_asks import ELSEWHERE, asks_of, asks_of_each, devices_in
from dashboard.views.tables import Column, Table


def _asked(asks: Mapping[int, Mapping[str, int]], words: str) -> list[Column]:
    """Return a column for each device that rows ask for; asks: by the row's key."""

    def column(resource: str) -> Column:
        def value(row: Pod | Workload) -> int | None:
            return asks[row.pk].get(resource) if row.pk in asks else None

        return Column(resource, f"{resource} {words}", value, numeric=True, resource=resource)

    return [column(resource) for resource in devices_in(asks.values())]


def _asked_by_pods(pods: Iterable[Pod]) -> list[Column]:
    return _asked(_by_key(Pod, pods, asks_of), "asked")


def _asked_by_each(workloads: Iterable[Workload]) -> list[Column]:
    return _asked(_by_key(Workload, workloads, asks_of_each), "each")


def _by_key(
    model: type[Pod] | type[Workload], rows: Iterable[Any], read: Callable[[dict[str, Any]], dict[str, int]]
) -> dict[int, dict[str, int]]:
    """Return what rows ask for of devices, by their keys; of a page the objects are read by these."""
    found = rows if isinstance(rows, QuerySet) else model.objects.filter(pk__in=[row.pk for row in rows])
    asks = ((pk, read(document)) for pk, document in found.order_by().values_list("pk", "object").iterator())
    return {pk: one for pk, one in asks if one.keys() - ELSEWHERE}


def _of_nodes(nodes: Iterable[Node]) -> list[Column]:
    """Return two columns for each device of nodes: what pods request of it, and what is allocatable."""
    devices = devices_of_nodes(nodes)

    def requested(node: Node, resource: str) -> int | None:
        found = devices.get(node.pk, NO_DEVICES)
        return found.requested.get(resource, 0 if resource in found.allocatable else None)

    def allocatable(node: Node, resource: str) -> int | None:
        return devices.get(node.pk, NO_DEVICES).allocatable.get(resource)

    amounts = [amounts for found in devices.values() for amounts in found]
    columns = []
    for resource in devices_in(amounts):
        if resource.startswith("hugepages-") and not any(one.get(resource) for one in amounts):
            continue  # kubelets name each size of huge pages, also where none are set aside
        for name, title, value in (
            (f"{resource}_requested", f"{resource} requested", requested),
            (resource, "of allocatable", allocatable),
        ):
            shown = partial(value, resource=resource)
            columns.append(Column(name, title, shown, numeric=True, resource=resource))
    return columns


NODES = Table(
    columns=[
        Column("name", "Node", lambda node: node.name, "name", natural=True),
        Column("zone", "Zone", lambda node: node.zone, "zone"),
        Column("pool", "Pool", lambda node: node.pool, "pool"),
        Column("unschedulable", "Cordoned", lambda node: node.unschedulable),
        Column("cpu_requested_milli", "CPU requested", lambda node: node.cpu_requested, "cpu_share", True),
        Column("cpu_milli", "of allocatable", lambda node: node.cpu_milli, "cpu_milli", True),
        Column(
            "memory_requested_bytes", "Memory requested", lambda node: node.memory_requested, "memory_share",
            numeric=True,
        ),
        Column("memory_bytes", "of allocatable", lambda node: node.memory_bytes, "memory_bytes", True),
        Column("pods", "Pods", lambda node: node.pods_count, "pods_count", True),
        Column("pods_limit", "Limit", lambda node: node.pods_limit, "pods_limit", True),
        Column("cards", "Cards", lambda node: node.cards, "cards", True),
    ],
    search=["name", "zone", "pool"],
    filters={"zone": "zone", "pool": "pool"},
    flags={"cordoned": Q(unschedulable=True)},
    default_sort="name",
    more=_of_nodes,
    behind="memory_bytes",
)  # fmt: skip

PODS = Table(
    columns=[
        Column("namespace", "Namespace", lambda pod: pod.namespace, "namespace"),
        Column("name", "Pod", lambda pod: pod.name, "name", natural=True),
        Column("phase", "Phase", lambda pod: pod.phase, "phase"),
        Column("node", "Node", lambda pod: pod.node_name, "node_name", natural=True),
        Column("priority", "Priority", lambda pod: pod.priority, "priority", True),
        Column("cpu_milli", "CPU asked", lambda pod: pod.cpu_milli, "cpu_milli", True),
        Column("memory_bytes", "Memory asked", lambda pod: pod.memory_bytes, "memory_bytes", True),
        Column("workload", "Workload", lambda pod: pod.workload, "workload"),
        Column("scheduler", "Scheduler", lambda pod: pod.scheduler_name),
        Column("uid", "UID", lambda pod: pod.uid),
    ],
    search=["name", "namespace", "node_name", "workload"],
    filters={
        "namespace": "namespace",
        "node": "node_name",
        "workload": "workload",
        "group": "group",
        "phase": "phase",
    },
    flags={"pending": PENDING},
    more=_asked_by_pods,
    behind="memory_bytes",
)

WORKLOADS = Table(
    columns=[
        Column("kind", "Kind", lambda workload: workload.kind, "kind"),
        Column("namespace", "Namespace", lambda workload: workload.namespace, "namespace"),
        Column("name", "Workload", lambda workload: workload.name, "name", natural=True),
        Column("replicas", "Replicas", lambda workload: workload.replicas, "replicas", True),
        Column("ready", "Ready", lambda workload: workload.ready, "ready", True),
    ],
    search=["name", "namespace", "kind"],
    filters={"namespace": "namespace", "kind": "kind"},
    flags={"short": Q(ready__lt=F("replicas"))},
    more=_asked_by_each,
    behind="ready",
)


def pods_of(snapshot: Snapshot) -> QuerySet[Pod]:
    """The snapshot's pods without their objects."""
    return Pod.objects.filter(snapshot=snapshot).defer("object")


def workloads_of(snapshot: Snapshot) -> QuerySet[Workload]:
    """The snapshot's workloads without their objects."""
    return Workload.objects.filter(snapshot=snapshot).defer("object")


def waiting_workloads(snapshot: Snapshot) -> set[str]:
    """The workloads, `Kind/namespace/name`, of which a pod has no node."""
    waiting = pods_of(snapshot).filter(PENDING).order_by()
    return set(waiting.values_list("workload", flat=True).distinct())
