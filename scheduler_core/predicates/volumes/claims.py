"""Which claims a pod's volumes stand for, and whose they are.

A generic ephemeral volume stands for a claim `<pod>-<volume>` that the pod must own.

Source: k8s.io/component-helpers v0.36 storage/ephemeral.
"""

from collections.abc import Iterator
from typing import NamedTuple

from scheduler_core.objects.storage import PersistentVolumeClaim
from scheduler_core.objects.types import ObjectMeta, Pod, Volume
from scheduler_core.predicates.volumes.faults import ForeignClaim


class ClaimUse(NamedTuple):
    """A pod's volume that stands for a claim of the pod's namespace."""

    claim: str
    ephemeral: bool


def claim_of(pod: Pod, volume: Volume) -> ClaimUse | None:
    """Return the claim that a volume of the pod stands for, None for a volume of another kind."""
    if volume.persistent_volume_claim is not None:
        return ClaimUse(volume.persistent_volume_claim.claim_name, False)
    if volume.ephemeral is not None:
        return ClaimUse(f"{pod.metadata.name}-{volume.name}", True)
    return None


def claims_of(pod: Pod) -> Iterator[ClaimUse]:
    """Yield the claims of the pod's volumes, ephemeral ones included, in their order."""
    for volume in pod.spec.volumes or ():
        use = claim_of(pod, volume)
        if use is not None:
            yield use


def named_claims(pod: Pod) -> list[str]:
    """Return the claims that the pod's volumes name, without the ephemeral ones."""
    return [use.claim for use in claims_of(pod) if not use.ephemeral]


def owned_by(claim: PersistentVolumeClaim, pod: Pod) -> bool:
    """Return whether the pod is the claim's controller."""
    for owner in claim.metadata.owner_references or ():
        if owner.controller:
            return owner.uid == (pod.metadata.uid or "")
    return False


def foreign(claim: PersistentVolumeClaim, pod: Pod) -> ForeignClaim:
    """Return the fault of an ephemeral volume whose claim belongs to somebody else."""
    return ForeignClaim(_key(claim.metadata), _key(pod.metadata))


def _key(metadata: ObjectMeta) -> str:
    return f"{metadata.namespace or 'default'}/{metadata.name}"
