"""The rules that an API server has for objects of one type, beyond the names of their fields.

Each rule yields field and fault. It is asked for every object of its type, wherever that stands: a container
in a pod, in the template of a workload, in a task of a Volcano Job. Only faults that change what a scheduler
does are looked for, or that show that something else was meant.

Source: kubernetes v1.36 pkg/apis/core/validation, pkg/apis/apps/validation, pkg/apis/policy/validation.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from scheduler_core.objects.amounts.resource_names import (
    OF_CONTAINERS,
    OF_LIMITS,
    OF_NODES,
    OF_PODS,
    OF_QUOTAS,
)
from scheduler_core.objects.amounts.resource_names import name_fault as resource_fault
from scheduler_core.objects.checks.kind_checks import KIND_CHECKS
from scheduler_core.objects.identity import labels_of
from scheduler_core.objects.kinds import REPLICATION_CONTROLLER, kind_of
from scheduler_core.objects.reading.misspelt_kinds import misspelt
from scheduler_core.objects.validation import (
    device_rules,
    limit_rules,
    metadata_rules,
    pod_rules,
    storage_rules,
    value_rules,
    workload_rules,
)
from scheduler_core.objects.validation.label_rules import key_fault, label_faults, name_fault, value_fault
from scheduler_core.objects.validation.parts_of_objects import Fault, Object, Rule, dict_in, objects_in
from scheduler_core.objects.validation.schema import versions_of
from scheduler_core.objects.workloads.workload_pods import selects

RESTART_POLICIES = ("Always", "OnFailure", "Never")
_OF_ONE_CONTAINER = ("Pod", "Container")
_DEFAULTED_SELECTOR = ("extensions/v1beta1", "apps/v1beta1")
"""Versions in which a selector that is left out is that of the template's labels."""


def object_faults(document: Object) -> Iterator[Fault]:
    """Yield what is wrong with an object as a whole."""
    kind = kind_of(document)
    check = KIND_CHECKS.get(kind)
    if check is not None and not check.namespaced and dict_in(document, "metadata").get("namespace"):
        yield "metadata.namespace", f"must be absent: a {kind.name} is in no namespace"
    if fault := misspelt(kind):
        yield fault
    yield from metadata_rules.names(document, kind)
    versions = versions_of(kind)
    if versions and document.get("apiVersion") not in versions:
        yield "apiVersion", f"is none of this kind's: {', '.join(versions)}"


def _container(container: Object) -> Iterator[Fault]:
    for field in ("name", "image"):
        if not container.get(field):
            yield field, "is required"
    name = container.get("name")
    if name and isinstance(name, str) and (fault := name_fault(name)):
        yield "name", fault
    yield from _requirements(dict_in(container, "resources"), "resources", OF_CONTAINERS)


def _pod_spec(spec: Object) -> Iterator[Fault]:
    if not spec.get("containers"):
        yield "containers", "must have at least one"
    yield from _requirements(dict_in(spec, "resources"), "resources", OF_PODS)
    yield from _names(spec, "overhead", OF_CONTAINERS)
    yield from label_faults(spec.get("nodeSelector"), "nodeSelector")
    yield from _once(spec, ("containers", "initContainers"))
    yield from _once(spec, ("volumes",))
    yield from _once(spec, ("schedulingGates",))
    yield from _once(spec, ("resourceClaims",))
    policy = spec.get("restartPolicy")
    if policy and isinstance(policy, str) and policy not in RESTART_POLICIES:
        yield "restartPolicy", f"must be one of {', '.join(RESTART_POLICIES)}"


def _once(holder: Object, fields: tuple[str, ...]) -> Iterator[Fault]:
    """Yield names that stand a second time in these lists of objects."""
    known: set[str] = set()
    for field in fields:
        if not holder.get(field):
            continue
        for place, item in enumerate(objects_in(holder, field)):
            name = item.get("name")
            if not isinstance(name, str):
                continue
            if name in known and name:
                yield f"{field}[{place}].name", f"is the name of another one too: {name[:80]}"
            known.add(name)


def _gate(gate: Object) -> Iterable[Fault]:
    return _keyed(gate, "name")


def _volume(volume: Object) -> Iterator[Fault]:
    name = volume.get("name") or ""
    if isinstance(name, str) and (fault := name_fault(name)):
        yield "name", fault if name else "is required"


def _keyed(holder: Object, field: str, *, may_be_empty: bool = False) -> Iterable[Fault]:
    """Return what is wrong with a field that is made like the key of a label."""
    key = holder.get(field) or ""
    if isinstance(key, str) and (key or not may_be_empty) and (fault := key_fault(key)):
        return ((field, fault),)
    return ()


def _key(holder: Object) -> Iterable[Fault]:
    return _keyed(holder, "key")


def _toleration(toleration: Object) -> Iterable[Fault]:
    return _keyed(toleration, "key", may_be_empty=True)


def _taint(taint: Object) -> Iterator[Fault]:
    yield from _keyed(taint, "key")
    value = taint.get("value") or ""
    if isinstance(value, str) and (fault := value_fault(value)):
        yield "value", fault


def _topology_key(term: Object) -> Iterable[Fault]:
    return _keyed(term, "topologyKey", may_be_empty=True)


