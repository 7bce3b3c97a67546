"""proportion: queues share the cluster by weight, up to what they ask for.

Source: volcano v1.16 pkg/scheduler/plugins/proportion/proportion.go.
"""

from __future__ import annotations

from collections.abc import Sequence

from scheduler_core.volcano.configuration.scheduler_conf import PluginOption
from scheduler_core.volcano.framework.functions import PERMIT, REJECT, compare
from scheduler_core.volcano.framework.plugin import Plugin
from scheduler_core.volcano.framework.session import Session
from scheduler_core.volcano.model.jobs import Job
from scheduler_core.volcano.model.queues import Queue
from scheduler_core.volcano.model.resource import (
    Resource,
    difference,
    exceeded_part,
    largest_share,
    maximum,
    total,
)
from scheduler_core.volcano.model.tasks import Task
from scheduler_core.volcano.plugin_rules.claims import Claim
from scheduler_core.volcano.plugin_rules.queue_shares import QueueShare, guarantee_of


class Proportion(Plugin):
    """`shares` has the figures of every queue that has jobs, by name; `rounds` how deserved came about."""

    name = "proportion"
    gives_back = True

    def __init__(self, session: Session, option: PluginOption) -> None:
        super().__init__(session, option)
        guaranteed = total(guarantee_of(queue) for queue in session.queues.values())
        self.shares: dict[str, QueueShare] = {}
        for job in session.jobs.values():
            queue = session.queues[job.queue]
            if queue.name not in self.shares:
                figures = QueueShare(queue, Resource(), guarantee_of(queue))
                figures.limit(session.total, guaranteed)
                self.shares[queue.name] = figures
            self.shares[queue.name].count(job)
        self.rounds: list[dict[str, Resource]] = []
        self._share_out()

    def _share_out(self) -> None:
        """Hand out what remains by weight among the queues that are not done, until nothing moves."""
        remaining = self.session.total.clone()
        done: set[str] = set()
        while True:
            weight = sum(one.queue.weight for name, one in self.shares.items() if name not in done)
            if weight == 0:
                return
            before = remaining.clone()
            gained, lost = Resource(), Resource()
            for name, one in self.shares.items():
                if name in done:
                    continue
                old = one.deserved.clone()
                one.deserved.add(remaining.clone().times(float(one.queue.weight) / float(weight)))
                one.deserved.lower_to(one.real_capability, "infinity")
                one.deserved.lower_to(one.request, "zero")
                one.deserved = maximum(one.deserved, one.guarantee)
                self._measure(one)
                if one.request.fits_in(one.deserved) or one.deserved.same_as(old):
                    done.add(name)
                more, less = difference(one.deserved, old)
                gained.add(more)
                lost.add(less)
            self.rounds.append({name: one.deserved.clone() for name, one in self.shares.items()})
            remaining = exceeded_part(remaining.clone().add(lost), gained)
            if remaining.is_empty or remaining.same_as(before):
                return

    def _measure(self, one: QueueShare) -> None:
        one.share = largest_share(one.allocated, one.deserved)

    def queue_order(self, left: Queue, right: Queue) -> int:
        """The higher priority first, then the lower share."""
        if left.priority != right.priority:
            return right.priority - left.priority
        return compare(self.shares[left.name].share, self.shares[right.name].share)

    def reclaimable(self, reclaimer: Task, candidates: Sequence[Task]) -> list[Task]:
        """Let go pods while their queue holds more than it deserves in some dimension."""
        held: dict[str, Resource] = {}
        victims = []
        for task in candidates:
            job = self.session.jobs.get(task.job)
            one = self.shares.get(job.queue) if job is not None else None
            if job is None or one is None:
                continue
            if job.queue not in held:
                held[job.queue] = one.allocated.clone()
            if not held[job.queue].fits_in(one.deserved):
                held[job.queue].sub(task.request)
                victims.append(task)
        return victims

    def drawn_from(self, candidate: Task) -> object:
        job = self.session.jobs.get(candidate.job)
        return None if job is None else job.queue

    def overused(self, queue: Queue) -> bool:
        """Return whether a queue holds what it deserves in every dimension."""
        one = self.shares[queue.name]
        return one.deserved.fits_in(one.allocated)

    def allocatable(self, queue: Queue, task: Task) -> bool:
        """Return whether an open queue stays within what it deserves, in the dimensions asked for."""
        return queue.is_open and self.simulate_allocatable(queue, task, ())

    def preemptive(self, queue: Queue, asked: Resource) -> bool:
        """Return the same of what several tasks ask for."""
        one = self.shares[queue.name]
        return queue.is_open and one.allocated.has_room_for(asked, one.deserved)

    def simulate_allocatable(self, queue: Queue, task: Task, away: Sequence[Task]) -> bool:
        """Return whether it would stay within what it deserves once others are away."""
        one = self.shares[queue.name]
        if not away:
            return one.allocated.has_room_for(task.request, one.deserved)
        used = one.allocated.clone()
        for gone in away:
            job = self.session.jobs.get(gone.job)
            if job is not None and job.queue == queue.name:
                used.sub(gone.request)
        return not used.add(task.request).lacking_for(one.deserved, Resource().add(task.request))

    def job_enqueueable(self, job: Job) -> int:
        """Permit what the queue could take beside what it holds and what waits, less what is elastic."""
        if not self.session.queues[job.queue].is_open:
            return REJECT
        if job.group.spec.min_resources is None:
            return PERMIT
        one, asked = self.shares[job.queue], job.min_resources
        claimed = asked.clone().add(one.allocated).add(one.inqueue).sub(one.elastic)
        return REJECT if claimed.lacking_for(one.real_capability, asked) else PERMIT

    def claim_of(self, job: Job) -> Claim:
        """Return what is added up for a job that asks to enter its queue; what is elastic is not held."""
        one = self.shares[job.queue]
        held = one.allocated.clone().sub(one.elastic)
        return Claim(job.queue, one.real_capability, held, job.min_resources, one.inqueue.clone())

    def room_for(self, queue: Queue, task: Task) -> Claim:
        """Return what is added up for a task that asks for a node."""
        one = self.shares[queue.name]
        return Claim(queue.name, one.deserved, one.allocated.clone(), task.request)

    def job_enqueued(self, job: Job) -> None:
        """Count the job's claim."""
        if job.group.spec.min_resources is not None:
            self.shares[job.queue].inqueue.add(job.less_gated(job.min_resources))

    def allocated(self, task: Task) -> str | None:
        if (one := self._of(task)) is not None:
            one.allocated.add(task.request)
            self._measure(one)
        return None

    def deallocated(self, task: Task) -> None:
        if (one := self._of(task)) is not None:
            one.allocated.sub(task.request)
            self._measure(one)

    def _of(self, task: Task) -> QueueShare | None:
        job = self.session.jobs.get(task.job)
        return None if job is None else self.shares.get(job.queue)
