"""Which claims a pod has, and why one of them can't be used.

Source: kubernetes v1.36 plugins/dynamicresources foreachPodResourceClaim; dynamic-resource-allocation
resourceclaim Name, IsForPod.
"""

from __future__ import annotations

from scheduler_core.objects.dynamic_resources import Document, ExactRequest, ResourceClaim
from scheduler_core.objects.types import Pod
from scheduler_core.predicates.devices.requests import alternatives_of
from scheduler_core.state.claim_documents import ClaimKey
from scheduler_core.state.device_claims import DeviceClaims
from scheduler_core.state.pods import PodInfo


class UnusableClaim(Exception):
    """A claim keeps its pod from being scheduled at all; the text is kube-scheduler's."""


def claims_of(pod: PodInfo, claims: DeviceClaims, word: str = "Pod") -> list[ClaimKey]:
    """Return the pod's claims in its order; `word` is how messages call a pod. Raises UnusableClaim."""
    found = []
    for entry in pod.pod.spec.resource_claims or ():
        name, must_own = _name_of(entry, pod)
        if name is None:
            continue
        key = (pod.namespace, name)
        claim = claims.claim(key)
        if claim is None:
            raise UnusableClaim(f'could not find ResourceClaim "{pod.namespace}/{name}"')
        if claim.metadata.deletion_timestamp is not None:
            raise UnusableClaim(f'resourceclaim "{name}" is being deleted')
        if must_own and not _is_for(pod.pod, claim):
            raise UnusableClaim(
                f"ResourceClaim {pod.namespace}/{name} was not created for {word} {pod.key}"
                f" ({word} is not owner)"
            )
        found.append(key)
    return found


def require_classes(claim: ResourceClaim, claims: DeviceClaims) -> None:
    """Raise UnusableClaim if the class of a request or of an alternative doesn't exist."""
    for name, has_alternatives, asked in alternatives_of(claim):
        for one in asked:
            if one.device_class_name not in claims.classes:
                full = f"{name}/{one.name}" if has_alternatives else name
                raise UnusableClaim(f"request {full}: {_missing(one)}")


def _missing(asked: ExactRequest) -> str:
    return f"device class {asked.device_class_name} does not exist"


def _name_of(entry: Document, pod: PodInfo) -> tuple[str | None, bool]:
    """Return the claim's name, None where none is needed, and whether the pod must own it."""
    if entry.get("resourceClaimName"):
        return entry["resourceClaimName"], False
    for status in pod.pod.status.resource_claim_statuses or ():
        if status.get("name") == entry.get("name"):
            return status.get("resourceClaimName"), True
    raise UnusableClaim(f'pod "{pod.key}": ResourceClaim not created yet')


def _is_for(pod: Pod, claim: ResourceClaim) -> bool:
    owners = claim.metadata.owner_references or ()
    return any(owner.controller and owner.uid == pod.metadata.uid for owner in owners)
