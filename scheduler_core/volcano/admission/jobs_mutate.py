"""What a new job gets: queue, scheduler, retries, its tasks' names and minimums, plugins that plugins need.

In the tasks of the patch are the fields as they were sent; Volcano writes them anew, with the fields that
Kubernetes always writes and without empty ones. Here this is done for what every template has.

Source: volcano v1.16 pkg/webhooks/admission/jobs/mutate; volcano.sh/apis batch/v1alpha1 TaskSpec.
"""

from __future__ import annotations

from typing import Any

from scheduler_core.objects import types
from scheduler_core.objects.amounts.quantity import QuantityError, parse_quantity
from scheduler_core.volcano.admission.answers import PatchOperation, Question, add, replace
from scheduler_core.volcano.admission.webhook_lookups import Surroundings
from scheduler_core.volcano.model.custom_resources import DEFAULT_QUEUE
from scheduler_core.volcano.model.job_objects import Job, JobSpec, TaskSpec

Object = dict[str, Any]

_MAX_RETRY = 3
_NAME_OF_TASKS = "default"
_NEED_SERVICES = frozenset({"tensorflow", "mpi", "pytorch", "ray"})
_NEED_KEYS = frozenset({"mpi"})
_EMPTY: tuple[Any, ...] = (None, "", 0, [], {})


def mutate_job(question: Question, around: Surroundings) -> list[PatchOperation]:
    """Return the patch."""
    spec = types.convert(question.document, Job).spec
    sent: Object = question.document.get("spec") or {}
    patch = []
    if not spec.queue:
        patch.append(add("/spec/queue", DEFAULT_QUEUE))
    if not spec.scheduler_name:
        patch.append(add("/spec/schedulerName", around.scheduler_names[0]))
    if spec.max_retry == 0:
        patch.append(add("/spec/maxRetry", _MAX_RETRY))
    tasks = spec.tasks or []
    given = [_with_defaults(index, task, sent["tasks"][index]) for index, task in enumerate(tasks)]
    if any(given):
        patch.append(
            replace(
                "/spec/tasks",
                [_written({**task, **defaults}) for task, defaults in zip(sent["tasks"], given, strict=True)],
            )
        )
    if spec.min_available == 0:
        patch.append(add("/spec/minAvailable", _least(spec, given)))
    if sent.get("plugins") is not None:
        patch.append(replace("/spec/plugins", _with_needed(sent["plugins"])))
    return patch


def _with_defaults(index: int, task: TaskSpec, sent: Object) -> Object:
    """Return the fields that a task gets, empty if it has all."""
    given: Object = {}
    if not task.name:
        given["name"] = f"{_NAME_OF_TASKS}{index}"
    template = sent.get("template") or {}
    pod = template.get("spec") or {}
    if pod.get("hostNetwork") and not pod.get("dnsPolicy"):
        given["template"] = {**template, "spec": {**pod, "dnsPolicy": "ClusterFirstWithHostNet"}}
    if task.min_available is None:
        given["minAvailable"] = _least_of_task(task)
    if task.max_retry == 0:
        given["maxRetry"] = _MAX_RETRY
    return given


def _least_of_task(task: TaskSpec) -> int:
    partitions = task.partition_policy
    if partitions is not None and partitions.min_partitions > 0:
        return partitions.min_partitions * partitions.partition_size
    return task.replicas


def _least(spec: JobSpec, given: list[Object]) -> int:
    """Return the sum of the tasks' minimums, those just given among them."""
    return sum(
        defaults.get("minAvailable", task.min_available or 0)
        for task, defaults in zip(spec.tasks or (), given, strict=True)
    )


def _written(task: Object) -> Object:
    """Return a task as it is written anew; a minimum of 0 is no empty field."""
    written = {
        key: value
        for key, value in task.items()
        if value not in _EMPTY or (key == "minAvailable" and value is not None)
    }
    if task.get("partitionPolicy"):
        sizes = {"totalPartitions": 0, "partitionSize": 0}
        written["partitionPolicy"] = sizes | _filled(task["partitionPolicy"])
    return written | {"template": _written_template(task.get("template") or {})}


def _written_template(template: Object) -> Object:
    sent = template.get("spec") or {}
    spec = _filled(sent) | {"containers": sent.get("containers")}
    for field in ("containers", "initContainers"):
        if spec.get(field):
            spec[field] = [_written_container(container) for container in spec[field]]
    return {"metadata": _filled(template.get("metadata") or {}), "spec": spec}


def _written_container(container: Object) -> Object:
    resources = _filled(container.get("resources") or {})
    for field in ("requests", "limits"):
        if field in resources:
            resources[field] = {name: _canonical(amount) for name, amount in resources[field].items()}
    return {"name": ""} | _filled(container) | {"resources": resources}


def _canonical(amount: Any) -> Any:
    try:
        return str(parse_quantity(amount))
    except QuantityError:
        return amount  # no API server would have let it in


def _filled(fields: Object) -> Object:
    """Return fields without those that are empty; a struct without fields is none of them."""
    maps = ("labels", "annotations", "nodeSelector", "requests", "limits")
    return {
        key: value
        for key, value in fields.items()
        if value not in (None, "", []) and not (key in maps and value == {})
    }


def _with_needed(plugins: Object) -> Object:
    needed = {}
    if _NEED_SERVICES & plugins.keys():
        needed["svc"] = list[str]()
    if _NEED_KEYS & plugins.keys():
        needed["ssh"] = list[str]()
    return {**needed, **plugins}
