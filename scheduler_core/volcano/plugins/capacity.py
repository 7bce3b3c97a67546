"""capacity: queues deserve what they say, in a tree if the hierarchy is on.

Source: volcano v1.16 pkg/scheduler/plugins/capacity/capacity.go. Quotas of device classes are not played.
"""

from __future__ import annotations

from collections.abc import Sequence

from scheduler_core.volcano.configuration.scheduler_conf import PluginOption
from scheduler_core.volcano.framework.functions import PERMIT, REJECT, compare
from scheduler_core.volcano.framework.plugin import Plugin
from scheduler_core.volcano.framework.session import Session
from scheduler_core.volcano.model.eviction import Eviction
from scheduler_core.volcano.model.jobs import Job
from scheduler_core.volcano.model.queues import ROOT, Queue
from scheduler_core.volcano.model.resource import LEAST, PODS, Resource, largest_share, maximum, total
from scheduler_core.volcano.model.tasks import Task
from scheduler_core.volcano.plugin_rules.claims import Claim
from scheduler_core.volcano.plugin_rules.queue_shares import QueueShare, guarantee_of
from scheduler_core.volcano.plugin_rules.queue_tree import QueueTree


class Capacity(Plugin):
    """`shares` has the figures of every queue that has jobs (of all queues in a tree), by name."""

    name = "capacity"
    gives_back = True

    def __init__(self, session: Session, option: PluginOption) -> None:
        super().__init__(session, option)
        self.shares: dict[str, QueueShare] = {}
        self.tree: QueueTree | None = None
        self.ready = True
        self._level = max(option.arguments.integer("ancestorReclaimLevel", 0), 0)
        if session.has_hierarchy(self.name):
            self.tree = QueueTree(session)
            self.shares, self.ready = self.tree.shares, not self.tree.fault
            if not self.ready:
                self.switched_off = frozenset({"queue_order", "victim_queue_order"})
        else:
            self.switched_off = frozenset({"victim_queue_order"})
            self._measure_flat(session)
        if self.ready:
            for one in self.shares.values():
                _measure(one)

    def _measure_flat(self, session: Session) -> None:
        guaranteed = total(guarantee_of(queue) for queue in session.queues.values())
        for job in session.jobs.values():
            queue = session.queues[job.queue]
            if queue.name not in self.shares:
                deserved = Resource.of(queue.source.spec.deserved)
                one = QueueShare(queue, deserved, guarantee_of(queue))
                one.limit(session.total, guaranteed)
                self.shares[queue.name] = one
            self.shares[queue.name].count(job)
        for one in self.shares.values():
            one.deserved.lower_to(one.real_capability, "infinity")
            one.deserved = maximum(one.deserved, one.guarantee)

    # -- orders --------------------------------------------------------------------------------------

    def queue_order(self, left: Queue, right: Queue) -> int:
        """The higher priority first, then the lower share; in a tree that of the branches that part them."""
        if left.priority != right.priority:
            return right.priority - left.priority
        mine, theirs = left.name, right.name
        if self.tree is not None:
            leaves = self.tree.is_leaf(mine), self.tree.is_leaf(theirs)
            if leaves[0] != leaves[1]:
                return -1 if leaves[0] else 1
            if all(leaves):
                mine, theirs = self.tree.branches(mine, theirs)
        return _compare(self.shares[mine], self.shares[theirs])

    def victim_queue_order(self, left: Queue, right: Queue, preemptor: Queue) -> int:
        """Who is nearer to the preemptor in the tree comes first."""
        assert self.tree is not None
        mine = self.tree.common_level(left.name, preemptor.name)
        return self.tree.common_level(right.name, preemptor.name) - mine

    # -- reclaim -------------------------------------------------------------------------------------

    def reclaimable(self, reclaimer: Task, candidates: Sequence[Task]) -> list[Task]:
        """Let go pods while their queue keeps its guarantee without them and holds more than it deserves."""
        session = self.session
        if not self.ready or (job := session.jobs.get(reclaimer.job)) is None or job.queue not in self.shares:
            return []
        held: dict[str, Resource] = {}
        victims = []
        waiting = session.victims_in_order(candidates, reclaimer)
        while waiting:
            task = waiting.pop()
            owner = session.jobs.get(task.job)
            one = self.shares.get(owner.queue) if owner is not None else None
            if one is None or not _share_dimensions(task.request, reclaimer.request):
                continue
            if self._may_go(task, reclaimer, one, self.shares[job.queue], held):
                victims.append(task)
        return victims

    def _may_go(
        self, task: Task, reclaimer: Task, one: QueueShare, mine: QueueShare, held: dict[str, Resource]
    ) -> bool:
        allocated = held.setdefault(one.queue.name, one.allocated.clone())
        if not one.guarantee.fits_in(allocated.clone().sub(task.request)):
            return False
        related = self.tree is not None and self._level > 0
        if not _relevant(task.request, one.deserved):
            if (
                related
                and self._share_ancestor(mine, one)
                and not _relevant(reclaimer.request, mine.deserved)
            ):
                return False
        elif not _exceeds(allocated, one.deserved, task.request):
            return False
        above = [allocated]
        for level in range(1, self._level + 1) if related else ():
            assert self.tree is not None
            ancestor = self.tree.ancestor_that_parts(one.queue.name, mine.queue.name, level)
            if ancestor is None:
                continue
            figures = self.shares[ancestor]
            of_ancestor = held.setdefault(ancestor, figures.allocated.clone())
            above.append(of_ancestor)
            if _relevant(task.request, figures.deserved) and not _exceeds(
                of_ancestor, figures.deserved, task.request
            ):
                return False
        for resource in above:
            resource.sub(task.request)
        return True

    def _share_ancestor(self, mine: QueueShare, other: QueueShare) -> bool:
        assert self.tree is not None
        levels = range(1, self._level + 1)
        here = {self.tree.ancestor_at(mine.queue.name, level) for level in levels}
        there = {self.tree.ancestor_at(other.queue.name, level) for level in levels}
        return bool((here & there) - {None, ROOT})

    def evictable(self, eviction: Eviction, candidates: Sequence[Task]) -> list[Task]:
        """Let go, if others reclaim, pods of queues with more than they deserve that keep their guarantee."""
        if eviction.action == "gangpreempt":
            return list(candidates)
        if not self.ready:
            return []
        held: dict[str, Resource] = {}
        victims = []
        for task in candidates:
            one = self.shares[self.session.jobs[task.job].queue]
            allocated = held.setdefault(one.queue.name, one.allocated.clone())
            if not one.guarantee.fits_in(allocated.clone().sub(task.request)):
                continue
            if not _relevant(task.request, one.deserved) or _exceeds(allocated, one.deserved, task.request):
                allocated.sub(task.request)
                victims.append(task)
        return victims

    def preemptive(self, queue: Queue, asked: Resource) -> bool:
        """Return whether a queue stays within its limit, and in some dimension within what it deserves."""
        if not self.ready or not queue.is_open:
            return False
        one = self.shares[queue.name]
        used = one.allocated.clone().add(asked)
        if used.lacking_for(one.real_capability, asked):
            return False
        if _within_somewhere(used, one.deserved, asked):
            return True
        if self.tree is None:
            return False
        names = (self.tree.ancestor_at(queue.name, level) for level in range(1, self._level + 1))
        above = (self.shares[name] for name in names if name is not None and name != ROOT)
        return any(
            _within_somewhere(figures.allocated.clone().add(asked), figures.deserved, asked)
            for figures in above
        )

    # -- allocate and enqueue ------------------------------------------------------------------------

    def allocatable(self, queue: Queue, task: Task) -> bool:
        """Return whether an open queue, and all above it, stay within their limits."""
        return queue.is_open and self.simulate_allocatable(queue, task, ())

    def simulate_allocatable(self, queue: Queue, task: Task, away: Sequence[Task]) -> bool:
        """Return whether they would once others are away."""
        if not self.ready or (self.tree is not None and not self.tree.is_leaf(queue.name)):
            return False
        for name in self._with_ancestors(queue.name):
            one = self.shares[name]
            used = one.allocated.clone()
            for gone in away:
                job = self.session.jobs.get(gone.job)
                if job is not None and name in self._with_ancestors(job.queue):
                    used.sub(gone.request)
            if used.add(task.request).lacking_for(one.real_capability, task.request):
                return False
        return True

    def job_enqueueable(self, job: Job) -> int:
        """Permit what the queue, and all above it, could still take."""
        if not self.ready or (self.tree is not None and not self.tree.is_leaf(job.queue)):
            return REJECT
        if not self.session.queues[job.queue].is_open:
            return REJECT
        if job.group.spec.min_resources is None:
            return PERMIT
        asked = job.min_resources
        for name in self._with_ancestors(job.queue):
            one = self.shares[name]
            claimed = asked.clone().add(one.allocated).add(one.inqueue).sub(one.elastic)
            if claimed.lacking_for(one.real_capability, asked):
                return REJECT
        return PERMIT

    @property
    def fault(self) -> str:
        """Why it lets no job in and places no pod, whatever is added up; empty where sums decide."""
        if self.tree is None or not self.tree.fault:
            return ""
        return f"{self.name} lets nothing in anywhere while {self.tree.fault}"

    def claim_of(self, job: Job) -> Claim | None:
        """Return what is added up for a job that asks to enter its queue, where a limit ends it."""
        if not self.ready:
            return None
        asked = job.min_resources
        claims = [
            Claim(
                name, one.real_capability, one.allocated.clone().sub(one.elastic), asked, one.inqueue.clone()
            )
            for name in self._with_ancestors(job.queue)
            if (one := self.shares.get(name)) is not None
        ]
        return _first_exceeded(claims) or Claim(job.queue, Resource(), Resource(), asked)

    def room_for(self, queue: Queue, task: Task) -> Claim | None:
        """Return what is added up for a task that asks for a node, where a limit ends it."""
        if not self.ready:
            return None
        claims = [
            Claim(name, one.real_capability, one.allocated.clone(), task.request)
            for name in self._with_ancestors(queue.name)
            if (one := self.shares.get(name)) is not None
        ]
        return _first_exceeded(claims) or Claim(queue.name, Resource(), Resource(), task.request)

    def job_enqueued(self, job: Job) -> None:
        """Count the job's claim."""
        if job.group.spec.min_resources is not None and job.queue in self.shares:
            for name in self._with_ancestors(job.queue):
                self.shares[name].inqueue.add(job.less_gated(job.min_resources))

    def _with_ancestors(self, queue: str) -> list[str]:
        """Return the queue and those above it, from below."""
        return [queue] if self.tree is None else [queue, *reversed(self.tree.ancestors[queue])]

    # -- what happens --------------------------------------------------------------------------------

    def allocated(self, task: Task) -> str | None:
        self._change(task, Resource.add)
        return None

    def deallocated(self, task: Task) -> None:
        self._change(task, Resource.sub)

    def _change(self, task: Task, change: object) -> None:
        job = self.session.jobs.get(task.job)
        if job is None or job.queue not in self.shares:
            return
        for name in self._with_ancestors(job.queue):
            change(self.shares[name].allocated, task.request)  # type: ignore[operator]
        # Only the queue's own share is measured again; those above keep the one of the session's start.
        _measure(self.shares[job.queue])


