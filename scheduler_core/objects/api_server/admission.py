"""What an API server does to an object before it stores it: defaults, admission plugins, refusals.

In comes an object that never saw an API server (added by an edit, checked by a preflight, or imported without
a uid), out goes the object as it would be stored, a sentence for each change, and the reasons for a refusal.
The objects that come in are never changed.

The order is the API server's: defaults, LimitRanger, Priority, DefaultTolerationSeconds, RuntimeClass,
matching label keys, validation, ResourceQuota. Source: kubernetes v1.36 pkg/apis/core/v1/defaults.go,
plugin/pkg/admission/*, pkg/registry/core/pod/strategy.go.
"""

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from typing import Any, NamedTuple

import msgspec

from scheduler_core.objects.amounts import pod_resources
from scheduler_core.objects.api_server.default_requests import pod_level_requests, requests_from_limits
from scheduler_core.objects.api_server.limits import Quotas, apply_limit_ranges, limit_range_faults
from scheduler_core.objects.api_server.runtime_classes import apply_runtime_class
from scheduler_core.objects.api_server.storage_defaults import with_storage_defaults
from scheduler_core.objects.checks.kind_checks import KIND_CHECKS
from scheduler_core.objects.identity import derived_uid, labels_of, name_of, namespace_of
from scheduler_core.objects.kinds import (
    LIMIT_RANGE,
    NODE,
    POD,
    PRIORITY_CLASS,
    RESOURCE_QUOTA,
    RUNTIME_CLASS,
    STORAGE_CLASS,
    kind_of,
)
from scheduler_core.objects.problems import Problem

Object = dict[str, Any]

BUILT_IN_CLASSES: dict[str, Object] = {
    "system-node-critical": {"metadata": {"name": "system-node-critical"}, "value": 2_000_001_000},
    "system-cluster-critical": {"metadata": {"name": "system-cluster-critical"}, "value": 2_000_000_000},
}
"""Every cluster has these two."""

ADMISSION_KINDS = (PRIORITY_CLASS, RUNTIME_CLASS, LIMIT_RANGE)
"""What `Admission.learn` looks at."""

TOLERATION_SECONDS = 300
_NODE_PROBLEMS = ("not-ready", "unreachable")
_AFFINITY_KINDS = ("podAffinity", "podAntiAffinity")
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"


class Admitted(msgspec.Struct):
    """The object as it is stored, the changes as sentences, and the problems for which it is refused.

    `quota_refusals` are the reasons of ResourceQuotas: they refuse one pod, not its whole workload.
    """

    document: Object
    changes: list[str]
    problems: list[Problem]
    quota_refusals: list[str]


class _AdmittedSpec(NamedTuple):
    """What a pod was given that decides about it, as text; what became of its spec, and the changes."""

    given: bytes
    spec: Object
    changes: list[str]


class Reviewed(NamedTuple):
    """What a mutating webhook makes of a pod: its version of it, and a sentence for each change.

    `fault` is the field of the spec for which it is refused, and why; `over_quota` why there is no room.
    """

    pod: Object
    changes: Sequence[str] = ()
    fault: tuple[str, str] | None = None
    over_quota: str = ""


Webhook = Callable[[Object], Reviewed]


