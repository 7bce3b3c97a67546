"""The rules that an API server has for objects of one type, beyond the names of their fields.

Each rule yields field and fault. It is asked for every object of its type, wherever that stands: a container
in a pod, in the template of a workload, in a task of a Volcano Job. Only faults that change what a scheduler
does are looked for, or that show that something else was meant.

Source: kubernetes v1.36 pkg/apis/core/validation, pkg/apis/apps/validation, pkg/apis/policy/validation.
"""

from collections.abc import Callable, Iterator
from typing import Any

from scheduler_core.objects.identity import labels_of
from scheduler_core.objects.kind_checks import KIND_CHECKS
from scheduler_core.objects.kinds import REPLICATION_CONTROLLER, kind_of
from scheduler_core.objects.misspelt_kinds import misspelt
from scheduler_core.objects.resource_names import (
    OF_CONTAINERS,
    OF_LIMITS,
    OF_NODES,
    OF_PODS,
    OF_QUOTAS,
    name_fault,
)
from scheduler_core.objects.workloads import selects

Object = dict[str, Any]
Fault = tuple[str, str]
Rule = Callable[[Object], Iterator[Fault]]

_RESTART_POLICIES = ("Always", "OnFailure", "Never")
_OF_ONE_CONTAINER = ("Pod", "Container")
_DEFAULTED_SELECTOR = ("extensions/v1beta1", "apps/v1beta1")
"""Versions in which a selector that is left out is that of the template's labels."""


def object_faults(document: Object) -> Iterator[Fault]:
    """Yield what is wrong with an object as a whole."""
    check = KIND_CHECKS.get(kind_of(document))
    if check is not None and not check.namespaced and _dict(document, "metadata").get("namespace"):
        yield "metadata.namespace", f"must be absent: a {kind_of(document).name} is in no namespace"
    if fault := misspelt(kind_of(document)):
        yield fault


def _container(container: Object) -> Iterator[Fault]:
    for field in ("name", "image"):
        if not container.get(field):
            yield field, "is required"
    yield from _requirements(_dict(container, "resources"), "resources", OF_CONTAINERS)


def _pod_spec(spec: Object) -> Iterator[Fault]:
    if not spec.get("containers"):
        yield "containers", "must have at least one"
    yield from _requirements(_dict(spec, "resources"), "resources", OF_PODS)
    yield from _names(spec, "overhead", OF_CONTAINERS)
    policy = spec.get("restartPolicy")
    if policy and policy not in _RESTART_POLICIES:
        yield "restartPolicy", f"must be one of {', '.join(_RESTART_POLICIES)}"


def _requirements(resources: Object, path: str, standard: tuple[str, ...]) -> Iterator[Fault]:
    for side in ("requests", "limits"):
        for field, message in _names(resources, side, standard):
            yield f"{path}.{field}", message


def _names(holder: Object, field: str, standard: tuple[str, ...]) -> Iterator[Fault]:
    for name in _dict(holder, field):
        if fault := name_fault(name, standard):
            yield f"{field}.{name}", fault


def _pod(pod: Object) -> Iterator[Fault]:
    yield from _mounts(_dict(pod, "spec"), "spec", set())


def _workload(workload: Object) -> Iterator[Fault]:
    spec = _dict(workload, "spec")
    template = spec.get("template")
    if not isinstance(template, dict):
        yield "spec.template", "is required"
        return
    claims = {_dict(claim, "metadata").get("name") for claim in _objects(spec, "volumeClaimTemplates")}
    yield from _mounts(_dict(template, "spec"), "spec.template.spec", claims)
    yield from _selector(workload, template)


def _selector(workload: Object, template: Object) -> Iterator[Fault]:
    if not _dict(workload, "spec").get("selector"):
        if (
            workload.get("apiVersion") not in _DEFAULTED_SELECTOR
            and kind_of(workload) != REPLICATION_CONTROLLER
        ):
            yield "spec.selector", "is required"
        return
    namespace = _dict(workload, "metadata").get("namespace")
    if not selects(workload, {"metadata": {"namespace": namespace, "labels": labels_of(template)}}):
        yield "spec.selector", "does not match the labels of spec.template"


def _job(job: Object) -> Iterator[Fault]:
    template = _dict(job, "spec").get("template")
    if not isinstance(template, dict):
        yield "spec.template", "is required"
    else:
        yield from _mounts(_dict(template, "spec"), "spec.template.spec", set())


def _cron_job(cron_job: Object) -> Iterator[Fault]:
    for field, message in _job(_dict(_dict(cron_job, "spec"), "jobTemplate")):
        yield f"spec.jobTemplate.{field}", message


def _mounts(spec: Object, path: str, claims: set[Any]) -> Iterator[Fault]:
    """Yield mounts of volumes that are none of the pod's; `claims`: those that a StatefulSet adds."""
    volumes = {volume.get("name") for volume in _objects(spec, "volumes")} | claims
    for field in ("initContainers", "containers"):
        for place, container in enumerate(_objects(spec, field)):
            for index, mount in enumerate(_objects(container, "volumeMounts")):
                if mount.get("name") not in volumes:
                    yield f"{path}.{field}[{place}].volumeMounts[{index}].name", "is the name of no volume"


def _disruption_budget(spec: Object) -> Iterator[Fault]:
    if spec.get("minAvailable") is not None and spec.get("maxUnavailable") is not None:
        yield "maxUnavailable", "must be absent where there is minAvailable"


def _quota(spec: Object) -> Iterator[Fault]:
    yield from _names(spec, "hard", OF_QUOTAS)


def _node_status(status: Object) -> Iterator[Fault]:
    yield from _names(status, "allocatable", OF_NODES)
    if not _dict(status, "allocatable"):
        yield from _names(status, "capacity", OF_NODES)


def _limit(item: Object) -> Iterator[Fault]:
    standard = OF_CONTAINERS if item.get("type") in _OF_ONE_CONTAINER else OF_LIMITS
    for field in ("max", "min", "default", "defaultRequest", "maxLimitRequestRatio"):
        yield from _names(item, field, standard)


def _dict(holder: Object, field: str) -> Object:
    value = holder.get(field)
    return value if isinstance(value, dict) else {}


def _objects(holder: Object, field: str) -> list[Object]:
    value = holder.get(field)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


RULES: dict[str, Rule] = {
    "core.Container": _container,
    "core.EphemeralContainer": _container,
    "core.PodSpec": _pod_spec,
    "core.Pod": _pod,
    "core.ReplicationController": _workload,
    "core.LimitRangeItem": _limit,
    "core.NodeStatus": _node_status,
    "core.ResourceQuotaSpec": _quota,
    "apps.DaemonSet": _workload,
    "apps.Deployment": _workload,
    "apps.ReplicaSet": _workload,
    "apps.StatefulSet": _workload,
    "batch.Job": _job,
    "batch.CronJob": _cron_job,
    "policy.PodDisruptionBudgetSpec": _disruption_budget,
}
"""By the name of a type in `schema`."""
