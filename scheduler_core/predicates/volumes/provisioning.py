"""Where a claim's volume can be made: as its class's topologies and its driver's capacity allow.

Source: kubernetes v1.36 plugins/volumebinding binder.go checkVolumeProvisions, hasEnoughCapacity.
"""

from typing import NamedTuple

import numpy as np

from scheduler_core.objects import storage
from scheduler_core.objects.storage import PersistentVolumeClaim, StorageClass
from scheduler_core.predicates.volumes.topology import NO_POOL, VolumeTopology, whole_bytes
from scheduler_core.state.nodes import BoolArray

NO_PROVISIONER = "kubernetes.io/no-provisioner"


class Provision(NamedTuple):
    """A claim whose volume is to be made, and the nodes for which it would be (bool, by node)."""

    claim: PersistentVolumeClaim
    on_nodes: BoolArray

    def storage_class(self, topology: VolumeTopology) -> StorageClass:
        """Return the class of the claim."""
        return topology.volumes.classes[storage.class_of_claim(self.claim)]

    def refused(self, on_nodes: BoolArray, topology: VolumeTopology) -> tuple[BoolArray, BoolArray]:
        """Return on which of the nodes it can't be made at all, and on which others there is no room."""
        storage_class = self.storage_class(topology)
        refused = on_nodes & ~topology.allowed(storage_class)
        if storage_class.provisioner in ("", NO_PROVISIONER):
            refused = on_nodes
        full = np.zeros(len(on_nodes), dtype=np.bool_)
        size = storage.requested_storage(self.claim)
        if size is not None and topology.counts_capacity(storage_class):
            full = on_nodes & ~refused & ~topology.with_room(storage_class.metadata.name, whole_bytes(size))
        return refused, full

    def storage_on(self, node: int, topology: VolumeTopology) -> tuple[int, int] | None:
        """Return (requested, left) in bytes on a node; None where it isn't made there, or nothing is said."""
        size, name = storage.requested_storage(self.claim), storage.class_of_claim(self.claim)
        if (
            not self.on_nodes[node]
            or size is None
            or not topology.counts_capacity(self.storage_class(topology))
        ):
            return None
        room = int(topology.room_for(name, whole_bytes(size))[node])
        return None if room == NO_POOL else (whole_bytes(size), room)
