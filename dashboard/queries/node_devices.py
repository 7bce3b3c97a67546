"""What nodes have of devices and other resources that only some nodes have, and what their pods request."""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast

from dashboard.models import Node, Pod, Snapshot
from dashboard.queries.pod_asks import ELSEWHERE, asks_of
from scheduler_core.objects.amounts.go_quantity import resource_amount
from scheduler_core.objects.identity import ENDED_PHASES


class NodeDevices(NamedTuple):
    """Amounts by resource, in the log's units."""

    requested: Mapping[str, int]
    allocatable: Mapping[str, int]


NO_DEVICES = NodeDevices({}, {})


def devices_of_nodes(nodes: Iterable[Node]) -> dict[int, NodeDevices]:
    """Return the devices of nodes of one snapshot by their keys; of a page the objects are read by these."""
    found = nodes if isinstance(nodes, QuerySet) else Node.objects.filter(pk__in=[node.pk for node in nodes])
    first = found.first()
    if first is None or not device_names(first.snapshot):
        return {}
    rows = list(found.order_by().values_list("pk", "name", "object__status__allocatable").iterator())
    requested = devices_requested(first.snapshot, [] if found is nodes else [name for _, name, _ in rows])
    return {
        pk: NodeDevices(requested.get(name, {}), _devices_among(allocatable or {}))
        for pk, name, allocatable in rows
    }


def device_names(snapshot: Snapshot) -> list[str]:
    """Return the resources of a snapshot that have no columns of their own."""
    return list(filter(_is_device, snapshot.resources))


def devices_requested(snapshot: Snapshot, nodes: Iterable[str] = ()) -> dict[str, dict[str, int]]:
    """Return what pods on each node ask for of devices; only pods that name one are read.

    nodes: of these alone; none for all.
    """
    names = device_names(snapshot)
    if not names:
        return {}
    naming = reduce(or_, (Q(text__contains=f'"{name}"') for name in names))
    pods = Pod.objects.filter(snapshot=snapshot).exclude(node_name="").exclude(phase__in=ENDED_PHASES)
    if chosen := list(nodes):
        pods = pods.filter(node_name__in=chosen)
    found: dict[str, Counter[str]] = {}
    rows = pods.annotate(text=Cast("object", TextField())).filter(naming).order_by()
    for node, document in rows.values_list("node_name", "object").iterator():
        asks = {name: amount for name, amount in asks_of(document).items() if name not in ELSEWHERE}
        found.setdefault(node, Counter()).update(asks)
    return {node: dict(sums) for node, sums in found.items()}


def _devices_among(allocatable: Mapping[str, Any]) -> dict[str, int]:
    return {name: resource_amount(name, text) for name, text in allocatable.items() if _is_device(name)}


def _is_device(resource: str) -> bool:
    return resource not in ELSEWHERE and resource != "pods"