class Admission:
    """The API server of one cluster: knows its classes, ranges and quotas, and counts what it admits.

    `trusts_given_values` keeps a pod's own priority, overhead and amounts where an API server would refuse
    them: what somebody wrote into the picture of a cluster counts. `webhook` is asked about every pod.
    """

    def __init__(
        self,
        objects: Iterable[Object],
        *,
        trusts_given_values: bool = False,
        webhook: Webhook | None = None,
    ) -> None:
        self._webhook = webhook
        self._trusts_given_values = trusts_given_values
        documents = list(objects)
        self._priority_classes: dict[str, Object] = {}
        self._runtime_classes: dict[str, Object] = {}
        self._limit_ranges: dict[str, list[Object]] = {}
        self._admitted: _AdmittedSpec | None = None
        self.learn(documents)
        self._quotas = _quotas_of(documents, trusting_status=True)

    def copy(self, webhook: Webhook | None) -> "Admission":
        """Return one that knows the same and counts by itself from here; `webhook` is asked instead."""
        twin = copy(self)
        twin._quotas = self._quotas.copy()
        twin._webhook = webhook
        return twin

    def learn(self, objects: Iterable[Object]) -> None:
        """Take over the classes and LimitRanges of these objects in place of what was known."""
        self._admitted = None
        self._priority_classes = dict(BUILT_IN_CLASSES)
        self._runtime_classes = {}
        self._limit_ranges = {}
        for document in objects:
            kind = kind_of(document)
            if kind == PRIORITY_CLASS:
                self._priority_classes[name_of(document)] = document
            elif kind == RUNTIME_CLASS:
                self._runtime_classes[name_of(document)] = document
            elif kind == LIMIT_RANGE:
                self._limit_ranges.setdefault(namespace_of(document), []).append(document)
        for ranges in self._limit_ranges.values():
            ranges.sort(key=name_of)

    def count_quotas(self, objects: Iterable[Object]) -> None:
        """Take over the quotas of these objects, and count the pods anew."""
        self._quotas = _quotas_of(list(objects), trusting_status=False)

    def admit(self, document: Object) -> Admitted:
        """Return any object as the API server would store it."""
        kind = kind_of(document)
        if kind == POD:
            return self.admit_pod(document)
        return _admit_node(document) if kind == NODE else _admit_other(document)

    def admit_pod(self, pod: Object) -> Admitted:
        """Return a pod as the API server would store it, and count it in its quotas."""
        given = msgspec.json.encode((pod.get("spec"), namespace_of(pod), labels_of(pod)))
        if self._admitted is not None and self._admitted.given == given:
            return self._admit_alike(pod, self._admitted)
        self._admitted = None
        pod, changes = _prepare_pod(pod)
        of_metadata = len(changes)
        spec = pod["spec"]
        if spec.get("nodeName"):
            changes.append(f"already on node {spec['nodeName']}, past the scheduler")
        name = f"Pod {namespace_of(pod)}/{name_of(pod)}"
        ranges = self._limit_ranges.get(namespace_of(pod), [])
        changes += _default_spec(spec)
        defaulted = apply_limit_ranges(spec, ranges)
        changes += defaulted.changes
        faults = self._set_priority(spec, changes)
        changes += _add_default_tolerations(spec)
        faults += self._apply_runtime_class(spec, changes)
        reviewed = Reviewed(pod) if self._webhook is None else self._webhook(pod)
        pod, spec = reviewed.pod, reviewed.pod["spec"]
        if reviewed.changes:
            changes += [*reviewed.changes, *_default_spec(spec)]
        faults += [reviewed.fault] if reviewed.fault else []
        changes += merge_label_keys(spec, (pod.get("metadata") or {}).get("labels") or {})
        if not self._trusts_given_values:
            faults += _spec_faults(spec, defaulted.limits)
            faults += [("", reason) for reason in limit_range_faults(spec, ranges)]
        problems = [Problem(name, f"spec.{field}" if field else "", message) for field, message in faults]
        if reviewed.over_quota:
            return Admitted(pod, changes, problems, [reviewed.over_quota])
        if not problems and self._webhook is None:
            self._admitted = _AdmittedSpec(given, spec, changes[of_metadata:])
        refusals = [] if problems else self._quotas.charge(pod)
        return Admitted(pod, changes, problems, refusals)

    def _admit_alike(self, pod: Object, known: "_AdmittedSpec") -> Admitted:
        """Return the same of a pod that was given what one before it was: many are made of one template."""
        pod, changes = _prepare_pod({**pod, "spec": {}})
        pod["spec"] = dict(known.spec)
        return Admitted(pod, [*changes, *known.changes], [], self._quotas.charge(pod))

    def count(self, pod: Object) -> None:
        """Count a pod in its quotas, whatever room they leave."""
        self._quotas.count(pod)

    def release(self, pod: Object) -> None:
        """Take a pod that is gone out of its quotas."""
        self._quotas.release(pod)

    def _set_priority(self, spec: Object, changes: list[str]) -> list[tuple[str, str]]:
        """Resolve the pod's class, or the global default class; refuse an unknown one."""
        if self._trusts_given_values and spec.get("priority") is not None:
            return []
        name = spec.get("priorityClassName")
        found = self._priority_classes.get(name) if name else self._global_default()
        if name and found is None:
            return [("priorityClassName", f"no PriorityClass with name {name} was found")]
        priority = int(found.get("value") or 0) if found else 0
        policy = (found.get("preemptionPolicy") if found else None) or "PreemptLowerPriority"
        faults = []
        for field, value in (("priority", priority), ("preemptionPolicy", policy)):
            if spec.get(field) is not None and spec[field] != value:
                source = f"PriorityClass {name_of(found)}" if found else "the default"
                faults.append((field, f"must not be given: {source} makes it {value}, not {spec[field]}"))
        if found and not name:
            spec["priorityClassName"] = name_of(found)
        if spec.get("priority") is None:
            source = f"by PriorityClass {name_of(found)}" if found else "since there is no default class"
            changes.append(f"priority {priority} {source}")
        spec["priority"] = priority
        spec["preemptionPolicy"] = policy
        return faults

    def _apply_runtime_class(self, spec: Object, changes: list[str]) -> list[tuple[str, str]]:
        if self._trusts_given_values and spec.get("overhead"):
            return []
        return apply_runtime_class(spec, self._runtime_classes, changes)

    def _global_default(self) -> Object | None:
        defaults = [found for found in self._priority_classes.values() if found.get("globalDefault")]
        return min(defaults, key=lambda found: int(found.get("value") or 0), default=None)


