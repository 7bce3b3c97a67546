"""VolumeBinding: a pod goes where its volumes can be reached, found or made.

Filter looks at bound claims' volumes, then at unbound claims of classes that wait for their first consumer:
each is matched with an existing volume or, if there is none, provisioned where the class's topology and
the driver's storage capacity allow. Reserve keeps what was found for the pod in the profile's own view.

Source: kubernetes v1.36 plugins/volumebinding volume_binding.go, binder.go.

Hints: plugins/volumebinding volume_binding.go isSchedulableAfter..., binder.go volumeLimit.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from scheduler_core.events.decisions import Status
from scheduler_core.events.explanation import Figure
from scheduler_core.kube import wording
from scheduler_core.kube.framework import (
    SKIP,
    UNRESOLVABLE,
    Cycle,
    FilterPlugin,
    PreFilterAnswer,
    Rejected,
    ScorePlugin,
    View,
)
from scheduler_core.kube.gates import DEFAULT_GATES, Gates
from scheduler_core.kube.queueing.cluster_event import (
    CAPACITY,
    CLAIM,
    CSI_DRIVER,
    CSI_NODE,
    NODE,
    STORAGE_CLASS,
    VOLUME,
    Action,
    ClusterEvent,
)
from scheduler_core.kube.queueing.hint import ClusterView, Interest
from scheduler_core.kube.queueing.pod_facts import namespace_of
from scheduler_core.objects import storage
from scheduler_core.objects.amounts.quantity import parse_quantity
from scheduler_core.objects.storage import (
    CSIDriver,
    CSINode,
    CSIStorageCapacity,
    PersistentVolumeClaim,
    StorageClass,
)
from scheduler_core.objects.types import Pod
from scheduler_core.predicates.filter_state import FilterState
from scheduler_core.predicates.volumes import claims as volume_claims
from scheduler_core.predicates.volumes.claims import claims_of
from scheduler_core.predicates.volumes.matching import ClaimMatch, VolumeMatcher
from scheduler_core.predicates.volumes.shelf import NO_VOLUME
from scheduler_core.predicates.volumes.topology import (
    NO_POOL,
    TopologyCache,
    VolumeTopology,
    whole_bytes,
)
from scheduler_core.state.nodes import BoolArray, IntArray
from scheduler_core.state.volumes import BIND_COMPLETED, BinderView, Volumes

_NO_PROVISIONER = "kubernetes.io/no-provisioner"

# A code is a sum of these, in the order of the reasons; from _FIRST_ERROR on it is an error's place.
NODE_CONFLICT, BIND_CONFLICT, NOT_ENOUGH_SPACE, NO_SUCH_VOLUME = 1, 2, 4, 8
_FIRST_ERROR = 16


class _InvalidClaim(Exception):
    """The claims cannot be sorted out; the text is kube-scheduler's."""


@dataclass
class _Claims:
    """A pod's claims: bound, to be bound late, and those that should have been bound already."""

    bound: list[PersistentVolumeClaim] = field(default_factory=list)
    late: list[PersistentVolumeClaim] = field(default_factory=list)
    immediate: list[PersistentVolumeClaim] = field(default_factory=list)


@dataclass
class _PodVolumes(FilterState):
    """What the binder found: a code for each node, and what the pod would take there.

    `provisions` has, for each claim to be provisioned somewhere, the nodes on which it would be.
    """

    claims: _Claims
    topology: VolumeTopology
    codes: IntArray
    errors: list[str] = field(default_factory=list)
    matches: list[ClaimMatch] = field(default_factory=list)
    provisions: list[tuple[PersistentVolumeClaim, BoolArray]] = field(default_factory=list)


