"""drf: the job with the smallest dominant share comes first.

Source: volcano v1.16 pkg/scheduler/plugins/drf/drf.go.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from scheduler_core.volcano.configuration import PluginOption
from scheduler_core.volcano.functions import compare
from scheduler_core.volcano.jobs import Job
from scheduler_core.volcano.plugin import Plugin
from scheduler_core.volcano.resource import Resource, share
from scheduler_core.volcano.session import Session
from scheduler_core.volcano.tasks import Task

_DELTA = 0.000001


@dataclass
class Dominant:
    """What a job holds, pipelined tasks included, and the resource of which it has the largest part."""

    allocated: Resource = field(default_factory=Resource)
    share: float = 0.0
    resource: str = ""


class Drf(Plugin):
    """`shares` has every job's dominant share, by uid."""

    name = "drf"

    def __init__(self, session: Session, option: PluginOption) -> None:
        super().__init__(session, option)
        self._names = session.total.names()
        self.shares: dict[str, Dominant] = {}
        for job in session.jobs.values():
            dominant = self.shares[job.uid] = Dominant(Resource().add(job.allocated))
            self._measure(dominant)

    def _measure(self, dominant: Dominant) -> None:
        dominant.resource, dominant.share = self._share(dominant.allocated)

    def _share(self, allocated: Resource) -> tuple[str, float]:
        resource, largest = "", 0.0
        for name in self._names:
            part = share(allocated.get(name), self.session.total.get(name))
            if part > largest:
                resource, largest = name, part
        return resource, largest

    def job_order(self, left: Job, right: Job) -> int:
        """Lower first."""
        return compare(self.shares[left.uid].share, self.shares[right.uid].share)

    def preemptable(self, preemptor: Task, candidates: Sequence[Task]) -> list[Task]:
        """Let go those whose job would still have no smaller share than the preemptor's, summing up."""
        mine = self.shares[preemptor.job].allocated.clone().add(preemptor.request)
        _, wanted = self._share(mine)
        left: dict[str, Resource] = {}
        victims = []
        for task in candidates:
            if task.job not in self.shares:
                continue
            if task.job not in left:
                left[task.job] = self.shares[task.job].allocated.clone()
            _, rest = self._share(left[task.job].sub(task.request))
            if wanted < rest or abs(wanted - rest) <= _DELTA:
                victims.append(task)
        return victims

    def allocated(self, task: Task) -> str | None:
        if (dominant := self.shares.get(task.job)) is not None:
            dominant.allocated.add(task.request)
            self._measure(dominant)
        return None

    def deallocated(self, task: Task) -> None:
        if (dominant := self.shares.get(task.job)) is not None:
            dominant.allocated.sub(task.request)
            self._measure(dominant)