def _quotas_of(objects: list[Object], *, trusting_status: bool) -> Quotas:
    quotas = [document for document in objects if kind_of(document) == RESOURCE_QUOTA]
    if not trusting_status:
        quotas = [
            {
                **quota,
                "status": {key: value for key, value in (quota.get("status") or {}).items() if key != "used"},
            }
            for quota in quotas
        ]
    return Quotas(quotas, (document for document in objects if kind_of(document) == POD))


def admit_imported(objects: list[Object]) -> tuple[list[Object], list[str], list[Problem]]:
    """Pass the imported objects without a uid, which never saw an API server, through admission.

    Neither quotas nor limits refuse them, since they are part of the picture; an unknown class does.
    """
    if all(_was_served(document) for document in objects):
        return objects, [], []
    kept = (document for document in objects if kind_of(document) != RESOURCE_QUOTA)
    admission = Admission(kept, trusts_given_values=True)
    classes = [document for document in objects if kind_of(document) == STORAGE_CLASS]
    admitted: list[Object] = []
    changes: list[str] = []
    problems: list[Problem] = []
    for document in objects:
        if _is_manifest(document):
            answer = admission.admit_pod(document)
            answer.document["status"] = document.get("status") or answer.document["status"]
            name = f"Pod {namespace_of(document)}/{name_of(document)}"
            changes += [f"{name}: {text}" for text in answer.changes]
            problems += answer.problems
            document = answer.document
        elif not _was_served(document):
            document = with_storage_defaults(document, classes)
        admitted.append(document)
    return admitted, changes, problems


def _is_manifest(document: Object) -> bool:
    return kind_of(document) == POD and not _was_served(document)


def _was_served(document: Object) -> bool:
    return bool((document.get("metadata") or {}).get("uid"))


def _prepare_pod(pod: Object) -> tuple[Object, list[str]]:
    """Return a deep copy with the fields that a creation sets."""
    pod = msgspec.json.decode(msgspec.json.encode(pod))
    metadata = pod.setdefault("metadata", {})
    changes = []
    if not metadata.get("namespace"):
        metadata["namespace"] = "default"
        changes.append("namespace default")
    if not metadata.get("uid"):
        metadata["uid"] = derived_uid("Pod", metadata["namespace"], metadata.get("name"))
    for field in ("resourceVersion", "deletionTimestamp", "deletionGracePeriodSeconds", "managedFields"):
        metadata.pop(field, None)
    pod["spec"] = pod.get("spec") or {}
    pod["status"] = {"phase": "Pending"}
    return pod, changes


def _default_spec(spec: Object) -> list[str]:
    changes = []
    for field, value in (("schedulerName", "default-scheduler"), ("restartPolicy", "Always")):
        if not spec.get(field):
            spec[field] = value
            changes.append(f"{field} {value}")
    for _, container in pod_resources.containers_of(spec):
        changes += requests_from_limits(container)
        if spec.get("hostNetwork"):
            for port in container.get("ports") or ():
                if not port.get("hostPort"):
                    port["hostPort"] = port.get("containerPort")
                    changes.append(f"host port {port['hostPort']} as the pod uses the host network")
    changes += pod_level_requests(spec)
    return changes


