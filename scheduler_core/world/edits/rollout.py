"""How a scaled Deployment divides its pods among its ReplicaSets.

One active ReplicaSet takes them all. During a rollout there are several, and all keep their shares: what is
added or taken away is divided in proportion to their sizes, so that scaling neither hastens nor undoes the
rollout. Then there may be `maxSurge` pods more than asked for, as long as the rollout lasts.

Source: kubernetes v1.36 pkg/controller/deployment/sync.go scale, isScalingEvent;
util/deployment_util.go FindActiveOrLatest, FindNewReplicaSet, GetReplicaSetProportion, MaxSurge;
pkg/controller/controller_utils.go ReplicaSetsBySizeOlder.
"""

from typing import Any

from scheduler_core.objects.identity import name_of, spec_of
from scheduler_core.objects.timestamps import parse_timestamp
from scheduler_core.objects.workloads.budgets import share
from scheduler_core.objects.workloads.workload_pods import template_hash, wanted_replicas, with_replicas

Object = dict[str, Any]

REVISION = "deployment.kubernetes.io/revision"
DESIRED_REPLICAS = "deployment.kubernetes.io/desired-replicas"
MAX_REPLICAS = "deployment.kubernetes.io/max-replicas"
_DEFAULT_SURGE = "25%"
_HASH = "pod-template-hash"
_LATEST = 2**63


def sizes(deployment: Object, replica_sets: list[Object]) -> dict[str, int]:
    """Return how many pods each ReplicaSet is to have, by its name; there is at least one ReplicaSet."""
    found = {name_of(one): wanted_replicas(one) for one in replica_sets}
    active = [one for one in replica_sets if wanted_replicas(one) > 0]
    if len(active) < 2:
        only = active[0] if active else newest(replica_sets)
        return {**found, name_of(only): wanted_replicas(deployment)}
    unchanged = all(_number(one, DESIRED_REPLICAS) == wanted_replicas(deployment) for one in active)
    if unchanged or not is_rolling(deployment):
        return found
    return {**found, **_in_proportion(deployment, active)}


def newest(replica_sets: list[Object]) -> Object:
    """Return the ReplicaSet of the latest revision."""
    return max(
        replica_sets, key=lambda one: (_number(one, REVISION) or 0, wanted_replicas(one), name_of(one))
    )


def of_template(deployment: Object, replica_sets: list[Object]) -> Object | None:
    """Return the ReplicaSet of a Deployment's template, the oldest of several."""
    wanted = hash_of(deployment)
    return next((one for one in sorted(replica_sets, key=made) if hash_of(one) == wanted), None)


def is_under_way(deployment: Object, replica_sets: list[Object], pods: int) -> bool:
    """Return whether a snapshot with so many of a Deployment's pods shows a rollout that has not ended.

    Where its status counts other pods, or says that all are of the template, it shows none.
    """
    if says_ended(deployment) or (deployment["status"].get("replicas") or 0) != pods:
        return False
    new = of_template(deployment, replica_sets)
    return any(wanted_replicas(one) > 0 for one in replica_sets if one is not new)


def says_ended(deployment: Object) -> bool:
    """Return whether a Deployment's status says that all of its pods are of the template, or nothing."""
    status = deployment.get("status") or {}
    counts = status.get("replicas") or 0, status.get("updatedReplicas") or 0
    return counts == (wanted_replicas(deployment),) * 2 or not counts[0]


def hash_of(workload: Object) -> str:
    """Return a hash of a template; the label with the controller's own hash doesn't count."""
    template = spec_of(workload).get("template") or {}
    metadata = template.get("metadata") or {}
    labels = {key: value for key, value in (metadata.get("labels") or {}).items() if key != _HASH}
    metadata = {key: value for key, value in metadata.items() if value is not None} | {"labels": labels}
    return template_hash({**template, "metadata": metadata})


def made(replica_set: Object) -> tuple[int, str]:
    """Return by what ReplicaSets are older than others."""
    at = (replica_set.get("metadata") or {}).get("creationTimestamp")
    return parse_timestamp(at, -_LATEST), name_of(replica_set)


def is_rolling(deployment: Object) -> bool:
    """Return whether a changed template replaces pods little by little."""
    strategy = spec_of(deployment).get("strategy") or {}
    return (strategy.get("type") or "RollingUpdate") == "RollingUpdate"


def with_size(replica_set: Object, size: int, deployment: Object) -> Object:
    """Return the ReplicaSet with a size, and noted on it of how many pods that is its share."""
    wanted = wanted_replicas(deployment)
    scaled = with_replicas(replica_set, size)
    metadata = scaled.get("metadata") or {}
    noted = {DESIRED_REPLICAS: str(wanted), MAX_REPLICAS: str(wanted + max_surge(deployment))}
    annotations = {**(metadata.get("annotations") or {}), **noted}
    return {**scaled, "metadata": {**metadata, "annotations": annotations}}


def max_surge(deployment: Object) -> int:
    """Return how many pods more than asked for there may be during a rollout."""
    if not is_rolling(deployment):
        return 0
    rolling = (spec_of(deployment).get("strategy") or {}).get("rollingUpdate") or {}
    surge = rolling.get("maxSurge")
    return share(_DEFAULT_SURGE if surge is None else surge, wanted_replicas(deployment))


def _in_proportion(deployment: Object, active: list[Object]) -> dict[str, int]:
    """Divide what is to be added or taken away, the largest first, which takes what is left over too."""
    wanted = wanted_replicas(deployment)
    allowed = wanted + max_surge(deployment) if wanted else 0
    whole = sum(map(wanted_replicas, active))
    missing = allowed - whole
    age = -1 if missing > 0 else 1
    ordered = sorted(active, key=name_of)
    ordered.sort(key=lambda one: age * _created(one))
    ordered.sort(key=wanted_replicas, reverse=True)
    found, added = {}, 0
    for one in ordered:
        part = _part(one, wanted, allowed, whole)
        left = missing - added
        part = min(part, left) if missing > 0 else max(part, left)
        found[name_of(one)] = wanted_replicas(one) + part
        added += part
    largest = name_of(ordered[0])
    found[largest] = max(0, found[largest] + missing - added)
    return found


def _part(replica_set: Object, wanted: int, allowed: int, whole: int) -> int:
    """Return by how much a ReplicaSet would grow if it grew as the Deployment does, halves rounded up."""
    size = wanted_replicas(replica_set)
    if wanted == 0:
        return -size
    before = _number(replica_set, MAX_REPLICAS) or whole
    return (2 * size * allowed + before) // (2 * before) - size


def _number(replica_set: Object, annotation: str) -> int | None:
    text = ((replica_set.get("metadata") or {}).get("annotations") or {}).get(annotation) or ""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _created(replica_set: Object) -> int:
    return parse_timestamp((replica_set.get("metadata") or {}).get("creationTimestamp"), _LATEST)
