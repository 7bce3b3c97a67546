"""VolumeZone: a bound volume's zone and region labels must be the node's.

Generic ephemeral volumes are not looked at. A node without any zone or region label is in every zone.

Source: kubernetes v1.36 plugins/volumezone; k8s.io/cloud-provider v0.36 volume/helpers LabelZonesToSet.

Hints: plugins/volumezone isSchedulableAfter..., getPVTopologies.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from scheduler_core.events.decisions import Status
from scheduler_core.kube import wording
from scheduler_core.kube.framework import (
    SKIP,
    UNRESOLVABLE,
    Cycle,
    FilterPlugin,
    PreFilterAnswer,
    Rejected,
    View,
)
from scheduler_core.kube.queueing.claim_hints import claims_by_name
from scheduler_core.kube.queueing.cluster_event import (
    NODE,
    STORAGE_CLASS,
    VOLUME,
    Action,
    ClusterEvent,
)
from scheduler_core.kube.queueing.hint import ClusterView, Hint, Interest
from scheduler_core.objects import storage
from scheduler_core.objects.storage import PersistentVolume, PersistentVolumeClaim, StorageClass
from scheduler_core.objects.types import Pod
from scheduler_core.predicates.filter_state import FilterState
from scheduler_core.predicates.volumes import claims as volume_claims
from scheduler_core.predicates.volumes.faults import UnnamedClaim
from scheduler_core.predicates.volumes.migration import BETA_REGION, BETA_ZONE, REGION, ZONE
from scheduler_core.predicates.volumes.zones import Topology, has_topology, labelled, topologies_of
from scheduler_core.state.nodes import BoolArray, IntArray, NodeTable
from scheduler_core.state.volumes import Volumes

_KEYS = (BETA_ZONE, BETA_REGION, ZONE, REGION)


class _Unusable(Exception):
    """The pod can run nowhere; the text says why."""


@dataclass
class _Mask(FilterState):
    """On which nodes the volumes are, shape (nodes,)."""

    matching: BoolArray


class VolumeZone(FilterPlugin):
    """Filter: skipped where no bound volume has a zone or region label."""

    name = "VolumeZone"
    labels_instead: ClassVar[Mapping[str, str]] = {BETA_ZONE: ZONE, BETA_REGION: REGION}
    """Which label of a node counts where it lacks the one that the volume has."""

    def listens_to(self) -> list[Interest]:
        """Return the events that may help a pod which this plugin rejected."""
        return _interests(_topologies_of)

    def pre_filter(self, cycle: Cycle) -> PreFilterAnswer:
        topologies: list[Topology] = []
        try:
            for name in volume_claims.named_claims(cycle.pod.pod):
                volume = _volume_of(cycle.pod.namespace, name, cycle.state.volumes)
                topologies += _topologies_of(volume) if volume is not None else ()
        except _Unusable as error:
            return Rejected(wording.rejection(self.name, UNRESOLVABLE, str(error)))
        return _Mask(self._matching(cycle.state.nodes, topologies)) if topologies else SKIP

    def _matching(self, nodes: NodeTable, topologies: list[Topology]) -> BoolArray:
        """Return the nodes on which all topologies hold, and those that have no such label at all."""
        matching = ~labelled(nodes, _KEYS)
        holds = np.ones(len(nodes), dtype=np.bool_)
        for topology in topologies:
            holds &= has_topology(nodes, topology, self.labels_instead)
        return matching | holds

    def filter(self, view: View, nodes: IntArray) -> IntArray:
        state = view.states[self.name]
        assert isinstance(state, _Mask)
        return (~state.matching[nodes]).astype(np.int64)

    def status(self, state: FilterState | None, code: int) -> Status:
        return wording.rejection(self.name, UNRESOLVABLE, "node(s) had no available volume zone")


def _volume_of(namespace: str, name: str, volumes: Volumes) -> PersistentVolume | None:
    """Return the volume that a claim is bound to, None while it waits for its first consumer."""
    if not name:
        raise _Unusable(wording.volume_fault(UnnamedClaim()))
    claim = volumes.claim(namespace, name)
    if claim is None:
        raise _Unusable(wording.not_found(wording.CLAIM, name))
    if not claim.spec.volume_name:
        _require_waiting(claim, volumes)
        return None
    volume = volumes.volumes.get(claim.spec.volume_name)
    if volume is None:
        raise _Unusable(wording.not_found(wording.VOLUME, claim.spec.volume_name))
    return volume


def _require_waiting(claim: PersistentVolumeClaim, volumes: Volumes) -> None:
    name = storage.class_of_claim(claim)
    if not name:
        raise _Unusable("PersistentVolumeClaim had no pv name and storageClass name")
    storage_class = volumes.classes.get(name)
    if storage_class is None:
        raise _Unusable(wording.not_found(wording.STORAGE_CLASS, name))
    if storage_class.volume_binding_mode is None:
        raise _Unusable(f'VolumeBindingMode not set for StorageClass "{name}"')
    if storage_class.volume_binding_mode != storage.WAIT_FOR_FIRST_CONSUMER:
        raise _Unusable("PersistentVolume had no name")


def _topologies_of(volume: PersistentVolume) -> list[Topology]:
    return topologies_of(volume, _KEYS)


# -- queueing hints ------------------------------------------------------------------------------------


_WAITS = "WaitForFirstConsumer"
TopologiesOf = Callable[[PersistentVolume], Any]
"""Reads a volume's zone and region labels."""


def _interests(topologies_of: TopologiesOf) -> list[Interest]:
    """Classes, claims and volumes; nodes that come or are relabelled."""
    return [
        Interest(
            ClusterEvent(STORAGE_CLASS, Action.ADD),
            after_storage_class_added,
            yes="the class waits for its first consumer",
            no="the class does not wait for a first consumer",
        ),
        Interest(ClusterEvent(NODE, Action.ADD | Action.UPDATE_NODE_LABEL)),
        claims_by_name(Action.ADD | Action.UPDATE),
        Interest(
            ClusterEvent(VOLUME, Action.ADD | Action.UPDATE),
            _after_volume_change(topologies_of),
            yes="the volume is new, or its zone changed",
            no="the volume's zone is the same as before",
        ),
    ]


def after_storage_class_added(pod: Pod, old: None, new: StorageClass, view: ClusterView) -> bool:
    """Return whether the class waits for its first consumer."""
    return new.volume_binding_mode == _WAITS


def _after_volume_change(topologies_of: TopologiesOf) -> Hint:
    def after_volume_change(
        pod: Pod, old: PersistentVolume | None, new: PersistentVolume, view: ClusterView
    ) -> bool:
        """Return whether the volume is new or its zone labels changed."""
        return old is None or topologies_of(old) != topologies_of(new)

    return after_volume_change
