"""What the map of a snapshot's nodes shows of each: what there is, what is asked for, and what marks it."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, TypedDict

from django.db.models import F, OuterRef, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from dashboard.models import Node, Pod, Snapshot
from dashboard.queries.node_devices import devices_requested
from scheduler_core.objects.amounts.go_quantity import resource_amount
from scheduler_core.objects.identity import ENDED_PHASES

_OWN = ("name", "requested", "pods")
NO_GROUPS: Mapping[str, Mapping[str, str]] = {}


class MapNode(TypedDict):
    """A node as the debugger's map has it, and what its pods ask for. Amounts are in the log's units."""

    name: str
    labels: dict[str, str]
    unschedulable: bool
    ready: bool
    taints: list[dict[str, str]]
    allocatable: dict[str, int]
    requested: dict[str, int]
    pods: int
    pod_limit: int


class PackedNodes(TypedDict):
    """Nodes for a page: each has a place among what nodes are `alike` in, and what is its own."""

    alike: list[dict[str, Any]]
    nodes: list[dict[str, Any]]


def nodes_of(snapshot: Snapshot) -> QuerySet[Node]:
    """The snapshot's nodes with what the pods on each request."""
    running = Pod.objects.filter(snapshot=snapshot, node_name=OuterRef("name")).exclude(
        phase__in=ENDED_PHASES
    )

    def requested(column: str) -> Coalesce:
        total = running.order_by().values("node_name").annotate(total=Sum(column)).values("total")
        return Coalesce(Subquery(total), 0)

    nodes = Node.objects.filter(snapshot=snapshot).defer("object")
    return nodes.annotate(
        cpu_requested=requested("cpu_milli"), memory_requested=requested("memory_bytes")
    ).annotate(
        cpu_share=F("cpu_requested") * 10_000 / (F("cpu_milli") + 1),
        memory_share=F("memory_requested") * 10_000 / (F("memory_bytes") + 1),
    )


def map_nodes(
    snapshot: Snapshot, nodes: QuerySet[Node], groups: Mapping[str, Mapping[str, str]] = NO_GROUPS
) -> list[MapNode]:
    """Return nodes of a snapshot; of labels they have `zone` and `pool`, and the groups that are given.

    nodes: with what their pods request of cpu and memory (`nodes_of`).
    groups: by their words, the group of each node by its name.
    """
    devices = devices_requested(snapshot)
    return [_node(row, devices.get(row.name, {}), groups) for row in nodes.defer(None)]


def packed(nodes: Iterable[MapNode]) -> PackedNodes:
    """Return nodes with what many have alike said once: a page of thousands is then half as heavy."""
    places: dict[str, int] = {}
    alike: list[dict[str, Any]] = []
    own: list[dict[str, Any]] = []
    for node in nodes:
        shared = {name: value for name, value in node.items() if name not in _OWN}
        place = places.setdefault(json.dumps(shared), len(alike))
        if place == len(alike):
            alike.append(shared)
        own.append({"alike": place} | {name: value for name, value in node.items() if name in _OWN})
    return {"alike": alike, "nodes": own}


def _node(row: Any, devices: dict[str, int], groups: Mapping[str, Mapping[str, str]]) -> MapNode:
    spec, status = row.object.get("spec") or {}, row.object.get("status") or {}
    labels = [("zone", row.zone), ("pool", row.pool)]
    labels += [(what, of_nodes.get(row.name, "")) for what, of_nodes in groups.items()]
    allocatable = {
        name: resource_amount(name, text) for name, text in (status.get("allocatable") or {}).items()
    }
    return {
        "name": row.name,
        "labels": {name: text for name, text in labels if text},
        "unschedulable": row.unschedulable,
        "ready": _is_ready(status.get("conditions") or []),
        "taints": [_taint(taint) for taint in spec.get("taints") or []],
        "allocatable": {name: amount for name, amount in allocatable.items() if name != "pods"},
        "requested": {"cpu": row.cpu_requested, "memory": row.memory_requested, **devices},
        "pods": row.pods_count,
        "pod_limit": row.pods_limit,
    }


def _is_ready(conditions: list[dict[str, Any]]) -> bool:
    """Return whether a node doesn't say that it isn't ready."""
    return all(one.get("status") == "True" for one in conditions if one.get("type") == "Ready")


def _taint(taint: dict[str, Any]) -> dict[str, str]:
    return {name: str(taint.get(name) or "") for name in ("key", "value", "effect")}
