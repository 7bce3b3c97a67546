"""A ResourceClaim as kubectl prints it: whose it is, for whom it is reserved, and what a write makes of it.

Source: kubernetes v1.36 pkg/controller/resourceclaim.
"""

from __future__ import annotations

from typing import Any

from scheduler_core.objects.dynamic_resources import Document
from scheduler_core.objects.identity import derived_uid
from scheduler_core.objects.types import Pod

ClaimKey = tuple[str, str]
"""Namespace and name."""
ENTRY_ANNOTATION = "resource.kubernetes.io/pod-claim-name"
"""On a claim that was made of a template: which of its pod's entries it is for."""


def claim_of(template: Document, name: str, entry: str, pod: Pod) -> Document:
    """Return the claim that is made of a template for an entry of a pod."""
    spec = template.get("spec") or {}
    metadata, pod_metadata = spec.get("metadata") or {}, pod.metadata
    namespace, uid = pod_metadata.namespace or "default", pod_metadata.uid or ""
    owner = {
        "apiVersion": "v1", "kind": "Pod", "name": pod_metadata.name, "uid": uid,
        "controller": True, "blockOwnerDeletion": True,
    }  # fmt: skip
    labels = {"labels": metadata["labels"]} if metadata.get("labels") else {}
    return {
        "apiVersion": template.get("apiVersion", "resource.k8s.io/v1"),
        "kind": "ResourceClaim",
        "metadata": {
            "name": name,
            "namespace": namespace,
            "uid": derived_uid("ResourceClaim", namespace, f"{name} of {uid}"),
            **labels,
            "annotations": {**(metadata.get("annotations") or {}), ENTRY_ANNOTATION: entry},
            "ownerReferences": [owner],
        },
        "spec": spec.get("spec") or {},
    }


def is_for(document: Document, entry: str, pod: Pod) -> bool:
    """Return whether a claim was made for an entry of a pod."""
    annotations = (document.get("metadata") or {}).get("annotations") or {}
    owned = any(owner.get("uid") == pod.metadata.uid for owner in owners_of(document))
    return owned and annotations.get(ENTRY_ANNOTATION) == entry


def key_of(document: Document) -> ClaimKey:
    """Return namespace and name of a claim."""
    metadata = document.get("metadata") or {}
    return metadata.get("namespace") or "default", metadata["name"]


def owners_of(document: Document) -> list[Document]:
    """Return the owner references of an object."""
    return list((document.get("metadata") or {}).get("ownerReferences") or ())


def reservations_of(document: Document) -> list[Document]:
    """Return for whom a claim is reserved."""
    return list((document.get("status") or {}).get("reservedFor") or ())


def with_status(document: Document, **fields: Any) -> Document:
    """Return the claim with other fields of its status; None takes a field away."""
    status = {**(document.get("status") or {}), **fields}
    return {**document, "status": {name: value for name, value in status.items() if value is not None}}


def without_reservation(document: Document, pod_uid: str, *, deallocates: bool) -> Document:
    """Return the claim without a pod's reservation; without any it may lose its devices, too."""
    left = [one for one in reservations_of(document) if one.get("uid") != pod_uid]
    if left or not deallocates:
        return with_status(document, reservedFor=left or None)
    return deallocated(document)


def deallocated(document: Document) -> Document:
    """Return the claim without devices."""
    return with_status(document, allocation=None, reservedFor=None, devices=None)
