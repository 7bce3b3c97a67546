"""The searchable rows of a snapshot: nodes, pods, workloads, Volcano's objects as columns beside the object.

In go checked objects in their stored order; out come unsaved rows. Amounts are those the scheduler would
take: milli-CPU and bytes, a pod's effective requests, a node's allocatable.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from dashboard.models import Node, Pod, Snapshot, VolcanoObject, Workload
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


@dataclass
class Rows:
    """Everything that is stored beside the List."""

    nodes: list[Node] = field(default_factory=list)
    pods: list[Pod] = field(default_factory=list)
    workloads: list[Workload] = field(default_factory=list)
    volcano: list[VolcanoObject] = field(default_factory=list)
    requested: Counter[str] = field(default_factory=Counter)
    allocatable: Counter[str] = field(default_factory=Counter)
    pending: int = 0


def make_rows(snapshot: Snapshot, objects: list[Object]) -> Rows:
    """Return the rows of all objects that have any, with the sums that the summary shows."""
    rows = Rows()
    owners = Owners(objects)
    for document in objects:
        kind = kind_of(document)
        if kind == NODE:
            rows.nodes.append(_node(snapshot, len(rows.nodes), document, rows))
        elif kind == POD:
            rows.pods.append(_pod(snapshot, len(rows.pods), document, rows, owners))
        elif kind in WORKLOAD_KINDS:
            rows.workloads.append(_workload(snapshot, len(rows.workloads), document))
        elif kind in SHOWN_KINDS:
            columns = volcano_columns(document, owners)
            rows.volcano.append(VolcanoObject(snapshot=snapshot, position=len(rows.volcano), **columns))
    _count_pods_on_nodes(rows)
    return rows


def _node(snapshot: Snapshot, position: int, document: Object, rows: Rows) -> Node:
    node = types.convert(document, types.Node)
    labels = node.metadata.labels or {}
    allocatable = _amounts(node.status.allocatable or {})
    rows.allocatable.update(allocatable)
    return Node(
        snapshot=snapshot,
        position=position,
        name=node.metadata.name,
        zone=_searchable(_first_of(labels, ZONE_LABELS)),
        pool=_searchable(pool_of(labels)),
        unschedulable=bool(node.spec.unschedulable),
        cpu_milli=_bounded(allocatable.get("cpu", 0)),
        memory_bytes=_bounded(allocatable.get("memory", 0)),
        pods_limit=_bounded(allocatable.get("pods", 0)),
        cards=registered_cards(document),
        object=document,
    )


def _pod(snapshot: Snapshot, position: int, document: Object, rows: Rows, owners: Owners) -> Pod:
    pod = types.convert(document, types.Pod)
    namespace = namespace_of(document)
    node_name = pod.spec.node_name or ""
    phase = pod.status.phase or "Pending"
    requests = pod_requests(pod, running=bool(node_name))
    if node_name and phase not in ENDED_PHASES:
        rows.requested.update(requests)
        rows.requested["pods"] += 1
    elif not node_name and phase == "Pending" and not pod.metadata.deletion_timestamp:
        rows.pending += 1
    return Pod(
        snapshot=snapshot,
        position=position,
        uid=with_identity(document)["metadata"]["uid"],
        namespace=namespace,
        name=pod.metadata.name,
        node_name=node_name,
        phase=phase,
        priority=pod.spec.priority or 0,
        scheduler_name=_searchable(pod.spec.scheduler_name or "default-scheduler"),
        workload=_searchable(owners.workload(document), WORKLOAD_LENGTH),
        group=group_of_pod(document),
        cpu_milli=_bounded(requests.get("cpu", 0)),
        memory_bytes=_bounded(requests.get("memory", 0)),
        object=document,
    )


def _workload(snapshot: Snapshot, position: int, document: Object) -> Workload:
    replicas, ready = _replicas(document.get("spec") or {}, document.get("status") or {})
    return Workload(
        snapshot=snapshot,
        position=position,
        kind=str(kind_of(document)),
        namespace=namespace_of(document),
        name=document["metadata"]["name"],
        replicas=replicas,
        ready=ready,
        object=document,
    )


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


def _count_pods_on_nodes(rows: Rows) -> None:
    counts = Counter(pod.node_name for pod in rows.pods if pod.node_name and pod.phase not in ENDED_PHASES)
    for node in rows.nodes:
        node.pods_count = counts[node.name]


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
