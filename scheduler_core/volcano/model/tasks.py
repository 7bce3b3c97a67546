"""A task: a pod as a session sees it.

Source: volcano v1.16 pkg/scheduler/api/job_info.go NewTaskInfo, api/pod_info.go, api/helpers.go.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from scheduler_core.go.parse import parse_bool, parse_int
from scheduler_core.objects.amounts.requests import resized_requests
from scheduler_core.objects.timestamps import parse_timestamp
from scheduler_core.objects.types import Container, Pod
from scheduler_core.volcano.model.custom_resources import annotation, group_of
from scheduler_core.volcano.model.resource import PODS, Resource

TASK_SPEC = "volcano.sh/task-spec"
PREEMPTABLE = "volcano.sh/preemptable"
_PRIORITY = "volcano.sh/task-priority"
QUEUE_GATE = "scheduling.volcano.sh/queue-allocation-gate"
"""Volcano's own gate, and the annotation that asks for it."""
NO_TIME = -(2**63)
"""Stands for no creation time: before every other."""


class TaskStatus(Enum):
    """Where a task is, in Volcano's words."""

    __hash__ = object.__hash__  # An Enum's own hashes the name, in Python, for every lookup.

    PENDING = "Pending"
    ALLOCATED = "Allocated"
    PIPELINED = "Pipelined"
    BINDING = "Binding"
    BOUND = "Bound"
    RUNNING = "Running"
    RELEASING = "Releasing"
    SUCCEEDED = "Succeeded"
    FAILED = "Failed"
    UNKNOWN = "Unknown"


_S = TaskStatus
HOLDING = frozenset({_S.BOUND, _S.BINDING, _S.RUNNING, _S.ALLOCATED})
"""AllocatedStatus: who holds resources of its queue."""
READY = HOLDING | {_S.SUCCEEDED}
EVICTABLE = frozenset({_S.BOUND, _S.RUNNING})
COMPLETED = frozenset({_S.FAILED, _S.SUCCEEDED})
SCHEDULED = frozenset({_S.RUNNING, _S.BOUND, _S.FAILED, _S.SUCCEEDED})


class Transaction(NamedTuple):
    """What a statement that was taken back had made of a task."""

    status: TaskStatus
    node: str
    evicting: bool


@dataclass(eq=False)
class Task:
    """A pod in a session. `node` is empty while it has none; `evicting` says that room is made for it.

    `row` is its row in the cluster's state, None where it takes no part there (it has finished). `near` is
    the hyper node that its sub job's other tasks were in when it was tried.
    """

    uid: str
    job: str
    namespace: str
    name: str
    role: str
    request: Resource
    priority: int
    preemptable: bool
    gated: bool
    created: int
    pod: Pod
    row: int | None
    status: TaskStatus
    node: str = ""
    nominated: str = ""
    evicting: bool = False
    taken_back: Transaction | None = None
    bound_with: Mapping[str, str] = field(default_factory=dict)
    """The annotations that an earlier session's bind has given to the pod."""
    cpus: frozenset[int] = frozenset()
    """The cpus that it holds of its node, as numa-aware counts them."""
    sent: dict[str, str] = field(default_factory=dict)
    """The annotations that its bind in this session will carry."""
    near: str = ""
    index: int | None = field(init=False)
    best_effort: bool = field(init=False)

    def __post_init__(self) -> None:
        self.index = _index(self.name)
        self.best_effort = self.request.is_empty

    def ask(self, more: Resource) -> None:
        """Let it ask for more; with that it may be no best-effort task any longer."""
        self.request.add(more)
        self.best_effort = self.request.is_empty

    @property
    def key(self) -> str:
        """`namespace/name`."""
        return f"{self.namespace}/{self.name}"

    def annotation(self, key: str) -> str | None:
        """Return an annotation of the pod, None where there is none."""
        return self.bound_with.get(key) or annotation(self.pod.metadata, key)

    @property
    def never_preempts(self) -> bool:
        """Whether its preemptionPolicy is Never."""
        return self.pod.spec.preemption_policy == "Never"

    @property
    def only_queue_gated(self) -> bool:
        """Whether Volcano's own gate is the only one that it has."""
        gates = self.pod.spec.scheduling_gates or []
        return len(gates) == 1 and gates[0].name == QUEUE_GATE

    def now(self) -> Transaction:
        """Return what is told of it: the statement that was taken back, or else the present."""
        return self.taken_back or Transaction(self.status, self.node, self.evicting)