def _first_exceeded(claims: Sequence[Claim]) -> Claim | None:
    """Return the first claim that is above its limit, or else the first of all."""
    for one in claims:
        claimed = one.asked.clone().add(one.held).add(one.promised)
        if claimed.lacking_for(one.allowed, one.asked):
            return one
    return claims[0] if claims else None


def _measure(one: QueueShare) -> None:
    if one.deserved.is_empty:
        one.share = 1.0
        return
    one.share = largest_share(one.allocated, one.deserved)


def _compare(left: QueueShare, right: QueueShare) -> int:
    """The lower share first; at equal shares who deserves something."""
    if left.share == right.share:
        return int(left.deserved.is_empty) - int(right.deserved.is_empty)
    return compare(left.share, right.share)


def _share_dimensions(left: Resource, right: Resource) -> bool:
    return bool((set(left.names()) & set(right.names())) - {PODS})


def _relevant(request: Resource, deserved: Resource) -> bool:
    return bool(set(request.names()) & set(deserved.names()))


def _exceeds(allocated: Resource, deserved: Resource, request: Resource) -> bool:
    """Return whether more is held than deserved, in some dimension asked for that is deserved at all.

    Source: GreaterPartlyWithRelevantDimensions.
    """
    named = deserved.scalars or {}
    for name in ("cpu", "memory"):
        if request.get(name) > 0 and deserved.get(name) >= LEAST and allocated.get(name) > deserved.get(name):
            return True
    return any(
        amount > 0 and name in named and name != PODS and allocated.get(name) > deserved.get(name)
        for name, amount in (request.scalars or {}).items()
    )


def _within_somewhere(used: Resource, deserved: Resource, asked: Resource) -> bool:
    """Return whether one dimension asked for is within what is deserved.

    Source: LessEqualPartlyWithDimensionZeroFiltered.
    """
    for name in ("cpu", "memory", *(asked.scalars or {})):
        mine, theirs = used.get(name), deserved.get(name)
        if name == PODS or asked.get(name) <= 0 or (mine < LEAST and theirs < LEAST):
            continue
        if mine < theirs or abs(mine - theirs) < LEAST:
            return True
    return False
