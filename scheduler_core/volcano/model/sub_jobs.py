"""Sub jobs: the parts of a job that its pod group's sub group policies make of its tasks.

A job without policies has one, which is the job itself.

Source: volcano v1.16 pkg/scheduler/api/sub_job_info.go, api/job_info.go getOrCreateSubJob.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from scheduler_core.go.hashing import fnv32a, safe_encode
from scheduler_core.go.parse import parse_int
from scheduler_core.objects.selectors import from_label_selector, matches
from scheduler_core.volcano.model.custom_resources import SubGroupPolicy
from scheduler_core.volcano.model.resource import Resource
from scheduler_core.volcano.model.tasks import HOLDING, READY, Task, TaskStatus
from scheduler_core.volcano.model.topology import Topology

_S = TaskStatus
_LONGEST_ID = 128


@dataclass(eq=False)
class SubJob:
    """A part of a job. `group` is that of its policy, `number` the first of the labels that make the part.

    `hyper_node` is where its tasks are, `nominated` where gangpreempt or gangreclaim mean to put them.
    """

    uid: str
    group: str
    min_available: int = 1
    number: int = 0
    topology: Topology | None = None
    priority: int = 0
    hyper_node: str = ""
    nominated: str = ""
    tasks: dict[str, Task] = field(default_factory=dict)
    by_status: dict[TaskStatus, dict[str, Task]] = field(default_factory=dict)

    @property
    def hard_tier(self) -> int | None:
        """The highest tier that its tasks may be spread over; None where nothing keeps them together."""
        return None if self.topology is None else self.topology.hard_tier

    def add(self, task: Task) -> None:
        """Take a task in."""
        self.tasks[task.uid] = task
        self.by_status.setdefault(task.status, {})[task.uid] = task
        self.priority = max(self.priority, task.priority)

    def moved(self, task: Task, before: TaskStatus) -> None:
        """Hear that a task has another status."""
        del self.by_status[before][task.uid]
        self.by_status.setdefault(task.status, {})[task.uid] = task

    def of(self, status: TaskStatus) -> list[Task]:
        """Return the tasks of a status."""
        return list(self.by_status.get(status, {}).values())

    def holding(self) -> list[Task]:
        """Return the tasks that hold a node."""
        return [task for status in HOLDING for task in self.of(status)]

    def _count(self, statuses: Iterable[TaskStatus]) -> int:
        return sum(len(self.by_status.get(status, ())) for status in statuses)

    @property
    def _ready(self) -> int:
        return self._count(READY) + sum(task.best_effort for task in self.of(_S.PENDING))

    @property
    def is_ready(self) -> bool:
        """Whether enough of its tasks hold a node; pending best-effort ones count."""
        return self._ready >= self.min_available

    @property
    def is_pipelined(self) -> bool:
        """Whether enough of its tasks hold a node or wait for one."""
        return self._ready + self._count((_S.PIPELINED,)) >= self.min_available

    @property
    def wanted(self) -> Resource:
        """What its pending tasks ask for."""
        asked = Resource()
        for task in self.of(_S.PENDING):
            asked.add(task.request)
        return asked


class SubGroups:
    """The policies of a pod group, and how many sub jobs of each a job needs."""

    def __init__(self, job: str, policies: Sequence[SubGroupPolicy]) -> None:
        self._job = job
        self._policies = [
            (policy, None if policy.label_selector is None else from_label_selector(policy.label_selector))
            for policy in policies
        ]
        self.needed = {f"{job}/{policy.name}": policy.min_sub_groups or 0 for policy in policies}

    def part_of(self, task: Task) -> tuple[SubGroupPolicy, list[str]] | None:
        """Return the first policy that a task belongs to, and the labels' values that make its part."""
        labels = task.pod.metadata.labels or {}
        for policy, selector in self._policies:
            if policy.label_selector is not None and not matches(selector, labels):
                continue
            values = [labels.get(key, "") for key in policy.match_label_keys or ()]
            if values and all(values):
                return policy, values
        return None

    def sub_job(self, policy: SubGroupPolicy, values: Sequence[str]) -> SubJob:
        """Return a new part of a policy."""
        size = policy.sub_group_size
        return SubJob(
            uid=f"{self._job}/{policy.name}-{part_id(values)}",
            group=f"{self._job}/{policy.name}",
            min_available=1 if size is None else size,
            number=parse_int(values[0]) or 0,
            topology=Topology.of(policy.network_topology),
        )


def part_id(values: Sequence[str]) -> str:
    """Return what tells a policy's parts apart: the values, or a hash of them where they are long."""
    joined = "-".join(values)
    return joined if len(joined.encode()) <= _LONGEST_ID else safe_encode(str(fnv32a(joined)))


def enough(sub_jobs: Iterable[SubJob], needed: dict[str, int]) -> bool:
    """Return whether these are as many of each policy as are needed."""
    there = Counter(one.group for one in sub_jobs)
    return all(there[group] >= least for group, least in needed.items())