def _label_selector(selector: Object) -> Iterable[Fault]:
    return label_faults(selector.get("matchLabels"), "matchLabels")


def _requirements(resources: Object, path: str, standard: tuple[str, ...]) -> Iterator[Fault]:
    for side in ("requests", "limits"):
        for field, message in _names(resources, side, standard):
            yield f"{path}.{field}", message


def _names(holder: Object, field: str, standard: tuple[str, ...]) -> Iterator[Fault]:
    for name in dict_in(holder, field):
        if fault := resource_fault(name, standard):
            yield f"{field}.{name}", fault


def _pod(pod: Object) -> Iterator[Fault]:
    yield from _mounts(dict_in(pod, "spec"), "spec", set())


def _workload(workload: Object) -> Iterator[Fault]:
    spec = dict_in(workload, "spec")
    template = spec.get("template")
    if not isinstance(template, dict):
        yield "spec.template", "is required"
        return
    claims = {dict_in(claim, "metadata").get("name") for claim in objects_in(spec, "volumeClaimTemplates")}
    if None in claims:
        yield "spec.volumeClaimTemplates", "must each have a name"
    yield from _mounts(dict_in(template, "spec"), "spec.template.spec", claims)
    yield from _selector(workload, template)


def _selector(workload: Object, template: Object) -> Iterator[Fault]:
    if not dict_in(workload, "spec").get("selector"):
        is_defaulted = workload.get("apiVersion") in _DEFAULTED_SELECTOR
        if not labels_of(template) if kind_of(workload) == REPLICATION_CONTROLLER else not is_defaulted:
            yield "spec.selector", "is required"
        return
    namespace = dict_in(workload, "metadata").get("namespace")
    if not selects(workload, {"metadata": {"namespace": namespace, "labels": labels_of(template)}}):
        yield "spec.selector", "does not match the labels of spec.template"


def _job(job: Object) -> Iterator[Fault]:
    template = dict_in(job, "spec").get("template")
    if not isinstance(template, dict):
        yield "spec.template", "is required"
    else:
        yield from _mounts(dict_in(template, "spec"), "spec.template.spec", set())
        if dict_in(job, "spec").get("manualSelector") is True:
            yield from _selector(job, template)


def _cron_job(cron_job: Object) -> Iterator[Fault]:
    for field, message in _job(dict_in(dict_in(cron_job, "spec"), "jobTemplate")):
        yield f"spec.jobTemplate.{field}", message


def _mounts(spec: Object, path: str, claims: set[Any]) -> Iterator[Fault]:
    """Yield mounts of volumes that are none of the pod's; `claims`: those that a StatefulSet adds."""
    volumes = {volume.get("name") for volume in objects_in(spec, "volumes")} | claims
    for field in ("initContainers", "containers"):
        for place, container in enumerate(objects_in(spec, field)):
            for index, mount in enumerate(objects_in(container, "volumeMounts")):
                if mount.get("name") not in volumes:
                    yield f"{path}.{field}[{place}].volumeMounts[{index}].name", "is the name of no volume"


def _disruption_budget(spec: Object) -> Iterator[Fault]:
    if spec.get("minAvailable") is not None and spec.get("maxUnavailable") is not None:
        yield "maxUnavailable", "must be absent where there is minAvailable"


def _quota(spec: Object) -> Iterator[Fault]:
    yield from _names(spec, "hard", OF_QUOTAS)


def _node_status(status: Object) -> Iterator[Fault]:
    yield from _names(status, "allocatable", OF_NODES)
    if not dict_in(status, "allocatable"):
        yield from _names(status, "capacity", OF_NODES)


def _limit(item: Object) -> Iterator[Fault]:
    standard = OF_CONTAINERS if item.get("type") in _OF_ONE_CONTAINER else OF_LIMITS
    for field in ("max", "min", "default", "defaultRequest", "maxLimitRequestRatio"):
        yield from _names(item, field, standard)


_OWN: dict[str, Rule] = {
    "core.Container": _container,
    "core.EphemeralContainer": _container,
    "core.PodSpec": _pod_spec,
    "core.Pod": _pod,
    "core.NodeSelectorRequirement": _key,
    "core.PodSchedulingGate": _gate,
    "core.PodAffinityTerm": _topology_key,
    "core.Taint": _taint,
    "core.Toleration": _toleration,
    "core.Volume": _volume,
    "meta.LabelSelector": _label_selector,
    "meta.LabelSelectorRequirement": _key,
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
_MODULES = (metadata_rules, pod_rules, workload_rules, storage_rules, limit_rules, device_rules)
Rules = Mapping[str, tuple[Rule, ...]]
"""By the name of a type in `schema`."""


def _joined(tables: Iterable[Rules]) -> Rules:
    rules: dict[str, tuple[Rule, ...]] = defaultdict(tuple)
    for table in tables:
        for name, added in table.items():
            rules[name] += added
    return dict(rules)


_VALUES = {name: (value_rules.value_faults(name),) for name in {*value_rules.VALUES, *value_rules.REQUIRED}}
RULES = _joined(
    [{name: (rule,) for name, rule in _OWN.items()}, _VALUES, *(module.RULES for module in _MODULES)]
)
RULES_OF_NEW = _joined([RULES, pod_rules.LATER, workload_rules.LATER])
"""With the rules that came when objects were stored already that break them, which goes on."""