def _add_default_tolerations(spec: Object) -> list[str]:
    """Tolerate nodes that are not ready or unreachable for five minutes, as every pod does."""
    tolerations = list(spec.get("tolerations") or ())
    added: list[Object] = []
    for problem in _NODE_PROBLEMS:
        key = f"node.kubernetes.io/{problem}"
        covered = any(
            (toleration.get("key") or key) == key and (toleration.get("effect") or "NoExecute") == "NoExecute"
            for toleration in tolerations
        )
        if not covered:
            added.append(
                {
                    "key": key,
                    "operator": "Exists",
                    "effect": "NoExecute",
                    "tolerationSeconds": TOLERATION_SECONDS,
                }
            )
    if not added:
        return []
    spec["tolerations"] = tolerations + added
    names = " and ".join(str(toleration["key"]) for toleration in added)
    return [f"tolerates {names} for {TOLERATION_SECONDS} s"]


def merge_label_keys(spec: Object, labels: dict[str, str]) -> list[str]:
    """Write the pod's own labels into the selectors that name them by matchLabelKeys, in place."""
    changes = []
    for kind in _AFFINITY_KINDS:
        affinity = (spec.get("affinity") or {}).get(kind) or {}
        terms = [weighted.get("podAffinityTerm") or {} for weighted in affinity.get(_PREFERRED) or ()]
        terms += affinity.get(_REQUIRED) or ()
        for term in terms:
            changes += _merge_keys(term, "matchLabelKeys", "In", labels, kind)
            changes += _merge_keys(term, "mismatchLabelKeys", "NotIn", labels, kind)
    for constraint in spec.get("topologySpreadConstraints") or ():
        changes += _merge_keys(constraint, "matchLabelKeys", "In", labels, "topologySpreadConstraints")
    return changes


def _merge_keys(term: Object, field: str, operator: str, labels: dict[str, str], place: str) -> list[str]:
    selector = term.get("labelSelector")
    if selector is None:
        return []
    changes = []
    for key in term.get(field) or ():
        if key in labels:
            requirement = {"key": key, "operator": operator, "values": [labels[key]]}
            selector["matchExpressions"] = [*(selector.get("matchExpressions") or ()), requirement]
            changes.append(f"{place}: {key} {operator} {labels[key]} from {field}")
    return changes


def _spec_faults(spec: Object, given_limits: dict[str, str]) -> list[tuple[str, str]]:
    """Return what is wrong with a spec; given_limits: by the field of a request who gave its limit."""
    faults = [] if spec.get("containers") else [("containers", "must have at least one container")]
    for field, message in pod_resources.faults(spec):
        whose = given_limits.get(field)
        faults.append((field, f"{message}, {whose}" if whose else message))
    return faults


def _admit_node(node: Object) -> Admitted:
    """Default a node's allocatable to its capacity, and its host name label, which a kubelet would set."""
    node = {**node, "metadata": dict(node.get("metadata") or {})}
    changes = []
    status = node.get("status") or {}
    if not status.get("allocatable") and status.get("capacity"):
        node["status"] = {**status, "allocatable": status["capacity"]}
        changes.append("allocatable is the capacity")
    labels = node["metadata"].get("labels") or {}
    if "kubernetes.io/hostname" not in labels:
        node["metadata"]["labels"] = {**labels, "kubernetes.io/hostname": name_of(node)}
        changes.append(f"label kubernetes.io/hostname {name_of(node)}, as its kubelet sets it")
    node["metadata"].setdefault("uid", derived_uid("Node", name_of(node)))
    return Admitted(node, changes, [], [])


def _admit_other(document: Object) -> Admitted:
    metadata = dict(document.get("metadata") or {})
    check = KIND_CHECKS.get(kind_of(document))
    changes = []
    if check is not None and check.namespaced and not metadata.get("namespace"):
        metadata["namespace"] = "default"
        changes.append("namespace default")
    if not metadata.get("uid"):
        metadata["uid"] = derived_uid(kind_of(document), metadata.get("namespace"), metadata.get("name"))
    return Admitted({**document, "metadata": metadata}, changes, [], [])
