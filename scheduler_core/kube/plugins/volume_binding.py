"""VolumeBinding: a pod goes where its volumes can be reached, found or made.

What is found on each node is `predicates/volumes/binder.py`; where volumes can be made, `provisioning.py`
beside it. Reserve keeps what was found for the pod in the profile's own view.

Source: kubernetes v1.36 plugins/volumebinding volume_binding.go, binder.go.

Hints: plugins/volumebinding volume_binding.go isSchedulableAfter..., binder.go volumeLimit.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from scheduler_core.events.decisions import Status
from scheduler_core.events.explanation import Figure
from scheduler_core.kube import wording
from scheduler_core.kube.framework import (
    SKIP,
    UNRESOLVABLE,
    Cycle,
    PreFilterAnswer,
    Rejected,
    ScorePlugin,
    View,
)
from scheduler_core.kube.gates import DEFAULT_GATES, Gates
from scheduler_core.kube.queueing.claim_hints import own_claims
from scheduler_core.kube.queueing.cluster_event import (
    CAPACITY,
    CSI_DRIVER,
    CSI_NODE,
    NODE,
    STORAGE_CLASS,
    VOLUME,
    Action,
    ClusterEvent,
)
from scheduler_core.kube.queueing.hint import ClusterView, Interest
from scheduler_core.kube.volume_keeping import VolumeKeeper
from scheduler_core.objects import storage
from scheduler_core.objects.amounts.quantity import parse_quantity
from scheduler_core.objects.storage import (
    CSIDriver,
    CSINode,
    CSIStorageCapacity,
    StorageClass,
)
from scheduler_core.objects.types import Pod
from scheduler_core.predicates.filter_state import FilterState
from scheduler_core.predicates.volumes import claims as volume_claims
from scheduler_core.predicates.volumes.binder import (
    BIND_CONFLICT,
    FIRST_FAULT,
    NO_SUCH_VOLUME,
    NODE_CONFLICT,
    NOT_ENOUGH_SPACE,
    NoBindingMode,
    PodVolumes,
    find_volumes,
    sort_out,
)
from scheduler_core.predicates.volumes.matching import VolumeMatcher
from scheduler_core.predicates.volumes.topology import (
    TopologyCache,
    whole_bytes,
)
from scheduler_core.state.nodes import IntArray
from scheduler_core.state.volumes import BinderView, Volumes


class VolumeBinding(VolumeKeeper, ScorePlugin):
    """PreFilter, Filter and Reserve. Its score stands behind a gate that is off by default."""

    name = "VolumeBinding"
    unprepared = "not found"
    reasons: ClassVar[Mapping[int, str]] = {
        NODE_CONFLICT: "node(s) didn't match PersistentVolume's node affinity",
        BIND_CONFLICT: "node(s) didn't find available persistent volumes to bind",
        NOT_ENOUGH_SPACE: "node(s) did not have enough free storage",
        NO_SUCH_VOLUME: "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)",
    }

    def listens_to(self) -> list[Interest]:
        """Return the events that may help a pod which this plugin rejected."""
        return _interests()

    def __init__(self, args: dict[str, Any] | None = None, gates: Gates = DEFAULT_GATES) -> None:
        super().__init__(args, gates)
        self.binder = BinderView()
        self._topologies = TopologyCache()
        self._matcher: VolumeMatcher | None = None

    # -- prefilter -----------------------------------------------------------------------------------

    def pre_filter(self, cycle: Cycle) -> PreFilterAnswer:
        volumes = cycle.state.volumes
        uses = list(volume_claims.claims_of(cycle.pod.pod))
        if not uses:
            return SKIP
        reason = _unusable_claim(cycle, volumes)
        if reason is not None:
            return Rejected(wording.rejection(self.name, UNRESOLVABLE, reason))
        try:
            claims = sort_out([volumes.claims[cycle.pod.namespace, use.claim] for use in uses], volumes)
        except NoBindingMode as error:
            text = f'VolumeBindingMode not set for StorageClass "{error}"'
            return Rejected(wording.pre_filter_error(self.name, text))
        if claims.immediate:
            reason = "pod has unbound immediate PersistentVolumeClaims"
            return Rejected(wording.rejection(self.name, UNRESOLVABLE, reason))
        return find_volumes(claims, self.binder, self._matcher_of(cycle))

    @staticmethod
    def bound_volumes(state: FilterState) -> list[str]:
        """Return the names of the volumes of bound claims, as PreFilter found them."""
        assert isinstance(state, PodVolumes)
        return [claim.spec.volume_name for claim in state.claims.bound]

    def _matcher_of(self, cycle: Cycle) -> VolumeMatcher:
        """Return the matcher of this cluster, a new one for another cluster."""
        topology = self._topologies.of(cycle.state.nodes, cycle.state.volumes)
        if self._matcher is None or self._matcher.topology is not topology:
            self._matcher = VolumeMatcher(topology)
        return self._matcher

    # -- filter --------------------------------------------------------------------------------------

    def filter(self, view: View, nodes: IntArray) -> IntArray:
        state = view.states[self.name]
        assert isinstance(state, PodVolumes)
        return state.codes[nodes]

    def status(self, state: FilterState | None, code: int) -> Status:
        if code >= FIRST_FAULT:
            assert isinstance(state, PodVolumes)
            fault = wording.migration_fault(state.faults[code - FIRST_FAULT])
            return wording.filter_error(self.name, f"could not translate pv: {fault}")
        return Status(self.name, UNRESOLVABLE, [text for bit, text in self.reasons.items() if code & bit])

    def numbers(self, view: View, node: int) -> list[Figure]:
        state = view.states[self.name]
        assert isinstance(state, PodVolumes)
        figures = []
        for provision in state.provisions:
            claim, storage_class = provision.claim, provision.storage_class(state.topology)
            if provision.on_nodes[node] and state.topology.counts_capacity(storage_class):
                name = storage_class.metadata.name
                figures.append(
                    Figure(
                        what=f"storage of class {name} for claim {claim.metadata.name}",
                        asked=whole_bytes(storage.requested_storage(claim)),
                        free=state.topology.largest_room(name, node),
                        unit="bytes",
                    )
                )
        return figures

    # -- score ---------------------------------------------------------------------------------------

    def pre_score(self, cycle: Cycle, nodes: IntArray) -> Any:
        return SKIP

    def pre_score_late(self, cycle: Cycle, nodes: IntArray) -> Any:
        return None

    def scores_alike(self, cycle: Cycle) -> bool:
        return True

    def score(self, cycle: Cycle, prepared: Any, nodes: IntArray) -> IntArray:
        return np.zeros(len(nodes), dtype=np.int64)

    def has_volumes(self, cycle: Cycle) -> bool:
        """Return whether the pod has volumes that a node may matter to."""
        return isinstance(cycle.states.get(self.name), PodVolumes)

    def storage_on(self, cycle: Cycle, node: int) -> list[tuple[int, int]]:
        """Return (requested, capacity) in bytes of each class of which the pod would bind volumes on a node.

        Of volumes to be made where none would be bound, if their driver says how much is left.
        """
        found = cycle.states.get(self.name)
        return found.storage_on(node) if isinstance(found, PodVolumes) else []


def _unusable_claim(cycle: Cycle, volumes: Volumes) -> str | None:
    """Return why one of the pod's claims cannot be used at all, None where all can."""
    pod, namespace = cycle.pod.pod, cycle.pod.namespace
    for use in volume_claims.claims_of(pod):
        claim = volumes.claim(namespace, use.claim)
        if claim is None and use.ephemeral:
            return (
                f'waiting for ephemeral volume controller to create the persistentvolumeclaim "{use.claim}"'
            )
        if claim is None:
            return wording.not_found(wording.CLAIM, use.claim)
        if claim.status.phase == "Lost":
            volume = claim.spec.volume_name
            return f'persistentvolumeclaim "{use.claim}" bound to non-existent persistentvolume "{volume}"'
        if claim.metadata.deletion_timestamp is not None:
            return f'persistentvolumeclaim "{use.claim}" is being deleted'
        if use.ephemeral and not volume_claims.owned_by(claim, pod):
            return wording.volume_fault(volume_claims.foreign(claim, pod))
    return None


