"""A manifest applied to an object that is there already, as `kubectl apply --server-side` does it.

Fields that the manifest names get its values, all others stay. Lists whose items have a key of their own
(containers by name) are merged item by item, all other lists are replaced. Whoever wants to take something
away patches or deletes it: which of the fields an earlier manifest gave is not known here.

Source: the list types in k8s.io/api v0.36 (`+listMapKey`, `+listType=atomic`).
"""

from collections.abc import Iterable
from typing import Any

from scheduler_core.objects.amounts.quantity import QuantityError, parse_quantity
from scheduler_core.objects.identity import spec_of
from scheduler_core.objects.kinds import (
    DAEMON_SET,
    DEPLOYMENT,
    NODE,
    REPLICA_SET,
    STATEFUL_SET,
    WORKLOAD_KINDS,
    kind_of,
)
from scheduler_core.objects.problems import Problem
from scheduler_core.schedulers.object_admission import Refused
from scheduler_core.world.edits.additions import with_wanted_replicas
from scheduler_core.world.edits.changes import change
from scheduler_core.world.edits.edited_cluster import EditedCluster
from scheduler_core.world.edits.results import EditResult

Object = dict[str, Any]

_OF_THE_SERVER = {
    "name", "namespace", "generateName", "uid", "resourceVersion", "creationTimestamp", "generation",
    "managedFields", "selfLink",
}  # fmt: skip
_CHANGED_IN_PODS = (
    "activeDeadlineSeconds",
    "terminationGracePeriodSeconds",
    "tolerations",
    "ephemeralContainers",
)
_WITH_A_LASTING_SELECTOR = (DEPLOYMENT, REPLICA_SET, DAEMON_SET)
_CHANGED_IN_STATEFUL_SETS = {
    "replicas", "ordinals", "template", "updateStrategy", "revisionHistoryLimit",
    "persistentVolumeClaimRetentionPolicy", "minReadySeconds",
}  # fmt: skip
_CHANGED_WHILE_GATED = ("affinity", "nodeSelector", "schedulingGates")
_KEYS = {
    "containers": "name",
    "initContainers": "name",
    "volumes": "name",
    "volumeMounts": "mountPath",
    "env": "name",
    "ports": "containerPort",
    "imagePullSecrets": "name",
    "schedulingGates": "name",
    "resourceClaims": "name",
    "topologySpreadConstraints": "topologyKey",
    "conditions": "type",
    "ownerReferences": "uid",
    "tasks": "name",
}
_AMOUNTS = {
    "requests", "limits", "capacity", "allocatable", "hard", "overhead", "podFixed", "default",
    "defaultRequest", "min", "max", "capability", "deserved", "resource", "minResources",
}  # fmt: skip


def apply_to(
    cluster: EditedCluster, present: Object, document: Object, replicas: int | None, result: EditResult
) -> bool:
    """Give an object what the document says of it; return whether anything changed. Raises Refused."""
    if kind_of(document) in WORKLOAD_KINDS:
        document = with_wanted_replicas(document, replicas)
    wanted = _without_server_fields(document)
    if says_nothing_new(wanted, present, ""):
        return False
    _refuse_fixed(present, wanted)
    change(cluster, present, _merged(wanted, present, ""), result, "manifest")
    return True


def _refuse_fixed(present: Object, wanted: Object) -> None:
    """Refuse other values of what a workload keeps as it was made.

    Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go ValidateStatefulSetUpdate; the strategies'
    ValidateUpdate of pkg/registry/apps for the selectors of the others.
    """
    kind, before, given = kind_of(present), spec_of(present), spec_of(wanted)
    if kind == STATEFUL_SET:
        fixed = given.keys() - _CHANGED_IN_STATEFUL_SETS
    else:
        fixed = {"selector"} if kind in _WITH_A_LASTING_SELECTOR else set()
    for field in given:
        # What an import has not may have been left out of it.
        if field in fixed & before.keys() and not says_nothing_new(given[field], before[field], field):
            raise Refused(f"manifest.spec.{field}", f"of a {kind.name} cannot be changed")


