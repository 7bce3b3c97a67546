"""When a pod that VolumeZone rejected may fit.

Source: kubernetes v1.36 plugins/volumezone isSchedulableAfter..., getPVTopologies.
"""

from collections.abc import Callable
from typing import Any

from scheduler_core.kube.queueing.cluster_event import (
    CLAIM,
    NODE,
    STORAGE_CLASS,
    VOLUME,
    Action,
    ClusterEvent,
)
from scheduler_core.kube.queueing.hint import ClusterView, Hint, Interest
from scheduler_core.kube.queueing.pods import namespace_of
from scheduler_core.objects.storage import PersistentVolume, PersistentVolumeClaim, StorageClass
from scheduler_core.objects.types import Pod
from scheduler_core.predicates.volumes.claims import named_claims

_WAITS = "WaitForFirstConsumer"
TopologiesOf = Callable[[PersistentVolume], Any]
"""Reads a volume's zone and region labels."""


def listens_to(topologies_of: TopologiesOf) -> list[Interest]:
    """Classes, claims and volumes; nodes that come or are relabelled."""
    return [
        Interest(
            ClusterEvent(STORAGE_CLASS, Action.ADD),
            after_storage_class_added,
            yes="the class waits for its first consumer",
            no="the class does not wait for a first consumer",
        ),
        Interest(ClusterEvent(NODE, Action.ADD | Action.UPDATE_NODE_LABEL)),
        Interest(
            ClusterEvent(CLAIM, Action.ADD | Action.UPDATE),
            after_claim_change,
            yes="the claim is one of the pod's own",
            no="the claim is none of the pod's own",
        ),
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


def after_claim_change(
    pod: Pod, old: PersistentVolumeClaim | None, new: PersistentVolumeClaim, view: ClusterView
) -> bool:
    """Return whether the pod names the claim."""
    same_namespace = (new.metadata.namespace or "default") == namespace_of(pod)
    return same_namespace and new.metadata.name in named_claims(pod)


def _after_volume_change(topologies_of: TopologiesOf) -> Hint:
    def after_volume_change(
        pod: Pod, old: PersistentVolume | None, new: PersistentVolume, view: ClusterView
    ) -> bool:
        """Return whether the volume is new or its zone labels changed."""
        return old is None or topologies_of(old) != topologies_of(new)

    return after_volume_change