class VolumeBinding(FilterPlugin, ScorePlugin):
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
            claims = _sort_out([volumes.claims[cycle.pod.namespace, use.claim] for use in uses], volumes)
        except _InvalidClaim as error:
            return Rejected(wording.pre_filter_error(self.name, str(error)))
        if claims.immediate:
            reason = "pod has unbound immediate PersistentVolumeClaims"
            return Rejected(wording.rejection(self.name, UNRESOLVABLE, reason))
        return _find(claims, self.binder, self._matcher_of(cycle))

    @staticmethod
    def bound_volumes(state: FilterState) -> list[str]:
        """Return the names of the volumes of bound claims, as PreFilter found them."""
        assert isinstance(state, _PodVolumes)
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
        assert isinstance(state, _PodVolumes)
        return state.codes[nodes]

    def status(self, state: FilterState | None, code: int) -> Status:
        if code >= _FIRST_ERROR:
            assert isinstance(state, _PodVolumes)
            return wording.filter_error(self.name, state.errors[code - _FIRST_ERROR])
        return Status(self.name, UNRESOLVABLE, [text for bit, text in self.reasons.items() if code & bit])

    def numbers(self, view: View, node: int) -> list[Figure]:
        state = view.states[self.name]
        assert isinstance(state, _PodVolumes)
        figures = []
        for claim, on_nodes in state.provisions:
            storage_class = state.topology.volumes.classes[storage.class_of_claim(claim)]
            if on_nodes[node] and state.topology.counts_capacity(storage_class):
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

    def score(self, cycle: Cycle, prepared: Any, nodes: IntArray) -> IntArray:
        return np.zeros(len(nodes), dtype=np.int64)

    def storage_on(self, cycle: Cycle, node: int) -> list[tuple[int, int]]:
        """Return (requested, capacity) in bytes of each class of which the pod would bind volumes on a node.

        Of volumes to be made where none would be bound, if their driver says how much is left.
        """
        found = cycle.states.get(self.name)
        if not isinstance(found, _PodVolumes):
            return []
        bound: dict[str, tuple[int, int]] = {}
        for match in found.matches:
            if (volume := match.volume_on(node)) is not None:
                requested, capacity = bound.get(name := volume.spec.storage_class_name, (0, 0))
                size = whole_bytes((volume.spec.capacity or {}).get("storage"))
                asked = whole_bytes(storage.requested_storage(match.claim))
                bound[name] = requested + asked, capacity + size
        return list((bound or _provisioned(found, node)).values())

    # -- reserve -------------------------------------------------------------------------------------

    def reserve(self, cycle: Cycle, node: int) -> None:
        """Keep the matched volumes for the pod's claims, and have the others provisioned for the node."""
        found = cycle.states.get(self.name)
        if not isinstance(found, _PodVolumes):
            return
        state = cycle.state
        for match in found.matches:
            volume = match.volume_on(node)
            if volume is not None:
                self.binder.keep_for(volume, match.claim, state.journal)
        for claim, on_nodes in found.provisions:
            if on_nodes[node]:
                self.binder.select_node(claim, state.nodes.names[node], state.journal)

    def dump(self) -> dict[str, Any]:
        """Return what was reserved so far as plain data."""
        return self.binder.dump()

    def load(self, data: dict[str, Any]) -> None:
        """Restore what `dump` returned."""
        self.binder.load(data)


def _provisioned(found: _PodVolumes, node: int) -> dict[str, tuple[int, int]]:
    """Return by class what volumes to be made on a node ask for, and what is left there, in bytes."""
    topology, classes = found.topology, dict[str, tuple[int, int]]()
    for claim, on_nodes in found.provisions:
        size, name = storage.requested_storage(claim), storage.class_of_claim(claim)
        if not on_nodes[node] or size is None or not topology.counts_capacity(topology.volumes.classes[name]):
            continue
        room = int(topology.room_for(name, whole_bytes(size))[node])
        if room != NO_POOL:
            classes[name] = classes.get(name, (0, 0))[0] + whole_bytes(size), room
    return classes


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


def _sort_out(claims: list[PersistentVolumeClaim], volumes: Volumes) -> _Claims:
    """Part the claims by how they are bound. A claim that names a volume is never bound late."""
    parted = _Claims()
    for claim in claims:
        if claim.spec.volume_name and BIND_COMPLETED in (claim.metadata.annotations or {}):
            parted.bound.append(claim)
        elif _waits(claim, volumes) and not claim.spec.volume_name:
            parted.late.append(claim)
        else:
            parted.immediate.append(claim)
    return parted


