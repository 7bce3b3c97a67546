"""Which nodes can reach a volume, a class's new volumes, or a pool of storage.

Answers are rows or masks over all nodes and are remembered: nodes and storage objects never change under
one `VolumeTopology`.

Source: k8s.io/component-helpers v0.36 storage/volume CheckNodeAffinity; kubernetes v1.36
pkg/apis/core/v1/helper MatchTopologySelectorTerms, plugins/volumebinding binder.go (hasEnoughCapacity,
tryTranslatePVToCSI).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

import numpy as np

from scheduler_core.objects.amounts.quantity import parse_quantity
from scheduler_core.objects.selectors import NodeTerm, from_label_selector, from_node_terms
from scheduler_core.objects.storage import CSIStorageCapacity, PersistentVolume, StorageClass, TopologyTerm
from scheduler_core.objects.types import NodeSelectorTerm
from scheduler_core.predicates.volumes import migration as volume_migration
from scheduler_core.predicates.volumes.faults import MigrationError, MigrationFault
from scheduler_core.predicates.volumes.migration import InTreePlugin
from scheduler_core.state.nodes import BoolArray, IntArray, NodeTable, allocatable_of
from scheduler_core.state.volumes import Volumes

_NANOS = 10**9
NO_POOL = -1
NOT_ANNOUNCED = -1


def whole_bytes(quantity: str | int | float | None) -> int:
    """Return an amount of storage in bytes, rounded up."""
    return -(-parse_quantity(quantity).nanos // _NANOS)


class _Pool(NamedTuple):
    """Storage of a class: bytes of the largest volume and of all; which nodes reach it, shape (nodes,)."""

    limit: int
    capacity: int
    reached: BoolArray


class VolumeTopology:
    """The nodes of a cluster as its storage sees them."""

    def __init__(self, nodes: NodeTable, volumes: Volumes) -> None:
        self.nodes = nodes
        self.volumes = volumes
        self._rows: dict[tuple[NodeTerm, ...], IntArray] = {}
        self._of_volume: dict[str, IntArray] = {}
        self._values: dict[str, dict[str, IntArray]] = {}
        self._allowed: dict[str, BoolArray] = {}
        self._pools: dict[str, list[_Pool]] = {}
        self._announced: dict[str, IntArray] = {}

    # -- volumes -------------------------------------------------------------------------------------

    def rows_of(self, volume: PersistentVolume) -> IntArray:
        """Return the nodes that satisfy the volume's own node affinity, sorted."""
        name = volume.metadata.name
        if name not in self._of_volume:
            self._of_volume[name] = self._rows_of_terms(volume_migration.required_terms(volume))
        return self._of_volume[name]

    def reach(self, volume: PersistentVolume) -> tuple[BoolArray, BoolArray, MigrationFault | None]:
        """Return the nodes that reach a bound volume, those on which asking is an error, and why.

        On nodes where the volume's in-tree plugin is migrated, its driver's topology counts.
        """
        reached = self._mask(self.rows_of(volume))
        failing = np.zeros(len(self.nodes), dtype=np.bool_)
        plugin = volume_migration.in_tree_plugin(volume.spec)
        if plugin is None or not plugin.migrated:
            return reached, failing, None
        migrated = self._migrated(plugin)
        if not migrated.any():
            return reached, failing, None
        try:
            terms = volume_migration.migrated_terms(plugin, volume)
        except MigrationError as error:
            return reached, migrated, error.fault
        return np.where(migrated, self._mask(self._rows_of_terms(terms)), reached), failing, None

    def _migrated(self, plugin: InTreePlugin) -> BoolArray:
        csi_nodes = self.volumes.csi_nodes
        answers = [volume_migration.migrated_on(plugin, csi_nodes.get(name)) for name in self.nodes.names]
        return np.array(answers, dtype=np.bool_)

    def _mask(self, rows: IntArray) -> BoolArray:
        mask = np.zeros(len(self.nodes), dtype=np.bool_)
        mask[rows] = True
        return mask

    def _rows_of_terms(self, terms: list[NodeSelectorTerm] | None) -> IntArray:
        """Return the nodes with labels of at least one term; a volume's terms never look at fields."""
        if terms is None:
            return self.nodes.all
        compiled = tuple(term._replace(fields=()) for term in from_node_terms(terms))
        if compiled not in self._rows:
            self._rows[compiled] = self._compute_rows(compiled)
        return self._rows[compiled]

    def _compute_rows(self, terms: tuple[NodeTerm, ...]) -> IntArray:
        """A single `In` is looked up by value: a local volume costs one step and not one for each node."""
        if len(terms) == 1 and len(terms[0].labels) == 1 and terms[0].labels[0].operator == "In":
            requirement = terms[0].labels[0]
            by_value = self._rows_by_value(requirement.key)
            found = [by_value[value] for value in requirement.values if value in by_value]
            return np.sort(np.concatenate(found)) if found else np.zeros(0, dtype=np.int64)
        return np.flatnonzero(self.nodes.any_term_selected(terms)).astype(np.int64)

    def _rows_by_value(self, key: str) -> dict[str, IntArray]:
        if key not in self._values:
            topology = self.nodes.topology(key)
            order = np.argsort(topology.domain, kind="stable")
            starts = np.searchsorted(topology.domain[order], np.arange(len(topology.values) + 1))
            self._values[key] = {
                value: order[starts[place] : starts[place + 1]].astype(np.int64)
                for place, value in enumerate(topology.values)
            }
        return self._values[key]

    # -- classes -------------------------------------------------------------------------------------

    def allowed(self, storage_class: StorageClass) -> BoolArray:
        """Return the nodes for which the class's volumes may be provisioned."""
        name = storage_class.metadata.name
        if name not in self._allowed:
            self._allowed[name] = self._match_terms(storage_class.allowed_topologies or ())
        return self._allowed[name]

    def _match_terms(self, terms: Iterable[TopologyTerm]) -> BoolArray:
        """Return the nodes that satisfy one term; all where there is no term, none for an empty one."""
        terms = list(terms)
        if not terms:
            return np.ones(len(self.nodes), dtype=np.bool_)
        matched = np.zeros(len(self.nodes), dtype=np.bool_)
        for term in terms:
            mask = np.full(len(self.nodes), bool(term.match_label_expressions))
            for requirement in term.match_label_expressions or ():
                by_value = self._rows_by_value(requirement.key)
                found = [by_value[value] for value in set(requirement.values or ()) if value in by_value]
                mask &= self._mask(np.concatenate(found)) if found else False
            matched |= mask
        return matched

    # -- storage capacity ----------------------------------------------------------------------------

    def counts_capacity(self, storage_class: StorageClass) -> bool:
        """Return whether the class's driver publishes how much storage it has left."""
        driver = self.volumes.csi_drivers.get(storage_class.provisioner)
        return driver is not None and bool(driver.spec.storage_capacity)

    def with_room(self, class_name: str, size: int) -> BoolArray:
        """Return the nodes that reach a pool of the class in which a volume of `size` bytes fits."""
        mask = np.zeros(len(self.nodes), dtype=np.bool_)
        for pool in self._pools_of(class_name):
            if pool.limit >= size:
                mask |= pool.reached
        return mask

    def room_for(self, class_name: str, size: int) -> IntArray:
        """Return the bytes left in the first pool of the class with room for `size`, NO_POOL without one.

        Shape (nodes,). The first is the one that was imported first; the real scheduler takes any of them.
        """
        room = np.full(len(self.nodes), NO_POOL, dtype=np.int64)
        for pool in self._pools_of(class_name):
            if pool.limit >= size:
                room[pool.reached & (room == NO_POOL)] = pool.capacity
        return room

    def largest_room(self, class_name: str, node: int) -> int:
        """Return the size in bytes of the largest volume of the class that the node could still get."""
        return max((pool.limit for pool in self._pools_of(class_name) if pool.reached[node]), default=0)

    def _pools_of(self, class_name: str) -> list[_Pool]:
        if class_name not in self._pools:
            pools = [item for item in self.volumes.capacities if item.storage_class_name == class_name]
            self._pools[class_name] = [
                _Pool(whole_bytes(limit), whole_bytes(item.capacity or 0), self._pool_mask(item))
                for item in pools
                if (limit := _volume_limit(item)) is not None
            ]
        return self._pools[class_name]

    def _pool_mask(self, capacity: CSIStorageCapacity) -> BoolArray:
        selector = from_label_selector(capacity.node_topology)
        if selector is None:
            return np.zeros(len(self.nodes), dtype=np.bool_)
        return self.nodes.selected(selector)

    # -- CSI nodes -----------------------------------------------------------------------------------

    @cached_property
    def has_csi_node(self) -> BoolArray:
        """Which nodes have a CSINode."""
        return np.array([name in self.volumes.csi_nodes for name in self.nodes.names], dtype=np.bool_)

    @cached_property
    def limits(self) -> dict[str, IntArray]:
        """How many volumes of each driver a node can hold, -1 where no limit is known, shape (nodes,)."""
        limits: dict[str, IntArray] = {}
        for row, name in enumerate(self.nodes.names):
            csi_node = self.volumes.csi_nodes.get(name)
            for driver in (csi_node.spec.drivers if csi_node else None) or ():
                if driver.allocatable is not None and driver.allocatable.count is not None:
                    column = limits.setdefault(driver.name, np.full(len(self.nodes), -1, dtype=np.int64))
                    column[row] = driver.allocatable.count
        return limits

    def announced(self, resource: str) -> IntArray:
        """Return how much of a resource nodes say they have, or NOT_ANNOUNCED, shape (nodes,)."""
        if resource not in self._announced:
            amounts = [allocatable_of(node).get(resource, NOT_ANNOUNCED) for node in self.nodes.objects]
            self._announced[resource] = np.array(amounts, dtype=np.int64)
        return self._announced[resource]


def _volume_limit(capacity: CSIStorageCapacity) -> str | int | float | None:
    """Return the larger-grained of the two limits only where the finer one is missing."""
    if capacity.maximum_volume_size is not None:
        return capacity.maximum_volume_size
    return capacity.capacity


class TopologyCache:
    """Keeps the topology of the cluster that was asked about last."""

    def __init__(self) -> None:
        self._last: VolumeTopology | None = None
        self._versions = (0, 0)

    def of(self, nodes: NodeTable, volumes: Volumes) -> VolumeTopology:
        """Return the topology of these nodes and storage objects."""
        last = self._last
        if (
            last is None
            or last.nodes is not nodes
            or last.volumes is not volumes
            or self._versions != (nodes.version, volumes.version)
        ):
            last = self._last = VolumeTopology(nodes, volumes)
            self._versions = nodes.version, volumes.version
        return last
