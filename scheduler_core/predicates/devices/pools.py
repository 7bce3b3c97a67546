"""The pools of devices that a node sees, and which of them can't be used.

Source: kubernetes v1.36 dynamic-resource-allocation structured/internal/incubating pools.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from scheduler_core.objects.dynamic_resources import CounterSet, Device, DeviceId, ResourceSlice
from scheduler_core.objects.types import Node
from scheduler_core.predicates.devices.identity import PoolId
from scheduler_core.predicates.devices.node_match import reaches


@dataclass(eq=False)
class Candidate:
    """A device with where it is; `pool` is missing where a request for All found it."""

    id: DeviceId
    device: Device
    slice: ResourceSlice
    pool: Pool | None = None


@dataclass(eq=False)
class Pool:
    """A pool as one node sees it: `slices` have devices for the node, `elsewhere` are its other ones.

    `fault` says why none of its devices is taken: the pool is "incomplete" or "invalid".
    """

    id: PoolId
    slices: list[ResourceSlice] = field(default_factory=list)
    elsewhere: list[ResourceSlice] = field(default_factory=list)
    counter_sets: dict[str, CounterSet] = field(default_factory=dict)
    fault: str = ""

    @cached_property
    def candidates(self) -> list[Candidate]:
        """All its devices for the node, in the order in which they are tried."""
        return [
            Candidate(DeviceId(*self.id, device.name), device, one, self)
            for one in self.slices
            for device in one.spec.devices or ()
        ]

    @property
    def has_binding_conditions(self) -> bool:
        """Whether a device must be made ready before a pod is bound; such pools come last."""
        devices = (device for one in self.slices for device in one.spec.devices or ())
        return any(device.binding_conditions is not None for device in devices)


class Slices:
    """All slices of a cluster, by who can see them."""

    def __init__(self, slices: Iterable[ResourceSlice]) -> None:
        self._on_node: dict[str, list[ResourceSlice]] = {}
        self._shared: list[ResourceSlice] = []
        self._of_pool: dict[PoolId, list[ResourceSlice]] = {}
        self._seen: dict[str, tuple[Node, list[Pool]]] = {}
        for one in slices:
            self._of_pool.setdefault(_pool_of(one), []).append(one)
            if one.spec.node_name and not one.spec.shared_counters:
                self._on_node.setdefault(one.spec.node_name, []).append(one)
            else:
                self._shared.append(one)

    @cached_property
    def node_of_pool(self) -> dict[str, str] | None:
        """The node that alone has devices of the pools of a name; None where several nodes may have some.

        Then nothing but what is taken of a node's own devices changes what a search finds on the node.
        """
        found: dict[str, str] = {}
        for one in (one for slices in self._of_pool.values() for one in slices if one.spec.devices):
            node = one.spec.node_name
            if not node or found.setdefault(one.spec.pool.name, node) != node:
                return None
        return found

    def unseen(self, node: Node) -> tuple[int, int]:
        """Return how many devices are in slices for other nodes, and in those of older generations."""
        elsewhere = replaced = 0
        for pool, slices in self._of_pool.items():
            newest = self.newest(pool)
            for one in slices:
                number = len(one.spec.devices or ())
                if one.spec.pool.generation < newest[0].spec.pool.generation:
                    replaced += number
                elif not _is_seen(one, node):
                    elsewhere += number
        return elsewhere, replaced

    def newest(self, pool: PoolId) -> list[ResourceSlice]:
        """Return the slices of a pool's newest generation, whoever sees them."""
        found: list[ResourceSlice] = []
        for one in self._of_pool.get(pool, ()):
            _add_newest(found, one)
        return found

    def pools(self, node: Node) -> list[Pool]:
        """Return the pools that a node sees, in the order in which their devices are tried."""
        known = self._seen.get(node.metadata.name)
        if known is None or known[0] is not node:
            known = self._seen[node.metadata.name] = (node, self._gathered(node))
        return known[1]

    def _gathered(self, node: Node) -> list[Pool]:
        seen: dict[PoolId, list[ResourceSlice]] = {}
        for one in [*self._on_node.get(node.metadata.name, ()), *self._shared]:
            if _is_seen(one, node):
                _add_newest(seen.setdefault(_pool_of(one), []), one)
        made = (self._pool(pool, slices) for pool, slices in sorted(seen.items()))
        pools = [pool for pool in made if pool is not None]
        return sorted(pools, key=lambda pool: pool.has_binding_conditions)

    def _pool(self, pool: PoolId, seen: list[ResourceSlice]) -> Pool | None:
        """Return the pool of these slices; None for one that a newer generation has replaced."""
        wanted = seen[0].spec.pool
        if len(seen) == wanted.resource_slice_count:
            return _built(pool, seen, [])
        everywhere = self._of_pool[pool]
        if any(one.spec.pool.generation > wanted.generation for one in everywhere):
            return None
        whole = [one for one in everywhere if one.spec.pool.generation == wanted.generation]
        if len(whole) != wanted.resource_slice_count:
            return Pool(pool, fault="incomplete")
        names = {one.metadata.name for one in seen}
        return _built(pool, seen, [one for one in whole if one.metadata.name not in names])


def _pool_of(one: ResourceSlice) -> PoolId:
    return PoolId(one.spec.driver, one.spec.pool.name)


def _is_seen(one: ResourceSlice, node: Node) -> bool:
    """Return whether a node sees a slice: counters are seen from everywhere."""
    spec = one.spec
    if spec.shared_counters:
        return True
    if spec.node_name or spec.all_nodes or spec.node_selector is not None:
        return reaches(spec, node)
    return bool(spec.per_device_node_selection) and any(
        reaches(device, node) for device in spec.devices or ()
    )


def _add_newest(slices: list[ResourceSlice], one: ResourceSlice) -> None:
    """Add a slice to those of the newest generation."""
    if slices and one.spec.pool.generation < slices[0].spec.pool.generation:
        return
    if slices and one.spec.pool.generation > slices[0].spec.pool.generation:
        slices.clear()
    slices.append(one)


def _built(pool: PoolId, seen: list[ResourceSlice], elsewhere: list[ResourceSlice]) -> Pool:
    seen = sorted(seen, key=lambda one: one.metadata.name)
    with_devices = [one for one in seen if not one.spec.shared_counters]
    sets = [counters for one in seen for counters in one.spec.shared_counters or ()]
    counter_sets = {counters.name: counters for counters in sets}
    names = [device.name for one in with_devices for device in one.spec.devices or ()]
    is_sound = (
        len(set(names)) == len(names)
        and len(counter_sets) == len(sets)
        and _counters_exist(counter_sets, [*seen, *elsewhere])
    )
    if not is_sound:
        return Pool(pool, fault="invalid")
    return Pool(pool, with_devices, elsewhere, counter_sets)


def _counters_exist(counter_sets: dict[str, CounterSet], slices: Sequence[ResourceSlice]) -> bool:
    """Return whether there is each counter that a device consumes."""
    devices = (device for one in slices for device in one.spec.devices or ())
    return all(
        consumed.counter_set in counter_sets
        and consumed.counters.keys() <= counter_sets[consumed.counter_set].counters.keys()
        for device in devices
        for consumed in device.consumes_counters or ()
    )
