"""Searches for devices, kept for the next pod whose claims ask for the same.

Only where each pool has its devices on one node, and where all claims of a pod have none yet: then nothing
but what is taken of a node's own devices changes what is found there. A search that ends in an error is not
kept, for its text names the claim.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np

from scheduler_core.equivalence.cache import EquivalenceCache, classes_within
from scheduler_core.objects.dynamic_resources import DeviceClass, ResourceClaim
from scheduler_core.predicates.devices.pools import Slices
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.devices_in_use import DevicesInUse
from scheduler_core.state.nodes import IntArray

UNKNOWN = -1
_MOST_BYTES = 64 * 1024 * 1024
_BYTES_OF_A_NODE = 24
_encoder = msgspec.msgpack.Encoder()


class KeptSearches:
    """What was found by what claims ask for."""

    def __init__(self) -> None:
        self._cache: EquivalenceCache[bytes, KeptSearch] = EquivalenceCache()
        self._slices: Slices | None = None
        self._classes: Mapping[str, DeviceClass] | None = None

    def of(
        self,
        claims: Sequence[ResourceClaim],
        state: ClusterState,
        slices: Slices,
        classes: Mapping[str, DeviceClass],
        taken: DevicesInUse,
    ) -> KeptSearch | None:
        """Return what is kept for claims, none of which has devices; None where nothing can be kept."""
        if slices.node_of_pool is None:
            return None
        if slices is not self._slices or classes is not self._classes:
            self._cache.clear()
            self._slices, self._classes = slices, classes
        key = _encoder.encode([claim.spec for claim in claims])
        known = self._cache.find(key)
        if known is None or not known.is_about(state, taken):
            most = classes_within(_MOST_BYTES, _BYTES_OF_A_NODE * len(state.nodes))
            known = self._cache.keep(key, KeptSearch(state, taken), most)
        known.follow(slices.node_of_pool)
        return None if known.is_spoilt else known


class KeptSearch:
    """The code of each node, shape (nodes,), and the points of those with devices, as of a version.

    `is_spoilt`: some search ended in an error, so that none is kept.
    """

    def __init__(self, state: ClusterState, taken: DevicesInUse) -> None:
        self._state = state
        self._nodes = list(state.nodes.objects)
        self._taken = taken
        self._version = taken.version
        self.codes: IntArray = np.full(len(self._nodes), UNKNOWN, dtype=np.int64)
        self.points: IntArray = np.zeros(len(self._nodes), dtype=np.int64)
        self.is_spoilt = False

    def is_about(self, state: ClusterState, taken: DevicesInUse) -> bool:
        """Return whether it was kept about these devices and these nodes."""
        return taken is self._taken and state is self._state and state.nodes.objects == self._nodes

    def follow(self, node_of_pool: Mapping[str, str]) -> None:
        """Forget what was found on nodes of which a device was taken or given back since."""
        index = self._state.nodes.index
        for pool in self._taken.pools_since(self._version):
            node = index.get(node_of_pool.get(pool, ""))
            if node is not None:
                self.codes[node] = UNKNOWN
        self._version = self._taken.version
