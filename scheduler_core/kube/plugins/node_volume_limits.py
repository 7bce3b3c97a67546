"""NodeVolumeLimits: a node holds so many volumes of a CSI driver and no more.

Counted are the volumes of the node's pods, each once, and the attached ones that no pod of the node mounts.
The incoming pod's volumes count unless a pod of the node mounts them already, even if they are attached.

Source: kubernetes v1.36 plugins/nodevolumelimits csi.go.

No change of a node helps a pod that it rejected.

Hints: plugins/nodevolumelimits csi.go isSchedulableAfter...
"""

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from scheduler_core.events.decisions import Status
from scheduler_core.events.explanation import Figure
from scheduler_core.kube import wording
from scheduler_core.kube.framework import (
    SKIP,
    UNRESOLVABLE,
    UNSCHEDULABLE,
    Cycle,
    FilterPlugin,
    PreFilterAnswer,
    Reads,
    View,
)
from scheduler_core.kube.gates import DEFAULT_GATES, Gates
from scheduler_core.kube.queueing.claim_hints import own_claims
from scheduler_core.kube.queueing.cluster_event import (
    ATTACHMENT,
    CSI_NODE,
    POD,
    Action,
    ClusterEvent,
)
from scheduler_core.kube.queueing.hint import ClusterView, HintFailed, Interest
from scheduler_core.kube.queueing.pod_facts import takes_room
from scheduler_core.objects.storage import CSINode, VolumeAttachment
from scheduler_core.objects.types import Pod, Volume
from scheduler_core.predicates.filter_state import FilterState
from scheduler_core.predicates.volumes.claims import claim_of
from scheduler_core.predicates.volumes.counts import NO_LIMIT, VolumeCounts, count_volumes
from scheduler_core.predicates.volumes.faults import MigrationError, MissingClaim, VolumeError, VolumeFault
from scheduler_core.predicates.volumes.handles import (
    HandleIndex,
    counts_for_limits,
    handles_of,
)
from scheduler_core.predicates.volumes.migration import in_tree_plugin, inline_handle
from scheduler_core.predicates.volumes.topology import TopologyCache, VolumeTopology
from scheduler_core.state.nodes import BoolArray, IntArray
from scheduler_core.state.pods import PodTable

_TOO_MANY, _MISSING_CLAIM, _ERROR, _RUNNING_POD = 1, 2, 3, 4


@dataclass
class _Incoming:
    """The incoming pod's volumes by driver, or why they cannot be counted.

    `everywhere` is whether the fault shows on every node, else on those with a CSINode.
    """

    volumes: tuple[int, ...] = ()
    fault: VolumeFault | None = None
    everywhere: bool = False


@dataclass
class _Counted(FilterState):
    """The incoming pod's volumes beside the counts of all nodes."""

    incoming: _Incoming
    counts: VolumeCounts

    def copy(self) -> "_Counted":
        return _Counted(self.incoming, self.counts.copy())

    def update(self, nodes: IntArray, pods: IntArray, sign: int) -> None:
        self.counts.update(nodes, pods, sign)