def _waits(claim: PersistentVolumeClaim, volumes: Volumes) -> bool:
    """Return whether the claim's class binds late."""
    name = storage.class_of_claim(claim)
    storage_class = volumes.classes.get(name) if name else None
    if storage_class is None:
        return False
    if storage_class.volume_binding_mode is None:
        raise _InvalidClaim(f'VolumeBindingMode not set for StorageClass "{name}"')
    return storage_class.volume_binding_mode == storage.WAIT_FOR_FIRST_CONSUMER


# -- what the binder finds on each node --------------------------------------------------------------


def _find(claims: _Claims, binder: BinderView, matcher: VolumeMatcher) -> _PodVolumes:
    topology = matcher.topology
    found = _PodVolumes(claims, topology, np.zeros(len(topology.nodes), dtype=np.int64))
    _check_bound(found)
    if claims.late:
        _check_late(found, binder, matcher)
    return found


def _check_bound(found: _PodVolumes) -> None:
    """Give each node the first fault among the bound claims' volumes."""
    codes, topology = found.codes, found.topology
    undecided = np.ones(len(codes), dtype=np.bool_)
    for claim in found.claims.bound:
        volume = topology.volumes.volumes.get(claim.spec.volume_name)
        if volume is None:
            codes[undecided] = NO_SUCH_VOLUME
            return
        reached, failing, fault = topology.reach(volume)
        if fault is not None:
            codes[undecided & failing] = _FIRST_ERROR + len(found.errors)
            found.errors.append(f"could not translate pv: {wording.migration_fault(fault)}")
        codes[undecided & ~failing & ~reached] = NODE_CONFLICT
        undecided &= reached & ~failing


def _check_late(found: _PodVolumes, binder: BinderView, matcher: VolumeMatcher) -> None:
    """Match and provision; a claim that waits for another node leaves nothing to find on this one."""
    codes, names = found.codes, found.topology.nodes.index
    open_nodes = codes < _FIRST_ERROR
    to_match, to_provision = [], []
    for claim in found.claims.late:
        selected = binder.selected_node(claim)
        if selected is None:
            to_match.append(claim)
            continue
        to_provision.append(claim)
        elsewhere = np.ones(len(codes), dtype=np.bool_)
        if selected in names:
            elsewhere[names[selected]] = False
        codes[open_nodes & elsewhere] |= BIND_CONFLICT
        open_nodes &= ~elsewhere
    found.matches = matcher.match(to_match, binder)
    found.provisions = [(claim, open_nodes.copy()) for claim in to_provision]
    found.provisions += [(match.claim, open_nodes & (match.choice == NO_VOLUME)) for match in found.matches]
    found.provisions = [(claim, on_nodes) for claim, on_nodes in found.provisions if on_nodes.any()]
    for claim, on_nodes in found.provisions:
        open_nodes &= ~_refuse(claim, on_nodes & open_nodes, found)


def _refuse(claim: PersistentVolumeClaim, on_nodes: BoolArray, found: _PodVolumes) -> BoolArray:
    """Give the nodes on which the claim cannot be provisioned their code; return which those are."""
    topology = found.topology
    storage_class = topology.volumes.classes[storage.class_of_claim(claim)]
    refused = on_nodes & ~topology.allowed(storage_class)
    if storage_class.provisioner in ("", _NO_PROVISIONER):
        refused = on_nodes
    found.codes[refused] |= BIND_CONFLICT
    full = np.zeros(len(on_nodes), dtype=np.bool_)
    size = storage.requested_storage(claim)
    if size is not None and topology.counts_capacity(storage_class):
        full = on_nodes & ~refused & ~topology.with_room(storage_class.metadata.name, whole_bytes(size))
        found.codes[full] |= NOT_ENOUGH_SPACE
    return refused | full


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
        Interest(
            ClusterEvent(CLAIM, _ADD_OR_UPDATE),
            after_claim_change,
            yes="the claim is one of the pod's own",
            no="the claim is none of the pod's own",
        ),
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


def after_claim_change(
    pod: Pod, old: PersistentVolumeClaim | None, new: PersistentVolumeClaim, view: ClusterView
) -> bool:
    """Return whether the claim is one of the pod's, ephemeral ones included."""
    if (new.metadata.namespace or "default") != namespace_of(pod):
        return False
    return any(use.claim == new.metadata.name for use in claims_of(pod))


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
