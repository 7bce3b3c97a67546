"""Volumes that CSI drivers attach, as Volcano counts them: a resource of pods, and of nodes with a CSINode.

A claim whose driver the node's CSINode doesn't name asks for what the node hasn't. A class's parameter that
names another driver than its provisioner is not known here.

Source: volcano v1.16 pkg/scheduler/cache/event_handlers.go getPodCSIVolumes, setCSIResourceOnNode.
"""

from __future__ import annotations

from scheduler_core.objects.storage import CSINode, PersistentVolumeClaim, class_of_claim
from scheduler_core.objects.types import Pod
from scheduler_core.predicates.volumes.claims import claims_of, owned_by
from scheduler_core.state.volumes import Volumes
from scheduler_core.volcano.model.resource import Resource

_IGNORED = frozenset({"", "rancher.io/local-path", "hostpath.csi.k8s.io"})
"""The last two by default: their CSINodes never say anything."""
_ANY_NUMBER = float(2**31 - 1)


class UnreadablePod(Exception):
    """Volcano's cache does not take the pod in."""


def asked_by(pod: Pod, volumes: Volumes) -> Resource:
    """Return how many volumes of each driver a pod has; none if a claim is missing.

    Raises UnreadablePod where an ephemeral volume's claim is another's, or a claim has no name.
    """
    asked = Resource()
    for use in claims_of(pod):
        if not use.claim:
            raise UnreadablePod
        claim = volumes.claims.get((pod.metadata.namespace or "default", use.claim))
        if claim is None:
            return Resource()
        if use.ephemeral and not owned_by(claim, pod):
            raise UnreadablePod
        if (driver := _driver_of(claim, volumes)) not in _IGNORED:
            asked.add_scalar(_resource(driver), 1.0)
    return asked


def offered_by(node: CSINode) -> dict[str, float]:
    """Return how many volumes of each driver a node takes."""
    return {
        _resource(driver.name): _ANY_NUMBER
        if driver.allocatable is None or driver.allocatable.count is None
        else float(driver.allocatable.count)
        for driver in node.spec.drivers or ()
    }


def _driver_of(claim: PersistentVolumeClaim, volumes: Volumes) -> str:
    """Return the driver of a claim's volume or, without one, of its class; empty for in-tree volumes."""
    volume = volumes.volumes.get(claim.spec.volume_name)
    if volume is not None:
        return volume.spec.csi.driver if volume.spec.csi is not None else ""
    storage_class = volumes.classes.get(class_of_claim(claim))
    return storage_class.provisioner if storage_class is not None else ""


def _resource(driver: str) -> str:
    return f"attachable-volumes-csi-{driver.replace('/', '-')}"
