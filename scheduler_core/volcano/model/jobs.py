"""A job: a pod group with its tasks, and whether it has enough of them.

Source: volcano v1.16 pkg/scheduler/api/job_info.go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from scheduler_core.go.parse import parse_bool
from scheduler_core.volcano.model.custom_resources import PodGroup, PodGroupCondition
from scheduler_core.volcano.model.fit_errors import FitErrors
from scheduler_core.volcano.model.resource import Resource, exceeded_part
from scheduler_core.volcano.model.sub_jobs import SubGroups, SubJob, enough
from scheduler_core.volcano.model.tasks import (
    HOLDING,
    PREEMPTABLE,
    READY,
    SCHEDULED,
    Task,
    TaskStatus,
    Transaction,
)
from scheduler_core.volcano.model.topology import Topology

_S = TaskStatus
_VALID = READY | {_S.PIPELINED, _S.PENDING}
_OPEN = READY | {_S.PIPELINED}


@dataclass(eq=False)
class Job:
    """`phase` and `conditions` are the pod group's, as the session changes them; `created` is nanoseconds.

    `written` is the condition that this session wrote, wherever it stands among the others. `sub_jobs` are
    its parts by uid, `hyper_node` is where its pods are.
    """

    uid: str
    namespace: str
    name: str
    queue: str
    priority: int
    created: int
    group: PodGroup
    phase: str
    conditions: list[PodGroupCondition]
    written: PodGroupCondition | None = None
    tasks: dict[str, Task] = field(default_factory=dict)
    fit_errors: dict[str, FitErrors] = field(default_factory=dict)
    allocated: Resource = field(default_factory=Resource)
    by_status: dict[TaskStatus, dict[str, Task]] = field(default_factory=dict)
    unschedulable: bool = False
    ready: int = 0
    """How many tasks hold a node or have succeeded."""
    min_available: int = field(init=False)
    """How many pods must start together."""
    topology: Topology | None = field(init=False)
    hyper_node: str = ""
    sub_jobs: dict[str, SubJob] = field(default_factory=dict)
    sub_groups: SubGroups = field(init=False)
    _part_of: dict[str, SubJob] = field(default_factory=dict)
    _best_effort: Counter[TaskStatus] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        spec = self.group.spec
        self.min_available = spec.min_member
        self.topology = Topology.of(spec.network_topology)
        self.sub_groups = SubGroups(self.uid, spec.sub_group_policy or ())
        if not self.has_sub_groups:
            whole = self._default_part(self.min_available)
            whole.tasks, whole.by_status = self.tasks, self.by_status

    @property
    def _role_minimums(self) -> dict[str, int]:
        return self.group.spec.min_task_member or {}

    @property
    def skips_roles(self) -> bool:
        """Whether the tasks' own minimums are above the job's and so not looked at."""
        return self.min_available < sum(self._role_minimums.values())

    def least_of_role(self, role: str) -> int:
        """Return how many tasks of a role have to hold nodes; 0 where that isn't looked at."""
        return 0 if self._ignores_roles else self._role_minimums.get(role, 0)

    @property
    def _ignores_roles(self) -> bool:
        return not self._role_minimums or self.skips_roles

    # -- tasks ---------------------------------------------------------------------------------------

    def add(self, task: Task) -> None:
        """Take a task in."""
        self.tasks[task.uid] = task
        self._enter(task)
        if self.has_sub_groups:
            part = self._part_of[task.uid] = self._find_part(task)
            part.add(task)

    def set_status(self, task: Task, status: TaskStatus) -> None:
        """Give a task of this job another status."""
        before = task.status
        del self.by_status[before][task.uid]
        if before in HOLDING:
            self.allocated.sub(task.request)
        self.ready -= before in READY
        if task.best_effort:
            self._best_effort[before] -= 1
        task.status = status
        self._enter(task)
        if self.has_sub_groups:
            self._part_of[task.uid].moved(task, before)

    def _enter(self, task: Task) -> None:
        status = task.status
        if status not in self.by_status:
            self.by_status[status] = {}
        self.by_status[status][task.uid] = task
        self.ready += status in READY
        if task.best_effort:
            self._best_effort[status] += 1
        if status in HOLDING:
            self.allocated.add(task.request)

    def of(self, status: TaskStatus) -> list[Task]:
        """Return the tasks of a status."""
        return list(self.by_status.get(status, {}).values())

    def count(self, statuses: Iterable[TaskStatus]) -> int:
        """Return how many tasks have one of the statuses."""
        tasks = self.by_status
        return sum([len(tasks[status]) for status in statuses if status in tasks])

    def _roles(self, statuses: Iterable[TaskStatus], *, pending_best_effort: bool = False) -> Counter[str]:
        roles = Counter(task.role for status in statuses for task in self.by_status.get(status, {}).values())
        if pending_best_effort:
            pending = self.by_status.get(_S.PENDING, {})
            roles.update(task.role for task in pending.values() if task.best_effort)
        return roles

    def _reaches_minimums(self, roles: Counter[str]) -> bool:
        return all(roles[role] >= least for role, least in self._role_minimums.items())

    # -- its parts -----------------------------------------------------------------------------------

    @property
    def has_sub_groups(self) -> bool:
        """Whether policies part it."""
        return bool(self.group.spec.sub_group_policy)

    def sub_job_of(self, task: Task) -> SubJob:
        """Return the part that a task belongs to."""
        return self._part_of[task.uid] if self.has_sub_groups else self.sub_jobs[self.uid]

    def _find_part(self, task: Task) -> SubJob:
        found = self.sub_groups.part_of(task)
        if found is None:
            return self.sub_jobs.get(self.uid) or self._default_part(1)
        part = self.sub_groups.sub_job(*found)
        return self.sub_jobs.setdefault(part.uid, part)

    def _default_part(self, least: int) -> SubJob:
        """Add the part of the tasks that no policy chooses; it is as near together as the job."""
        topology = Topology.of(self.group.spec.network_topology)
        self.sub_jobs[self.uid] = SubJob(self.uid, self.uid, least, topology=topology)
        return self.sub_jobs[self.uid]

    @property
    def hard_tier(self) -> int | None:
        """The highest tier that its pods may be spread over; None where nothing keeps them together."""
        return None if self.topology is None else self.topology.hard_tier

    @property
    def has_hard_topology(self) -> bool:
        """Whether the job, or a part of it, is kept within a tier."""
        return self.hard_tier is not None or any(
            part.hard_tier is not None for part in self.sub_jobs.values()
        )

    @property
    def sub_jobs_valid(self) -> bool:
        """Whether there are as many parts of each policy as it needs, whatever their sizes."""
        return enough(self.sub_jobs.values(), self.sub_groups.needed)

    @property
    def sub_jobs_ready(self) -> bool:
        """Whether as many parts of each policy are ready as it needs."""
        ready = (part for part in self.sub_jobs.values() if part.is_ready)
        return not self.has_sub_groups or enough(ready, self.sub_groups.needed)

    @property
    def sub_jobs_pipelined(self) -> bool:
        """Whether as many parts of each policy hold nodes or wait for some as it needs."""
        waiting = (part for part in self.sub_jobs.values() if part.is_pipelined)
        return not self.has_sub_groups or enough(waiting, self.sub_groups.needed)

    # -- enough of them? -----------------------------------------------------------------------------

    @property
    def waiting(self) -> int:
        """How many tasks have a node on which room is still to be freed."""
        return self.count((_S.PIPELINED,))

    @property
    def _pending_best_effort(self) -> int:
        return self._best_effort[_S.PENDING]

    @property
    def is_ready(self) -> bool:
        """Whether enough tasks hold a node; pending best-effort ones count."""
        return self.ready + self._pending_best_effort >= self.min_available

    @property
    def is_pipelined(self) -> bool:
        """Whether enough tasks hold a node or wait for one."""
        return self.waiting + self.ready + self._pending_best_effort >= self.min_available

    @property
    def is_starving(self) -> bool:
        """Whether it lacks tasks that hold or wait; best-effort ones don't help."""
        return self.waiting + self.ready < self.min_available

    @property
    def valid(self) -> int:
        """How many tasks could take part."""
        return self.count(_VALID)

    @property
    def roles_valid(self) -> bool:
        """Whether each role has as many tasks that could take part as it needs."""
        return self._ignores_roles or self._reaches_minimums(self._roles(_VALID))

    @property
    def roles_ready(self) -> bool:
        """Whether each role has as many tasks that hold a node as it needs."""
        return self._ignores_roles or self._reaches_minimums(self._roles(READY, pending_best_effort=True))

    @property
    def roles_pipelined(self) -> bool:
        """Whether each role has as many tasks that hold a node or wait for one as it needs."""
        return self._ignores_roles or self._reaches_minimums(self._roles(_OPEN, pending_best_effort=True))

    @property
    def is_pending(self) -> bool:
        """Whether the pod group has not been let into its queue."""
        return self.phase in ("", "Pending")

    @property
    def has_topology(self) -> bool:
        """Whether the job, or a part of it, says how far apart its pods may be; such a job never preempts."""
        return self.topology is not None or any(part.topology is not None for part in self.sub_jobs.values())

    @property
    def scheduled(self) -> int:
        """How many tasks have been scheduled before this session."""
        return self.count(SCHEDULED)

    @property
    def leaving(self) -> int:
        """How many tasks are on their way out of a node."""
        return sum(1 for task in self.of(_S.RELEASING) if task.node)

    # -- resources -----------------------------------------------------------------------------------

    @property
    def min_resources(self) -> Resource:
        """What the pod group says that it needs; nothing where it says nothing."""
        return Resource.of(self.group.spec.min_resources)

    def less_gated(self, resource: Resource) -> Resource:
        """Return a resource without what gated tasks ask for."""
        gated = Resource()
        for task in self.tasks.values():
            if task.gated and not task.only_queue_gated:
                gated.add(task.request)
        if gated.is_empty:
            return resource
        left = resource.clone()
        left.cpu = max(left.cpu - gated.cpu, 0.0)
        left.memory = max(left.memory - gated.memory, 0.0)
        for name, amount in (resource.scalars or {}).items():
            if name in (gated.scalars or {}):
                left.scalars[name] = max(amount - gated.get(name), 0.0)  # type: ignore[index]
        return left

    @property
    def elastic(self) -> Resource:
        """What it holds above its minResources."""
        return exceeded_part(self.allocated, self.min_resources)

    def role_surplus(self) -> Counter[str]:
        """Return how many tasks each role with a minimum has above it; none where roles aren't looked at."""
        if self._ignores_roles:
            return Counter()
        ready = self._roles(READY, pending_best_effort=True)
        return Counter({role: ready[role] - least for role, least in self._role_minimums.items()})

    @property
    def may_be_evicted(self) -> bool:
        """Whether its pod group lets gangs evict its pods; one that says nothing does."""
        metadata = self.group.metadata
        for texts in (metadata.annotations, metadata.labels):
            if texts and PREEMPTABLE in texts:
                return parse_bool(texts[PREEMPTABLE]) is True
        return True

    # -- tasks that failed ---------------------------------------------------------------------------

    def failed_roles(self, part: SubJob) -> set[str]:
        """Return the roles of a part of which a task fits nowhere."""
        return {self.tasks[uid].role for uid in self.fit_errors if uid in part.tasks}

    def goes_on(self, part: SubJob) -> bool:
        """Return whether it may still reach its minimum after a task has failed (NeedContinueAllocating)."""
        if self.min_available == len(self.tasks) or part.min_available >= len(part.tasks):
            return False
        if self.has_sub_groups:
            return True
        failed = self.failed_roles(part)
        if self.skips_roles:
            left = sum(task.role not in failed for task in self.of(_S.PENDING))
            return self.ready + left >= self.min_available
        allocated = self._roles(READY, pending_best_effort=True)
        return all(allocated[role] >= self._role_minimums.get(role, 0) for role in failed)

    # -- words ---------------------------------------------------------------------------------------

    def fit_error(self) -> str:
        """Return how its tasks stand, as the pod group's condition says it, without the origin reason."""
        reasons = {status.value: len(tasks) for status, tasks in self.by_status.items() if tasks}
        reasons["minAvailable"] = self.min_available
        state = "pod group is ready" if self.is_ready else "pod group is not ready"
        text = f"{state}, {_histogram(reasons)}"
        pending = Counter(self.scheduling_reason(task)[0] for task in self.of(_S.PENDING))
        return text + (f"; Pending: {_histogram(pending)}" if pending else "")

    def scheduling_reason(self, task: Task) -> tuple[str, str, str]:
        """Return (reason, message, nominated node) of a task's PodScheduled condition."""
        now: Transaction = task.now()
        possibly = f"Pod {task.key} can possibly be assigned to {now.node}, once"
        if now.status is _S.ALLOCATED:
            return "Schedulable", f"{possibly} minAvailable is satisfied", ""
        if now.status is _S.PIPELINED:
            nominated = now.node if now.evicting else ""
            return (
                "Unschedulable",
                f"{possibly} resource is released and minAvailable is satisfied",
                nominated,
            )
        if now.status is _S.PENDING:
            errors = self.fit_errors.get(task.uid)
            return "Unschedulable", errors.text() if errors else "", ""
        return now.status.value, "", ""


def _histogram(reasons: dict[str, int]) -> str:
    return ", ".join(sorted(f"{count} {reason}" for reason, count in reasons.items()))
