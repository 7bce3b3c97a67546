"""The pod group of a pod that has none: what it takes from the pod and from the pod's owners.

Source: volcano v1.16 pkg/controllers/podgroup/pg_controller_handler.go buildPodGroupFromPod.
"""

from __future__ import annotations

from scheduler_core.go.parse import parse_int
from scheduler_core.volcano.controllers.annotations import handed_on_annotations, handed_on_labels
from scheduler_core.volcano.controllers.api_client import Api, NotFound
from scheduler_core.volcano.controllers.kinds import (
    BATCH_JOB,
    DAEMON_SET,
    POD,
    POD_GROUP,
    REPLICA_SET,
    STATEFUL_SET,
    Object,
    annotations_of,
    controller_reference,
    join,
    labels_of,
    new_object,
)
from scheduler_core.volcano.controllers.quota import quota_usage, text_of, times
from scheduler_core.volcano.model.custom_resources import QUEUE_NAME

MIN_MEMBER = "scheduling.volcano.sh/group-min-member"
_PREFIX = "volcano.sh/"
_GROUP_PREFIX = "podgroup-"
_TOPOLOGY_MODE = "volcano.sh/network-topology-mode"
_TOPOLOGY_TIER = "volcano.sh/network-topology-highest-tier"
_OWNERS = {kind.name: kind for kind in (REPLICA_SET, DAEMON_SET, STATEFUL_SET, BATCH_JOB)}


def group_name_of(pod: Object) -> str:
    """Return the name of the pod group of a pod: that of whom controls it, else its own."""
    for reference in pod["metadata"].get("ownerReferences") or ():
        if reference.get("controller"):
            return _GROUP_PREFIX + str(reference.get("uid") or "")
    return _GROUP_PREFIX + str(pod["metadata"].get("uid") or "")


def group_of_owner(uid: str) -> str:
    """Return the name of the pod group of the pods that an owner controls."""
    return _GROUP_PREFIX + uid


def build_group(pod: Object, api: Api, *, inherit: bool) -> Object:
    """Return the pod group that a pod should have; `inherit` is whether its owners are asked."""
    namespace = pod["metadata"].get("namespace") or "default"
    inherited = _of_owners(pod, api) if inherit else {}
    least = _min_member(inherited)
    group = new_object(POD_GROUP, namespace, group_name_of(pod))
    group["metadata"]["ownerReferences"] = _owners(pod)
    group["metadata"] |= _metadata(pod, inherited)
    spec: Object = {
        "minMember": least,
        "priorityClassName": pod["spec"].get("priorityClassName") or "",
        "queue": annotations_of(pod).get(QUEUE_NAME, ""),
        "minResources": text_of(times(quota_usage(pod["spec"]), least)),
        "networkTopology": _topology(annotations_of(pod)),
    }
    group["spec"] = {name: value for name, value in spec.items() if value or name == "minResources"}
    group["status"] = {"phase": "Pending"}
    return group


def _of_owners(pod: Object, api: Api) -> dict[str, str]:
    """Return the annotations of a pod's owners, whether they control it or not; the first one wins."""
    found: dict[str, str] = {}
    for reference in pod["metadata"].get("ownerReferences") or ():
        kind = _OWNERS.get(reference.get("kind") or "")
        if kind is None or not reference.get("name"):
            continue
        try:
            owner = api.get(kind, join(pod["metadata"].get("namespace") or "default", reference["name"]))
        except NotFound:
            continue
        found = annotations_of(owner) | found
    return found


def _min_member(inherited: dict[str, str]) -> int:
    number = parse_int(inherited.get(MIN_MEMBER, "1"), 32)
    return 1 if number is None or number < 0 else number


def _owners(pod: Object) -> list[Object]:
    references: list[Object] = pod["metadata"].get("ownerReferences") or []
    if any(reference.get("controller") for reference in references):
        return references
    metadata = pod["metadata"]
    return [controller_reference(POD, metadata["name"], metadata.get("uid") or "")]


def _metadata(pod: Object, inherited: dict[str, str]) -> Object:
    annotations = {name: value for name, value in inherited.items() if name.startswith(_PREFIX)}
    given = {
        "annotations": annotations | handed_on_annotations(annotations_of(pod)),
        "labels": handed_on_labels(labels_of(pod)),
    }
    return {name: values for name, values in given.items() if values}


def _topology(annotations: dict[str, str]) -> Object | None:
    """Return what a pod says of network topology: a mode that doesn't exist is hard, a tier is a number."""
    if _TOPOLOGY_MODE not in annotations and _TOPOLOGY_TIER not in annotations:
        return None
    mode = annotations.get(_TOPOLOGY_MODE, "").lower()
    tier = parse_int(annotations.get(_TOPOLOGY_TIER, ""))
    topology: Object = {"mode": mode if mode in ("hard", "soft") else "hard"}
    return topology if tier is None else topology | {"highestTierAllowed": tier}
