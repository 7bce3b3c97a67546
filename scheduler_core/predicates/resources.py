"""What nodes have of a resource and what is taken of it, and which resources a score looks at.

Source: kubernetes v1.36 plugins/noderesources resource_allocation.go; pkg/scheduler/apis/config/v1
defaults.go defaultResourceSpec.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from scheduler_core.predicates.devices.totals import asks_selectors, device_totals
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.device_claims import DeviceClaims
from scheduler_core.state.nodes import IntArray

EXACT = 2**53
"""Below this a product with 100 stays below 2**63, and a 64-bit float holds every whole number."""
FEW = 16
"""Up to so many nodes plain numbers cost less than arrays."""
NATIVE = ("cpu", "memory", "ephemeral-storage")
"""The resources that every node has."""
_DEFAULT_RESOURCES: list[dict[str, Any]] = [{"name": "cpu", "weight": 1}, {"name": "memory", "weight": 1}]


def weighted_resources(resources: Iterable[Mapping[str, Any]] | None) -> list[tuple[str, int]]:
    """Return (name, weight) of a strategy's resources; a weight of 0 means 1."""
    return [
        (entry.get("name") or "", int(entry.get("weight") or 1)) for entry in resources or _DEFAULT_RESOURCES
    ]


def amount_columns(
    state: ClusterState, name: str, *, non_zero: bool, emptied: bool = False, devices: bool = True
) -> tuple[IntArray, IntArray]:
    """Return (allocatable, allocated) of one resource, shape (nodes,): columns that follow the pods.

    With `non_zero`, cpu and memory count pods without requests as 100m and 200 MiB a container.
    With `emptied` no pod is counted. Where a node has nothing of a resource that a DeviceClass stands behind,
    its devices are counted, unless `devices` is false.
    """
    claims = state.device_claims if devices else None
    if claims is not None and name in claims.classes_by_resource:
        return _with_devices(state, claims, name, *_plain_columns(state, name, non_zero, emptied))
    return _plain_columns(state, name, non_zero, emptied)


def needs_selectors(state: ClusterState, name: str, nodes: IntArray) -> bool:
    """Return whether a resource is counted by devices on one of these nodes, told by a class's selectors."""
    claims = state.device_claims
    if claims is None or name not in claims.classes_by_resource:
        return False
    allocatable, _ = _plain_columns(state, name, non_zero=False, emptied=False)
    without = nodes[allocatable[nodes] == 0]
    return asks_selectors(claims, name, (state.nodes.objects[node] for node in without.tolist()))


def _with_devices(
    state: ClusterState, claims: DeviceClaims, name: str, allocatable: IntArray, allocated: IntArray
) -> tuple[IntArray, IntArray]:
    totals = np.array(device_totals(claims, name, state.nodes.objects), dtype=np.int64).reshape(-1, 2)
    counted = (allocatable == 0) & (totals[:, 0] > 0)
    return np.where(counted, totals[:, 0], allocatable), np.where(counted, totals[:, 1], allocated)


def _plain_columns(
    state: ClusterState, name: str, non_zero: bool, emptied: bool
) -> tuple[IntArray, IntArray]:
    column = state.nodes.resources.column.get(name)
    if column is None:
        nothing = np.zeros(len(state.nodes), dtype=np.int64)
        return nothing, nothing
    allocatable = state.nodes.allocatable[:, column]
    if emptied:
        return allocatable, np.zeros(len(state.nodes), dtype=np.int64)
    if non_zero and name == "cpu":
        return allocatable, state.non_zero_cpu
    if non_zero and name == "memory":
        return allocatable, state.non_zero_memory
    return allocatable, state.requested[:, column]