def faults_of_pod_update(present: Object, document: Object) -> list[Problem]:
    """Return what of a manifest an API server refuses since the pod is there already, a problem a field.

    Source: kubernetes v1.36 pkg/apis/core/validation/validation.go ValidatePodUpdate.
    """
    before, wanted = present.get("spec") or {}, document.get("spec") or {}
    free = {*_CHANGED_IN_PODS, *(_CHANGED_WHILE_GATED if before.get("schedulingGates") else ())}
    changed = [
        field
        for field, value in wanted.items()
        if field not in free
        and not says_nothing_new(_without_images(value), _without_images(before.get(field)), field)
    ]
    message = "may not change: the pod is there already, and an update may change little but its images"
    return [Problem("", f"manifest.spec.{field}", message) for field in changed]


def _without_images(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    return [
        {key: some for key, some in one.items() if key != "image"} if isinstance(one, dict) else one
        for one in value
    ]


def _without_server_fields(document: Object) -> Object:
    """Return what of a document an API server takes over; a node's status counts, as it says its size."""
    left = {key: value for key, value in document.items() if key not in ("apiVersion", "kind")}
    if kind_of(document) != NODE:
        left.pop("status", None)
    metadata = {key: value for key, value in document["metadata"].items() if key not in _OF_THE_SERVER}
    return {**left, "metadata": metadata}


def says_nothing_new(wanted: Any, present: Any, field: str) -> bool:
    """Tell whether a value that stands in a field of this name is there already, whatever else is."""
    if wanted == present:
        return True
    if present is None:
        return wanted is False or wanted in (None, "", [], {})
    if isinstance(wanted, dict) and isinstance(present, dict):
        of_amounts = field if field in _AMOUNTS else ""
        return all(
            says_nothing_new(value, present.get(key), of_amounts or key) for key, value in wanted.items()
        )
    if isinstance(wanted, list) and isinstance(present, list):
        if field == "tolerations":  # an API server adds its own
            return all(item in present for item in wanted)
        pairs = _paired(wanted, present, field)
        return pairs is not None and all(says_nothing_new(one, other, "") for one, other in pairs)
    return field in _AMOUNTS and _is_same_amount(wanted, present)


def _paired(wanted: list[Any], present: list[Any], field: str) -> list[tuple[Any, Any]] | None:
    """Return each item with the one that it means: the one of its key, else the one in its place."""
    known = _by_key(present, field)
    if known is not None and _by_key(wanted, field) is not None:
        return [(item, known.get(item[_KEYS[field]])) for item in wanted]
    return list(zip(wanted, present, strict=True)) if len(wanted) == len(present) else None


def _by_key(items: Iterable[Any], field: str) -> dict[Any, Any] | None:
    """Return the items by their keys; None where they have none, or not one each."""
    key = _KEYS.get(field)
    found: dict[Any, Any] = {}
    for item in items:
        value = item.get(key) if isinstance(item, dict) else None
        if not isinstance(value, str | int) or value in found:
            return None
        found[value] = item
    return found


def _is_same_amount(one: Any, other: Any) -> bool:
    if not isinstance(one, str | int | float) or not isinstance(other, str | int | float):
        return False
    try:
        return parse_quantity(one) == parse_quantity(other)
    except QuantityError:
        return False


def _merged(wanted: Any, present: Any, field: str) -> Any:
    """Return what is there with the values of the manifest; neither argument is changed."""
    if isinstance(wanted, dict):
        merged = dict(present) if isinstance(present, dict) else {}
        for key, value in wanted.items():
            if value is None:
                merged.pop(key, None)
            else:
                merged[key] = _merged(value, merged.get(key), key)
        return merged
    if isinstance(wanted, list) and isinstance(present, list):
        known, named = _by_key(present, field), _by_key(wanted, field)
        if known is not None and named is not None:
            kept = {
                key: _merged(named[key], item, "") if key in named else item for key, item in known.items()
            }
            return [*kept.values(), *(item for key, item in named.items() if key not in known)]
    return wanted
