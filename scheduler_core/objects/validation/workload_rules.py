"""The rules that an API server has for workloads and budgets, where several fields meet.

Source: kubernetes v1.36 pkg/apis/apps/validation, pkg/apis/batch/validation, pkg/registry/batch/job strategy.
"""

import re
from collections.abc import Iterator
from typing import Any

from scheduler_core.objects.checks.field_rules import MAX_INT32
from scheduler_core.objects.validation.label_rules import name_fault
from scheduler_core.objects.validation.parts_of_objects import Fault, Object, Rule, dict_in

_PERCENTAGE = re.compile(r"[0-9]+%", re.ASCII)
_RUN_ONCE = ("OnFailure", "Never")
_GENERATED = ("controller-uid", "batch.kubernetes.io/controller-uid")
"""Labels by which a Job's pods are told from others; an API server writes them."""
_MAX_CRON_JOB_NAME = 52
_FIELDS = 5
_ZONED = ("TZ=", "CRON_TZ=")
_SHORTHANDS = ("yearly", "annually", "monthly", "weekly", "daily", "midnight", "hourly")


def long_lived(workload: Object) -> Iterator[Fault]:
    """Yield what is wrong with the pods of a workload that always runs."""
    spec = dict_in(workload, "spec")
    pods = dict_in(dict_in(spec, "template"), "spec")
    if pods.get("restartPolicy") not in (None, "", "Always"):
        yield "spec.template.spec.restartPolicy", "must be Always"
    if pods.get("activeDeadlineSeconds") is not None:
        yield "spec.template.spec.activeDeadlineSeconds", "must be absent: these pods have no end"


def deployment(spec: Object) -> Iterator[Fault]:
    """Yield a deadline that ends before a pod can be ready."""
    deadline, ready = spec.get("progressDeadlineSeconds"), spec.get("minReadySeconds") or 0
    if isinstance(deadline, int) and isinstance(ready, int) and deadline <= ready:
        yield "progressDeadlineSeconds", "must be greater than minReadySeconds"


def deployment_strategy(strategy: Object) -> Iterator[Fault]:
    """Yield what is wrong with how a Deployment replaces its pods (ValidateDeploymentStrategy)."""
    rolling = strategy.get("rollingUpdate")
    if strategy.get("type") == "Recreate" and rolling is not None:
        yield "rollingUpdate", "must be absent with type Recreate"
    if not isinstance(rolling, dict):
        return
    for field, fault in _shares(rolling, most={"maxUnavailable": 100}):
        yield f"rollingUpdate.{field}", fault
    if _is_zero(rolling.get("maxSurge")) and _is_zero(rolling.get("maxUnavailable")):
        yield "rollingUpdate.maxUnavailable", "must not be 0 where maxSurge is 0"


def daemon_set_strategy(strategy: Object) -> Iterator[Fault]:
    """Yield what is wrong with how a DaemonSet replaces its pods (ValidateRollingUpdateDaemonSet)."""
    rolling = strategy.get("rollingUpdate")
    if strategy.get("type") == "OnDelete" or not isinstance(rolling, dict):
        return
    for field, fault in _shares(rolling, most={"maxUnavailable": 100, "maxSurge": 100}):
        yield f"rollingUpdate.{field}", fault
    surge, unavailable = rolling.get("maxSurge"), rolling.get("maxUnavailable")
    surges = surge is not None and not _is_zero(surge)
    stands_still = _is_zero(unavailable)
    if surges and not stands_still:
        yield "rollingUpdate.maxSurge", "must be 0 where maxUnavailable is not 0"
    elif stands_still and not surges:
        yield "rollingUpdate.maxUnavailable", "must not be 0 where maxSurge is 0"


def stateful_set_strategy(strategy: Object) -> Iterator[Fault]:
    """Yield a rolling update beside OnDelete."""
    if strategy.get("type") == "OnDelete" and strategy.get("rollingUpdate") is not None:
        yield "rollingUpdate", "must be absent with type OnDelete"


def _shares(holder: Object, most: dict[str, int]) -> Iterator[Fault]:
    """Yield what is neither a number of pods nor a percentage; `most`: the largest percentages."""
    for field in ("maxSurge", "maxUnavailable"):
        share = holder.get(field)
        if isinstance(share, int) and not 0 <= share <= MAX_INT32:
            yield field, f"must be between 0 and {MAX_INT32}, not {share}"
        elif isinstance(share, str) and _PERCENTAGE.fullmatch(share) is None:
            yield field, f"must be a whole number or a percentage, not {share[:80]!r}"
        elif isinstance(share, str) and len(share) < 10 and int(share[:-1]) > most.get(field, 10**9):
            yield field, f"must be at most 100%, not {share}"


def _is_zero(share: Any) -> bool:
    if isinstance(share, str):
        return share.rstrip("%").strip("0") == ""
    return isinstance(share, int) and not share


