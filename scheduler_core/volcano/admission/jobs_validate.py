"""Whether a new job is let in. All faults are told in one text, as they are found.

Negative numbers are left to the schema of the custom resource.

Source: volcano v1.16 pkg/webhooks/admission/jobs/validate.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence

from scheduler_core.go.flags import parse_flags
from scheduler_core.objects import types
from scheduler_core.objects.amounts.quantity import parse_quantity
from scheduler_core.objects.types import ResourceRequirements
from scheduler_core.volcano.admission.answers import Denied, Fault, Object, Question
from scheduler_core.volcano.admission.job_update import check_job_update
from scheduler_core.volcano.admission.name_validation import listed, qualified_name_faults, subdomain_faults
from scheduler_core.volcano.admission.partitions import partition_fault, topology_fault
from scheduler_core.volcano.admission.pod_template import template_faults
from scheduler_core.volcano.admission.policies import policy_fault
from scheduler_core.volcano.admission.task_graph import can_be_ordered
from scheduler_core.volcano.admission.webhook_lookups import Surroundings
from scheduler_core.volcano.model.job_objects import Job, TaskSpec, VolumeSpec
from scheduler_core.volcano.model.queues import ROOT

PLUGINS = frozenset({"ssh", "env", "svc", "tensorflow", "mpi", "pytorch", "hcclrank", "ray"})
_MPI_MASTER = "master"


def validate_job(question: Question, around: Surroundings) -> None:
    """Raise Denied for a job that can't be, or can't be changed so."""
    job = types.convert(question.document, Job)
    if question.operation == "UPDATE":
        old = types.convert(question.old, Job)
        check_job_update(job, old, question.document, question.old)
        return
    if not job.spec.tasks:
        raise Denied("No task specified in job spec", "spec.tasks")
    if not _has_mpi_master(job):
        raise Denied("The specified mpi master task was not found", "spec.plugins.mpi")
    found = [fault for fault in _faults(job, question.document, around) if fault.message]
    if found:
        faults = [Fault(field, message.strip()) for field, message in found]
        raise Denied("".join(fault.message for fault in found).strip(), faults=faults)


def _faults(job: Job, sent: Object, around: Surroundings) -> Iterator[Fault]:
    spec, name = job.spec, job.metadata.name
    tasks = spec.tasks or []
    yield Fault("spec.networkTopology", topology_fault(spec.network_topology))
    counted = yield from _task_faults(job, sent)
    yield _name_fault("metadata.name", f"create job with name {name}", name, end="")
    if counted < spec.min_available:
        reason = " job 'minAvailable' should not be greater than total replicas in tasks;"
        yield Fault("spec.minAvailable", reason)
    yield Fault("spec.policies", policy_fault(spec.policies, "spec.policies"))
    for plugin in sorted(set(spec.plugins or ()) - PLUGINS):
        yield Fault(f"spec.plugins.{plugin}", f" unable to find job plugin: {plugin};")
    yield Fault("spec.volumes", _volume_fault(spec.volumes or ()))
    yield from _queue_faults(spec.queue, around)
    if any(task.depends_on is not None for task in tasks) and not can_be_ordered(tasks):
        reason = " job has dependencies between tasks, but doesn't form a directed acyclic graph(DAG);"
        yield Fault("spec.tasks", reason)


def _task_faults(job: Job, sent: Object) -> Generator[Fault, None, int]:
    """Yield the tasks' faults up to the first name that comes twice; return how many pods were counted."""
    name, names, pods = job.metadata.name, set[str](), 0
    for index, task in enumerate(job.spec.tasks or ()):
        place = f"spec.tasks[{index}]"
        if task.min_available is not None and task.min_available > task.replicas:
            reason = f" 'minAvailable' is greater than 'replicas' in task: {task.name}, job: {name};"
            yield Fault(f"{place}.minAvailable", reason)
        pods += task.replicas
        if task.name in names:
            yield Fault(f"{place}.name", f" duplicated task name {task.name};")
            break
        names.add(task.name)
        yield Fault(f"{place}.policies", policy_fault(task.policies, "spec.tasks.policies"))
        pod = f"{name}-{task.name}-{index}"
        yield _name_fault(f"{place}.name", f"create pod with name {pod}", pod, end=";")
        template = sent["spec"]["tasks"][index].get("template") or {}
        fault = _template_fault(task, index, job.metadata.namespace or "", template)
        yield Fault(f"{place}.template", fault)
        yield Fault(f"{place}.partitionPolicy", partition_fault(task, name))
    return pods


def _name_fault(field: str, what: str, name: str, *, end: str) -> Fault:
    faults = qualified_name_faults(name)
    return Fault(field, f"{what} validate failed {listed(faults)}{end}" if faults else "")


def _template_fault(task: TaskSpec, index: int, namespace: str, template: Object) -> str:
    faults = template_faults(task.name, namespace, template, task.template.spec)
    if faults:
        return f"spec.task[{index}]." + "".join(f"{fault}. " for fault in faults)
    return _numa_fault(task, index)


def _numa_fault(task: TaskSpec, index: int) -> str:
    """Return the first container that asks for no whole cpus although the task is to have a NUMA node."""
    if task.topology_policy in ("", "none"):
        return ""
    spec = task.template.spec
    for number, container in enumerate([*(spec.containers or ()), *(spec.init_containers or ())]):
        resources = container.resources or ResourceRequirements()
        cpu = parse_quantity((resources.requests or resources.limits or {}).get("cpu"))
        if cpu.value() == 0 or cpu.value() * 1000 != cpu.milli_value():
            return f"the cpu request isn't an integer in spec.task[{index}] container[{number}]."
    return ""


def _volume_fault(volumes: Sequence[VolumeSpec]) -> str:
    paths: set[str] = set()
    for volume in volumes:
        if not volume.mount_path:
            return " mountPath is required;"
        if volume.mount_path in paths:
            return f" duplicated mountPath: {volume.mount_path};"
        if volume.volume_claim is None and not volume.volume_claim_name:
            return " either VolumeClaim or VolumeClaimName must be specified;"
        if volume.volume_claim is not None and volume.volume_claim_name:
            return (
                "conflict: If you want to use an existing PVC, just specify VolumeClaimName."
                "If you want to create a new PVC, you do not need to specify VolumeClaimName"
            )
        faults = subdomain_faults(volume.volume_claim_name) if volume.volume_claim_name else []
        if faults:
            return f"invalid VolumeClaimName {volume.volume_claim_name} : {listed(faults)}"
        paths.add(volume.mount_path)
    return ""


def _queue_faults(name: str, around: Surroundings) -> Iterator[Fault]:
    try:
        state = around.queue(name).status.state
    except Denied as missing:
        yield Fault("spec.queue", f" unable to find job queue: {missing};")
        return
    if state != "Open":
        reason = f" can only submit job to queue with state `Open`, queue `{name}` status is `{state}`;"
        yield Fault("spec.queue", reason)
    children = len(around.children(name))
    if name == ROOT:
        yield Fault("spec.queue", " can not submit job to root queue;")
    elif children:
        reason = f" can only submit job to leaf queue, queue `{name}` has {children} child queues;"
        yield Fault("spec.queue", reason)


def _has_mpi_master(job: Job) -> bool:
    """Return whether the master that the plugin mpi is told, if it is used, is one of the tasks."""
    arguments = (job.spec.plugins or {}).get("mpi", ())
    if "mpi" not in (job.spec.plugins or {}):
        return True
    master = parse_flags(arguments or (), {"master": _MPI_MASTER, "worker": "worker", "port": 22})["master"]
    return any(task.name == master for task in job.spec.tasks or ())
