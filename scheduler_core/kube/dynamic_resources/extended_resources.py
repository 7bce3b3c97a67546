"""Extended resources that a DeviceClass stands behind: the claim that the scheduler would make for a pod.

On a node whose device plugin offers the resource its amount counts; on others the pod needs devices.

Source: kubernetes v1.36 plugins/dynamicresources extendeddynamicresources.go.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from scheduler_core.objects.amounts.quantity import parse_quantity
from scheduler_core.objects.amounts.requests import is_extended
from scheduler_core.objects.dynamic_resources import Document
from scheduler_core.objects.types import Container, Node
from scheduler_core.state.claim_documents import ClaimKey, owners_of
from scheduler_core.state.device_claims import DeviceClaims
from scheduler_core.state.device_classes import IMPLICIT
from scheduler_core.state.pods import PodInfo

IN_MEMORY = "<extended-resources>"
"""The name of a claim that no API server knows."""
ANNOTATION = "resource.kubernetes.io/extended-resource-claim"


@dataclass
class RequestsOnNode:
    """What the pod's claim would ask for on a node, and which container's resource each request serves."""

    requests: list[Document] = field(default_factory=list)
    mappings: list[Document] = field(default_factory=list)


class CannotFit(Exception):
    """A node neither offers a resource nor has devices for it."""


def amounts_of(pod: PodInfo, claims: DeviceClaims) -> dict[str, int]:
    """Return what a pod asks of extended resources, where devices stand behind one of them."""
    asked = {
        name: amount
        for name, amount in pod.requests.items()
        if amount and (is_extended(name) or name.startswith(IMPLICIT))
    }
    return asked if any(claims.classes_by_resource.get(name) for name in asked) else {}


def claim_made_before(pod: PodInfo, claims: DeviceClaims) -> ClaimKey | None:
    """Return the claim that an earlier attempt made for the pod, None where there is none."""
    for key, document in claims.documents.values.items():
        annotations = (document.get("metadata") or {}).get("annotations") or {}
        if annotations.get(ANNOTATION) == "true" and any(
            owner.get("name") == pod.name and owner.get("uid") == pod.uid and owner.get("controller")
            for owner in owners_of(document)
        ):
            return key
    return None


def claim_in_memory(pod: PodInfo) -> Document:
    """Return the claim that the scheduler would make, without requests."""
    owner = {"apiVersion": "v1", "kind": "Pod", "name": pod.name, "uid": pod.uid, "controller": True}
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {
            "name": IN_MEMORY,
            "namespace": pod.namespace,
            "generateName": f"{pod.name}-extended-resources-",
            "ownerReferences": [owner],
            "annotations": {ANNOTATION: "true"},
        },
        "spec": {"devices": {}},
    }


def resources_on(node: Node, amounts: dict[str, int], claims: DeviceClaims) -> list[str]:
    """Return the resources for which a pod needs devices on a node, sorted. Raises CannotFit."""
    offered = node.status.allocatable or {}
    found = []
    for name in amounts:
        if claims.classes_by_resource.get(name) and parse_quantity(offered.get(name)).nanos == 0:
            found.append(name)
        elif name not in offered:
            raise CannotFit
    return sorted(found)


# -- requests ------------------------------------------------------------------------------------------


def requests_for(pod: PodInfo, resources: Sequence[str], claims: DeviceClaims) -> RequestsOnNode:
    """Return the requests for these resources, by name, and what they serve."""
    init = pod.pod.spec.init_containers or []
    containers = [*init, *(pod.pod.spec.containers or ())]
    passing = [place for place, one in enumerate(init) if one.restart_policy != "Always"]
    found = RequestsOnNode()
    for resource in resources:
        _add(found, resource, claims.classes_by_resource[resource], containers, passing)
    found.requests.sort(key=lambda request: str(request["name"]))
    return found


def _add(
    found: RequestsOnNode,
    resource: str,
    device_class: str,
    containers: Sequence[Container],
    passing: Sequence[int],
) -> None:
    """Add what one resource needs: of init containers that end only the largest request beyond others."""
    lasting: list[Document | None] = [None] * len(containers)
    for place in (place for place in range(len(containers)) if place not in passing):
        request, served = _request(place, containers[place], resource, device_class, ())
        lasting[place] = request
        found.mappings += served
    largest: Document | None = None
    names: set[str] = set()
    mappings: list[Document] = []
    for place in passing:
        request, served = _request(place, containers[place], resource, device_class, lasting[place:])
        mappings += served
        if request is not None:
            names.add(request["name"])
            if largest is None or largest["exactly"]["count"] < request["exactly"]["count"]:
                largest = request
    if largest is not None:
        mappings = [
            {**one, "requestName": largest["name"]} if one["requestName"] in names else one
            for one in mappings
        ]
        found.requests.append(largest)
    found.requests += [request for request in lasting if request is not None]
    found.mappings += mappings


def _request(
    place: int,
    container: Container,
    resource: str,
    device_class: str,
    reusable: Sequence[Document | None],
) -> tuple[Document | None, list[Document]]:
    """Return what a container needs beyond requests whose devices it may use, and what serves it."""
    asked = (container.resources.requests if container.resources else None) or {}
    amount = parse_quantity(asked[resource]).value() if resource in asked else 0
    if amount == 0:
        return None, []
    mappings, reused = [], 0
    for request in (request for request in reusable if request is not None):
        reused += request["exactly"]["count"]
        mappings.append(_mapping(container, resource, request["name"]))
        if reused >= amount:
            return None, mappings
    name = f"container-{place}-request-{sorted(asked).index(resource)}"
    exactly = {
        "deviceClassName": device_class,
        "allocationMode": "ExactCount",
        "count": amount - reused,
    }
    return {"name": name, "exactly": exactly}, [*mappings, _mapping(container, resource, name)]


def _mapping(container: Container, resource: str, request: str) -> Document:
    return {"containerName": container.name, "resourceName": resource, "requestName": request}