class NodeVolumeLimits(FilterPlugin):
    """Filter: skipped for pods whose volumes no CSI driver could have attached."""

    name = "NodeVolumeLimits"
    reads = Reads.PODS
    counts_attachments: ClassVar[bool] = True
    """Whether attached volumes count that no pod of the node mounts."""

    def listens_to(self) -> list[Interest]:
        """Return the events that may help a pod which this plugin rejected."""
        return _interests()

    def __init__(self, args: dict[str, Any] | None = None, gates: Gates = DEFAULT_GATES) -> None:
        super().__init__(args, gates)
        self._topologies = TopologyCache()
        self._index: HandleIndex | None = None
        self._index_of: tuple[VolumeTopology, int] | None = None

    def _handles(self, topology: VolumeTopology, pods: PodTable) -> HandleIndex:
        """Return the index of this cluster's volumes, a new one for another cluster or version."""
        last = self._index_of
        if self._index is None or last is None or last[0] is not topology or last[1] != pods.version:
            self._index = HandleIndex(topology.nodes, topology.volumes, attached=self.counts_attachments)
            self._index_of = topology, pods.version
        return self._index

    def pre_filter(self, cycle: Cycle) -> PreFilterAnswer:
        if not counts_for_limits(cycle.pod.pod):
            return SKIP
        topology = self._topologies.of(cycle.state.nodes, cycle.state.volumes)
        index = self._handles(topology, cycle.state.pods)
        index.extend(cycle.state.pods)
        incoming = _incoming(cycle, index)
        limits_of = partial(self.limits, topology)
        return _Counted(incoming, count_volumes(cycle.state, index, topology, incoming.volumes, limits_of))

    def limits(self, topology: VolumeTopology, driver: str) -> IntArray:
        """Return how many volumes of a driver nodes can hold, NO_LIMIT where that is not known."""
        found = topology.limits.get(driver)
        return np.full(len(topology.nodes), NO_LIMIT, dtype=np.int64) if found is None else found

    def filter(self, view: View, nodes: IntArray) -> IntArray:
        state = view.states[self.name]
        assert isinstance(state, _Counted)
        incoming, counts = state.incoming, state.counts
        codes = np.zeros(len(nodes), dtype=np.int64)
        if incoming.fault is not None:
            missing = isinstance(incoming.fault, MissingClaim)
            faulty = self._faulty_nodes(view, incoming)[nodes]
            codes[faulty] = _MISSING_CLAIM if missing else _ERROR
            return codes
        limits, missing_here = counts.limits[nodes], counts.missing[nodes]
        over = (limits != NO_LIMIT) & (missing_here > 0) & (counts.used[nodes] + missing_here > limits)
        codes[over.any(axis=1)] = _TOO_MANY
        self._report_faulty_pods(counts, nodes, codes)
        return codes

    def has_fault(self, view: View) -> bool:
        """Return whether the incoming pod's volumes cannot be counted."""
        state = view.states[self.name]
        assert isinstance(state, _Counted)
        return state.incoming.fault is not None

    @staticmethod
    def wanted_drivers(state: FilterState | None) -> list[str]:
        """Return the drivers of the incoming pod's volumes, sorted."""
        assert isinstance(state, _Counted)
        return sorted(state.counts.drivers)

    def _faulty_nodes(self, view: View, incoming: _Incoming) -> BoolArray:
        if incoming.everywhere:
            return np.ones(len(view.cluster.nodes), dtype=np.bool_)
        return self._topologies.of(view.cluster.nodes, view.cluster.volumes).has_csi_node

    def _report_faulty_pods(self, counts: VolumeCounts, nodes: IntArray, codes: IntArray) -> None:
        """A running pod whose volumes cannot be counted is an error where the node has any limit."""
        for place, node in enumerate(nodes.tolist() if counts.faulty else ()):
            if counts.faulty.get(node) and self._has_limits(counts, node):
                codes[place] = _RUNNING_POD + counts.faulty[node][0]

    def _has_limits(self, counts: VolumeCounts, node: int) -> bool:
        limits = self._topologies.of(counts.index.nodes, counts.index.volumes).limits
        return any(column[node] != NO_LIMIT for column in limits.values())

    def status(self, state: FilterState | None, code: int) -> Status:
        assert isinstance(state, _Counted)
        if code == _TOO_MANY:
            return wording.rejection(self.name, UNSCHEDULABLE, "node(s) exceed max volume count")
        if code >= _RUNNING_POD:
            text = wording.volume_fault(state.counts.index.faults[code - _RUNNING_POD])
            return wording.filter_error(self.name, text)
        assert state.incoming.fault is not None
        text = wording.volume_fault(state.incoming.fault)
        return self.missing_claim(text) if code == _MISSING_CLAIM else wording.filter_error(self.name, text)

    def missing_claim(self, text: str) -> Status:
        """Return what is said of a pod that names a claim which does not exist."""
        return wording.rejection(self.name, UNRESOLVABLE, text)

    def numbers(self, view: View, node: int) -> list[Figure]:
        state = view.states[self.name]
        assert isinstance(state, _Counted)
        counts = state.counts
        return [
            Figure(
                what=f"volumes of {driver}",
                asked=int(counts.missing[node, place]),
                free=int(counts.limits[node, place] - counts.used[node, place]),
                unit="volumes",
            )
            for place, driver in enumerate(counts.drivers)
            if counts.limits[node, place] != NO_LIMIT
        ]


