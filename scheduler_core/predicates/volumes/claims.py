"""Which claims a pod's volumes stand for, and what is said of those that are missing or not its own.

A generic ephemeral volume stands for a claim `<pod>-<volume>` that the pod must own.

Source: k8s.io/component-helpers v0.36 storage/ephemeral; k8s.io/apimachinery v0.36 errors.NewNotFound.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scheduler_core.events.decisions import Code, Status
from scheduler_core.objects.storage import PersistentVolumeClaim
from scheduler_core.objects.types import Pod, Volume
from scheduler_core.state.pods import PodInfo


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


def not_its_own(claim: PersistentVolumeClaim, pod: Pod) -> str:
    """Return what is said of an ephemeral volume whose claim belongs to somebody else."""
    pod_key = f"{pod.metadata.namespace or 'default'}/{pod.metadata.name}"
    claim_key = f"{claim.metadata.namespace or 'default'}/{claim.metadata.name}"
    return f"PVC {claim_key} was not created for pod {pod_key} (pod is not owner)"


def not_found(resource: str, name: str) -> str:
    """Return what is said of an object that does not exist; `resource` as in `persistentvolumeclaim`."""
    return f'{resource} "{name}" not found'


def rejection(plugin: str, code: Code, reason: str) -> Status:
    """Return a status with one reason."""
    return Status(plugin, code, [reason])


def pre_filter_error(plugin: str, text: str) -> Status:
    """Return the status of a PreFilter that ends with an error and not with a verdict."""
    return Status(plugin, "Error", [f'running PreFilter plugin "{plugin}": {text}'])


def filter_error(plugin: str, text: str) -> Status:
    """Return the status of a Filter that ends with an error and not with a verdict."""
    return Status(plugin, "Error", [f'running "{plugin}" filter plugin: {text}'])


def common_start(known: Sequence[PodInfo], infos: Sequence[PodInfo]) -> int:
    """Return how many pods of a table are still those that were known.

    Pods are added and taken back at the end only, so that what differs is at the end.
    """
    length = min(len(known), len(infos))
    while length and known[length - 1] is not infos[length - 1]:
        length -= 1
    return length