def job(spec: Object, *, is_template: bool = False) -> Iterator[Fault]:
    """Yield what is wrong with a Job (ValidateJobSpec, ValidateGeneratedSelector)."""
    policy = dict_in(dict_in(spec, "template"), "spec").get("restartPolicy")
    if isinstance(spec.get("template"), dict) and policy in (None, "", "Always"):
        yield "template.spec.restartPolicy", f"must be one of {', '.join(_RUN_ONCE)}"
    elif policy == "OnFailure" and spec.get("podFailurePolicy") is not None:
        yield "template.spec.restartPolicy", "must be Never with podFailurePolicy"
    yield from _indexes(spec)
    yield from _job_selector(spec, is_template=is_template)


def _indexes(spec: Object) -> Iterator[Fault]:
    if spec.get("completionMode") == "Indexed":
        # Without either, both are 1.
        if spec.get("completions") is None and spec.get("parallelism") is not None:
            yield "completions", "is required with completionMode Indexed and parallelism"
        return
    for field in ("backoffLimitPerIndex", "maxFailedIndexes"):
        if spec.get(field) is not None:
            yield field, "must be absent without completionMode Indexed"


def _job_selector(spec: Object, *, is_template: bool) -> Iterator[Fault]:
    selector = spec.get("selector")
    if spec.get("manualSelector") is True:
        if selector is None:
            yield "selector", "is required with manualSelector"
    elif isinstance(selector, dict) and selector:
        labels = dict_in(selector, "matchLabels")
        if is_template or not any(label in labels for label in _GENERATED):
            yield "selector", "must be absent without manualSelector: it is generated"


def cron_job(document: Object) -> Iterator[Fault]:
    """Yield what is wrong with a CronJob (ValidateCronJobSpec)."""
    name, spec = dict_in(document, "metadata").get("name"), dict_in(document, "spec")
    if isinstance(name, str) and len(name) > _MAX_CRON_JOB_NAME:
        yield "metadata.name", f"must be at most {_MAX_CRON_JOB_NAME} characters: its Jobs' names are longer"
    for field, message in job(dict_in(dict_in(spec, "jobTemplate"), "spec"), is_template=True):
        yield f"spec.jobTemplate.spec.{field}", message
    schedule = spec.get("schedule")
    if isinstance(schedule, str) and schedule and not _is_schedule(schedule):
        yield "spec.schedule", "must have five fields, as in 0 4 * * *, or be one such as @daily"


def job_document(document: Object) -> Iterator[Fault]:
    """Yield what is wrong with the spec of a Job."""
    for field, message in job(dict_in(document, "spec")):
        yield f"spec.{field}", message


def _is_schedule(text: str) -> bool:
    """Tell whether a text has the form of a schedule, with a zone before it or without."""
    if text.startswith(_ZONED):
        text = text.partition(" ")[2]
    if text.startswith("@"):
        return text[1:] in _SHORTHANDS or text.startswith("@every ")
    return len(text.split()) == _FIELDS


def _zone_in_schedule(spec: Object) -> Iterator[Fault]:
    if str(spec.get("schedule") or "").startswith(_ZONED):
        yield "schedule", "must name no zone: that is timeZone"


def _stateful_set_names(document: Object) -> Iterator[Fault]:
    name = dict_in(document, "metadata").get("name")
    if isinstance(name, str) and (fault := name_fault(name)):
        yield "metadata.name", fault
    service = dict_in(document, "spec").get("serviceName")
    if isinstance(service, str) and service and (fault := name_fault(service)):
        yield "spec.serviceName", fault


def _indexed_job_name(document: Object) -> Iterator[Fault]:
    name, spec = dict_in(document, "metadata").get("name"), dict_in(document, "spec")
    completions = spec.get("completions")
    if not isinstance(name, str) or not isinstance(completions, int) or completions < 1:
        return
    if spec.get("completionMode") == "Indexed" and name_fault(f"{name}-{completions - 1}"):
        yield "metadata.name", "must have room for an index: with it at most 63 characters"


RULES: dict[str, tuple[Rule, ...]] = {
    "apps.DaemonSet": (long_lived,),
    "apps.DaemonSetUpdateStrategy": (daemon_set_strategy,),
    "apps.Deployment": (long_lived,),
    "apps.DeploymentSpec": (deployment,),
    "apps.DeploymentStrategy": (deployment_strategy,),
    "apps.ReplicaSet": (long_lived,),
    "apps.StatefulSet": (long_lived,),
    "apps.StatefulSetUpdateStrategy": (stateful_set_strategy,),
    "batch.CronJob": (cron_job,),
    "batch.Job": (job_document,),
    "core.ReplicationController": (long_lived,),
}
"""By the name of a type in `schema`."""
LATER: dict[str, tuple[Rule, ...]] = {
    "apps.StatefulSet": (_stateful_set_names,),
    "batch.CronJobSpec": (_zone_in_schedule,),
    "batch.Job": (_indexed_job_name,),
}
"""Rules that came after objects were stored that break them; of those an API server still takes these."""
