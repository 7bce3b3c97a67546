"""From a snapshot's Kubernetes objects to a ClusterState."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec

from scheduler_core.objects import types
from scheduler_core.objects.amounts import requests
from scheduler_core.objects.amounts.quantity import QuantityError
from scheduler_core.objects.identity import ENDED_PHASES
from scheduler_core.objects.imports.pods_with_devices import Devices
from scheduler_core.objects.kinds import (
    NAMESPACE,
    NODE,
    POD,
    POD_DISRUPTION_BUDGET,
    Kind,
    kind_of,
    kind_of_view,
)
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.device_claims import DeviceClaims
from scheduler_core.state.nodes import NodeTable, ResourceNames, allocatable_of
from scheduler_core.state.pods import DEFAULT_ACCOUNTING, Accounting, PodTable
from scheduler_core.state.surroundings import KINDS, Budget, budget_of, groups_of, labels_of
from scheduler_core.state.volumes import Volumes

Objects = Sequence[dict[str, Any]]


@dataclass(frozen=True)
class Built:
    """The state, and which of its pods are pending, in the order of import."""

    state: ClusterState
    pending: list[int]


def build_state(
    objects: Objects,
    accounting: Accounting = DEFAULT_ACCOUNTING,
    *,
    more: Objects = (),
    with_claims: bool = False,
    class_resources: bool = True,
    failing_devices: Sequence[str] = (),
) -> Built:
    """Return the cluster that the objects describe, as a scheduler with this accounting sees it.

    The resources of `more`, which come later, are known from the start. `with_claims`: pods get devices for
    their ResourceClaims, where `failing_devices` can't be made ready at first. `class_resources`: a
    DeviceClass may stand behind an extended resource.

    Succeeded and Failed pods are left out; a pod on a node that is not among the objects takes no room.
    Raises BadInput where an object cannot be read.
    """
    by_kind = _by_kind(objects)
    nodes = [_typed(document, types.Node) for document in by_kind.get(NODE, ())]
    pods = [_typed(document, types.Pod) for document in by_kind.get(POD, ())]
    pods = [pod for pod in pods if pod.status.phase not in ENDED_PHASES]
    keys = [requests.asked_for(pod) if accounting is DEFAULT_ACCOUNTING else None for pod in pods]
    unlike = _unlike(pods, keys)
    resources = ResourceNames(
        _resource_names([*nodes, *_of(more, types.Node)], [*unlike, *_of(more, types.Pod)])
    )
    table = PodTable(resources, accounting)
    table.extend(pods, keys)
    others = [item for kind, items in by_kind.items() if kind not in (NODE, POD) for item in items]
    surroundings = [item for kind in KINDS for item in by_kind.get(kind, ())]
    state = ClusterState(
        NodeTable(nodes, resources),
        table,
        [_budget(item) for item in by_kind.get(POD_DISRUPTION_BUDGET, ())],
        {item["metadata"]["name"]: labels_of(item) for item in by_kind.get(NAMESPACE, ())},
        groups_of(surroundings),
        Volumes(others),
        Devices(others, by_class=class_resources),
        surroundings,
    )
    if with_claims:
        state.device_claims = DeviceClaims(
            state.journal, objects, failing_devices, class_resources=class_resources
        )
    pending = [info.row for info in table.infos if not info.pod.spec.node_name]
    bound = [(info, info.pod.spec.node_name) for info in table.infos if info.pod.spec.node_name]
    state.placement.begin((node, info.row) for info, node in bound)
    for info, node in bound:
        state.taken_ports.take(info.host_ports, node)
    state.forget_journal()
    return Built(state, pending)


def _unlike(pods: list[types.Pod], keys: list[bytes | None]) -> list[types.Pod]:
    """Return the pods without those that ask for the same as one before."""
    seen: set[bytes] = set()
    found = []
    for pod, key in zip(pods, keys, strict=True):
        if key is None or key not in seen:
            found.append(pod)
        if key is not None:
            seen.add(key)
    return found


def _of(objects: Objects, view: type[types.T]) -> list[types.T]:
    kind = kind_of_view(view)
    return [_typed(item, view) for item in objects if kind_of(item) == kind]


def _by_kind(objects: Objects) -> dict[Kind, list[dict[str, Any]]]:
    by_kind: dict[Kind, list[dict[str, Any]]] = {}
    for document in objects:
        by_kind.setdefault(kind_of(document), []).append(document)
    return by_kind


def object_name(document: Mapping[str, Any]) -> str:
    """Return how messages name an object: `Pod shop/cart-0`, `Node node-1`."""
    metadata = document.get("metadata") or {}
    parts = [metadata.get("namespace"), metadata.get("name") or "(no name)"]
    return f"{document.get('kind', 'object')} {'/'.join(part for part in parts if part)}"


def _typed(document: dict[str, Any], kind: type[types.T]) -> types.T:
    try:
        return types.convert(document, kind)
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at `$")
        raise BadInput([Problem(object_name(document), path.strip("`."), reason)]) from error


def _resource_names(nodes: Iterable[types.Node], pods: Iterable[types.Pod]) -> set[str]:
    names: set[str] = set()
    for node in nodes:
        names |= _names_in(f"Node {node.metadata.name}", "status.allocatable", allocatable_of, node)
    for pod in pods:
        owner = f"Pod {pod.metadata.namespace or 'default'}/{pod.metadata.name}"
        names |= _names_in(owner, "spec", partial(requests.pod_requests, running=True), pod)
    return {name for name in names if requests.counted_by_scheduler(name)}


def _names_in(owner: str, field: str, read: Callable[[types.T], dict[str, int]], item: types.T) -> set[str]:
    try:
        return set(read(item))
    except QuantityError as error:
        raise BadInput([Problem(owner, field, str(error))]) from error


def _budget(document: dict[str, Any]) -> Budget:
    _typed(document, types.PodDisruptionBudget)
    return budget_of(document)