# -- queueing hints ------------------------------------------------------------------------------------


_MIGRATED_PLUGINS = "storage.alpha.kubernetes.io/migrated-plugins"
_ADD_OR_UPDATE = Action.ADD | Action.UPDATE


def _interests() -> list[Interest]:
    """All that volumes depend on, and nodes that come or are relabelled."""
    return [
        Interest(
            ClusterEvent(STORAGE_CLASS, _ADD_OR_UPDATE),
            after_storage_class_change,
            yes="the class is new, or its topologies changed",
            no="the class's topologies are the same as before",
        ),
        own_claims(_ADD_OR_UPDATE),
        Interest(ClusterEvent(VOLUME, _ADD_OR_UPDATE)),
        Interest(ClusterEvent(NODE, Action.ADD | Action.UPDATE_NODE_LABEL)),
        Interest(
            ClusterEvent(CSI_NODE, _ADD_OR_UPDATE),
            after_csi_node_change,
            yes="the CSINode is new, or announces other migrated plugins",
            no="the CSINode announces the same migrated plugins as before",
        ),
        Interest(
            ClusterEvent(CSI_DRIVER, Action.UPDATE),
            after_csi_driver_change,
            yes="the driver of one of the pod's volumes no longer counts capacity",
            no="the driver is of none of the pod's volumes, or counts capacity as before",
        ),
        Interest(
            ClusterEvent(CAPACITY, _ADD_OR_UPDATE),
            after_capacity_change,
            yes="the capacity is new, or its limit rose",
            no="the capacity's limit did not rise",
        ),
    ]


def after_storage_class_change(
    pod: Pod, old: StorageClass | None, new: StorageClass, view: ClusterView
) -> bool:
    """Return whether the class is new or its topologies changed."""
    return old is None or (old.allowed_topologies or []) != (new.allowed_topologies or [])


def after_csi_node_change(pod: Pod, old: CSINode | None, new: CSINode, view: ClusterView) -> bool:
    """Return whether the CSINode is new or announces other migrated plugins."""
    return old is None or _migrated(old) != _migrated(new)


def after_csi_driver_change(pod: Pod, old: CSIDriver, new: CSIDriver, view: ClusterView) -> bool:
    """Return whether a driver of an inline volume ceased to count capacity."""
    inline = {(volume.csi or {}).get("driver") for volume in pod.spec.volumes or ()}
    return new.metadata.name in inline and bool(old.spec.storage_capacity) and not new.spec.storage_capacity


def after_capacity_change(
    pod: Pod, old: CSIStorageCapacity | None, new: CSIStorageCapacity, view: ClusterView
) -> bool:
    """Return whether the capacity is new or its limit rose."""
    if old is None:
        return True
    before, after = _limit(old), _limit(new)
    return after is not None and (before is None or after > before)


def _migrated(csi_node: CSINode) -> str:
    return (csi_node.metadata.annotations or {}).get(_MIGRATED_PLUGINS, "")


def _limit(capacity: CSIStorageCapacity) -> int | None:
    """Return the size in bytes of the largest volume, None where nothing is said."""
    size = capacity.capacity if capacity.maximum_volume_size is None else capacity.maximum_volume_size
    return None if size is None else parse_quantity(size).value()