def _incoming(cycle: Cycle, index: HandleIndex) -> _Incoming:
    pod, namespace, volumes = cycle.pod.pod, cycle.pod.namespace, cycle.state.volumes
    try:
        handles_of(pod, namespace, volumes, incoming=True, migrated=False)
    except VolumeError as error:
        return _Incoming(fault=error.fault, everywhere=True)
    try:
        handles = handles_of(pod, namespace, volumes, incoming=True, migrated=True)
    except VolumeError as error:
        return _Incoming(fault=error.fault)
    return _Incoming(index.intern(sorted(handles)))


# -- queueing hints ------------------------------------------------------------------------------------


def _interests() -> list[Interest]:
    """CSINodes that come or allow more; pods and attachments that go; new claims."""
    return [
        Interest(ClusterEvent(CSI_NODE, Action.ADD)),
        Interest(
            ClusterEvent(CSI_NODE, Action.UPDATE),
            after_csi_node_updated,
            yes="a driver's limit rose",
            no="no driver's limit rose",
        ),
        Interest(
            ClusterEvent(POD, Action.DELETE),
            after_pod_deleted,
            yes="the pod that went had volumes that may have been counted",
            no="the pod that went had no volumes that were counted",
        ),
        own_claims(Action.ADD),
        Interest(
            ClusterEvent(ATTACHMENT, Action.DELETE),
            after_attachment_deleted,
            yes="the pod names a claim, or a disk of the driver",
            no="the pod names no claim, and no disk of the driver",
        ),
    ]


def after_csi_node_updated(pod: Pod, old: CSINode, new: CSINode, view: ClusterView) -> bool:
    """Return whether some driver's limit rose; none at all counts as 0."""
    before, after = _limits(old), _limits(new)
    return any(limit > before.get(driver, 0) for driver, limit in after.items())


def after_pod_deleted(pod: Pod, old: Pod, new: None, view: ClusterView) -> bool:
    """Return whether the pod that went had a volume that may have been counted."""
    return takes_room(old) and any(
        claim_of(old, volume) is not None or in_tree_plugin(volume) is not None
        for volume in old.spec.volumes or ()
    )


def after_attachment_deleted(pod: Pod, old: VolumeAttachment, new: None, view: ClusterView) -> bool:
    """Return whether the pod names a claim, or a disk of the driver. Raises HintFailed."""
    return any(
        volume.persistent_volume_claim is not None or _is_of(old.spec.attacher, volume)
        for volume in pod.spec.volumes or ()
    )


def _is_of(driver: str, volume: Volume) -> bool:
    """Return whether a disk that a pod names itself is the driver's. Raises HintFailed."""
    plugin = in_tree_plugin(volume)
    if plugin is None:
        return False
    try:
        inline_handle(plugin, volume)
    except MigrationError as error:
        raise HintFailed(f"converting volume({volume.name}) from inline to csi: {error}") from error
    return plugin.driver == driver


def _limits(csi_node: CSINode) -> dict[str, int]:
    drivers = csi_node.spec.drivers or ()
    return {driver.name: (driver.allocatable.count or 0) if driver.allocatable else 0 for driver in drivers}
