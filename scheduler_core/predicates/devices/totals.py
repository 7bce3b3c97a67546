"""How many devices of a class a node has, and how many of them are taken: what scores count.

Source: kubernetes v1.36 plugins/noderesources resource_allocation.go calculateDRAResourceTotals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scheduler_core.objects.dynamic_resources import Device, DeviceClass, DeviceId, ResourceSlice
from scheduler_core.objects.types import Node
from scheduler_core.predicates.devices.identity import AllocationError
from scheduler_core.predicates.devices.node_match import reaches, selector_matches
from scheduler_core.predicates.devices.selecting import Selecting
from scheduler_core.state.device_claims import DeviceClaims
from scheduler_core.state.devices_in_use import DevicesInUse


def device_totals(claims: DeviceClaims, resource: str, nodes: list[Node]) -> list[tuple[int, int]]:
    """Return by node how many devices stand behind a resource and how many are taken; 0 where it has none."""
    device_class = claims.classes[claims.classes_by_resource[resource]]
    taken, selecting = claims.in_use, Selecting()
    return [_on_node(claims, node, device_class, taken, selecting) for node in nodes]


def asks_selectors(claims: DeviceClaims, resource: str, nodes: Iterable[Node]) -> bool:
    """Return whether the devices of some node are held against CEL selectors to count them for a resource."""
    device_class = claims.classes[claims.classes_by_resource[resource]]
    if not any(selector.cel is not None for selector in device_class.spec.selectors or ()):
        return False
    return any(True for node in nodes for _ in _devices(claims, node))


def _on_node(
    claims: DeviceClaims, node: Node, device_class: DeviceClass, taken: DevicesInUse, selecting: Selecting
) -> tuple[int, int]:
    devices = allocated = 0
    try:
        for one, device in _devices(claims, node):
            driver, pool = one.spec.driver, one.spec.pool.name
            if selecting.matches(device_class.spec.selectors, driver, device, ""):
                identity = DeviceId(driver, pool, device.name)
                devices += 1
                allocated += identity in taken.devices or identity in taken.shared
    except AllocationError:
        return 0, 0  # kube-scheduler logs the error and goes on
    return devices, allocated


def _devices(claims: DeviceClaims, node: Node) -> Iterator[tuple[ResourceSlice, Device]]:
    """Yield the devices that a node reaches; whether their pools are sound isn't asked."""
    for one in claims.slices:
        spec = one.spec
        for device in spec.devices or ():
            if reaches(device, node) if spec.per_device_node_selection else _reaches(one, node):
                yield one, device


def _reaches(one: ResourceSlice, node: Node) -> bool:
    spec = one.spec
    if spec.all_nodes or spec.node_name == node.metadata.name:
        return True
    if spec.node_selector is not None:
        return selector_matches(spec.node_selector, node)
    return not spec.node_name