def before(left: Task, right: Task) -> bool:
    """Return whether a task comes before another that no plugin tells from it (CompareTask)."""
    if left.index is None or right.index is None or left.index == right.index:
        return (left.created, left.uid) < (right.created, right.uid)
    return left.index < right.index


def age_of(task: Task) -> tuple[int, int, str]:
    """Return by what `before` orders tasks that all have a number, or all have none."""
    return (0 if task.index is None else task.index), task.created, task.uid


def make_task(pod: Pod, row: int | None, nominated: str = "") -> Task:
    """Return the task that a pod is. Raises QuantityError for an amount that can't be read."""
    metadata, spec = pod.metadata, pod.spec
    namespace = metadata.namespace or "default"
    return Task(
        uid=metadata.uid or f"{namespace}/{metadata.name}",
        job=group_of(metadata),
        namespace=namespace,
        name=metadata.name,
        role=annotation(metadata, TASK_SPEC) or (metadata.labels or {}).get(TASK_SPEC) or "",
        request=pod_request(pod),
        priority=_priority(pod),
        preemptable=_preemptable(pod),
        gated=bool(spec.scheduling_gates),
        created=parse_timestamp(metadata.creation_timestamp, NO_TIME),
        pod=pod,
        row=row,
        status=status_of(pod),
        node=spec.node_name or "",
        nominated=nominated or pod.status.nominated_node_name or "",
    )


def status_of(pod: Pod) -> TaskStatus:
    """Return the status that a pod's phase, deletion time and node stand for."""
    phase = pod.status.phase or "Pending"
    if phase in ("Running", "Pending") and pod.metadata.deletion_timestamp:
        return _S.RELEASING
    if phase == "Pending":
        return _S.BOUND if pod.spec.node_name else _S.PENDING
    return {"Running": _S.RUNNING, "Succeeded": _S.SUCCEEDED, "Failed": _S.FAILED}.get(phase, _S.UNKNOWN)


def pod_request(pod: Pod) -> Resource:
    """Return what a pod asks for: containers or the biggest init container, pod level, overhead, one pod.

    Source: GetPodResourceRequest.
    """
    spec = pod.spec
    asked = Resource()
    for container in spec.containers or ():
        asked.add(Resource.of_quantities(resized_requests(pod, container)))
    sidecars, largest = Resource(), Resource()
    for container in spec.init_containers or ():
        if container.restart_policy == "Always":
            own = Resource.of_quantities(resized_requests(pod, container))
            asked.add(own)
            sidecars.add(own)
            own = sidecars
        else:
            own = _request_of(container).add(sidecars)
        largest.raise_to(own)
    asked.raise_to(largest)
    asked.add_scalar(PODS, 1.0)
    _at_pod_level(asked, pod)
    if spec.overhead:
        asked.add(Resource.of(spec.overhead))
    return asked


def _request_of(container: Container) -> Resource:
    return Resource.of(container.resources.requests if container.resources else None)


def _at_pod_level(asked: Resource, pod: Pod) -> None:
    requests = pod.spec.resources.requests if pod.spec.resources else None
    whole = Resource.of(requests)
    for name in requests or {}:
        if name in ("cpu", "memory"):
            setattr(asked, name, whole.get(name))
        elif name.startswith("hugepages-"):
            assert asked.scalars is not None
            asked.scalars[name] = whole.get(name)


def _priority(pod: Pod) -> int:
    text = annotation(pod.metadata, _PRIORITY)
    given = None if text is None else parse_int(text, 32)
    if given is not None:
        return given
    return 1 if pod.spec.priority is None else pod.spec.priority


def _preemptable(pod: Pod) -> bool:
    for texts in (pod.metadata.annotations, pod.metadata.labels):
        if texts and PREEMPTABLE in texts:
            return parse_bool(texts[PREEMPTABLE]) is True
    return True


def _index(name: str) -> int | None:
    """Return the number at the end of a name of three parts or more."""
    parts = name.split("-")
    return parse_int(parts[-1]) if len(parts) >= 3 else None
