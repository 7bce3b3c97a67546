"""Why pods wait, as Volcano has it: a session is held on its own picture of the cluster, and not carried out.

What it says of a job ends the matter for its pods: the job may not enter its queue, its queue has its share
or its limit, a pod of it finds no node, or too few do. What the session gave to others before counts.

Source: volcano v1.16 pkg/scheduler/actions/; the plugins' own files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as with_fields
from functools import partial
from itertools import islice

import numpy as np
from msgspec.structs import replace

from scheduler_core.kube.framework import FilterPlugin, View
from scheduler_core.predicates.resource_figures import Wanted
from scheduler_core.schedulers.cause import Answered, Cause, Evicting, Gang
from scheduler_core.schedulers.unasked import TEXTS
from scheduler_core.schedulers.wants import Want, Weighed
from scheduler_core.volcano.cache.opening import open_session
from scheduler_core.volcano.cache.scheduler_cache import VolcanoCluster
from scheduler_core.volcano.configuration.scheduler_conf import Configuration
from scheduler_core.volcano.framework.around_session import SessionPlugin
from scheduler_core.volcano.framework.session import Memory, Session
from scheduler_core.volcano.framework.steps import Dropped, Enqueue, Searched, Settled, Step, Try
from scheduler_core.volcano.model.custom_resources import DEFAULT_QUEUE, group_of
from scheduler_core.volcano.model.fit_errors import Refusals
from scheduler_core.volcano.model.hyper_nodes import TOP
from scheduler_core.volcano.model.jobs import Job
from scheduler_core.volcano.model.nodes import Floats, Mask, Rows
from scheduler_core.volcano.model.queues import Queue
from scheduler_core.volcano.model.sub_jobs import SubJob
from scheduler_core.volcano.model.tasks import Task
from scheduler_core.volcano.plugin_rules.claims import Claim, whole
from scheduler_core.volcano.plugins.deviceshare import Deviceshare
from scheduler_core.volcano.plugins.network_topology_aware import NetworkTopologyAware
from scheduler_core.volcano.plugins.predicates import Predicates
from scheduler_core.volcano.registry import ACTIONS
from scheduler_core.volcano.reporting.refusals import refusals
from scheduler_core.volcano.reporting.vgpu_explaining import refused_cards

_NO_SUM = {"resourcequota": "a ResourceQuota of its namespace has no room for its minResources"}
"""Why plugins refuse a job that add up nothing of a queue."""
_ROOM = "allocate"
"""The room on nodes is looked at by the actions themselves, and by no plugin."""


class Mute:
    """Carries nothing out."""

    def bound(self, task: Task) -> None:
        """A bind is not sent."""

    def evicted(self, task: Task, reason: str) -> None:
        """An eviction is not sent."""

    def chose(self, task: Task, nodes: Rows, scores: Floats, best: Rows, chosen: int) -> None:
        """A choice is not noted."""

    def chose_hyper_node(self, of: Job | SubJob, scores: Mapping[str, float], best: Sequence[str]) -> None:
        """Neither is one among hyper nodes."""


@dataclass
class _Fate:
    """What a session made of a job; `placed` are its pods with a node that were not taken back, by uid.

    `kept` are those that are not bound, for their job is not ready.
    `searched` is the last search among hyper nodes, if none of them would do.
    """

    refused: Cause | None = None
    over: dict[str, Cause] = field(default_factory=dict)
    tried: dict[str, Try] = field(default_factory=dict)
    placed: dict[str, Try] = field(default_factory=dict)
    kept: set[str] = field(default_factory=set)
    most: int = 0
    searched: Searched | None = None
    nowhere: list[tuple[Task, Answered]] = field(default_factory=list)

    def nowhere_for(self, task: Task) -> Answered | None:
        """Return what was found of the task, or of the first of its role, that fits nowhere."""
        own = (answered for one, answered in self.nowhere if one is task)
        alike = (answered for one, answered in self.nowhere if one.role == task.role)
        return next(own, None) or next(alike, None)


def look_on(cluster: VolcanoCluster, configuration: Configuration, elapsed: int) -> Session:
    """Open a session as it would be held now; nothing of it is carried out.

    elapsed: nanoseconds since the run's start.
    """
    memory = Memory(cluster.memory.values["next_node"])
    return open_session(cluster.snapshot(), cluster.contents(elapsed), configuration, Mute(), memory)


class Trial:
    """A session as it would be held now, and what it makes of `jobs` and of the jobs of some pods (`uids`).

    With `steps` it goes no further than so many of its steps.
    """

    def __init__(
        self,
        cluster: VolcanoCluster,
        configuration: Configuration,
        uids: Iterable[str],
        elapsed: int,
        *,
        jobs: Iterable[str] = (),
        steps: int | None = None,
    ) -> None:
        self._cluster = cluster
        self._is_open = steps is not None
        self.session = look_on(cluster, configuration, elapsed)
        self._tasks = {uid: task for job in self.session.jobs.values() for uid, task in job.tasks.items()}
        of_pods = (self._tasks[uid].job for uid in uids if uid in self._tasks)
        self._fates = {uid: _Fate() for uid in (*of_pods, *jobs) if uid in self.session.jobs}
        self._began = {uid: self.session.jobs[uid].ready for uid in self._fates}
        """How many pods of each job hold a node before anything is tried."""
        self._invalid = {uid: self.session.job_valid(self.session.jobs[uid]) for uid in self._fates}
        self._full: dict[str, Claim | None] = {}
        whole = (step for action in configuration.actions for step in ACTIONS[action](self.session))
        for step in islice(whole, steps):
            self._note(step)

    # -- as the session goes on ----------------------------------------------------------------------

    def _note(self, step: Step) -> None:
        match step:
            case Enqueue(job, False) if job.uid in self._fates:
                self._fates[job.uid].refused = self._refused(job)
            case Dropped(queue):
                self._full[queue.name] = None
            case Try(task) if task.job in self._fates:
                self._note_try(self._fates[task.job], step)
            case Searched(job) if job.uid in self._fates:
                self._note_search(self._fates[job.uid], step)
            case Settled(job, "kept", tasks) if job.uid in self._fates:
                self._fates[job.uid].kept.update(task.uid for task in tasks)
            case Settled(job, "discarded", tasks) if job.uid in self._fates:
                fate = self._fates[job.uid]
                fate.most = max(fate.most, len(fate.placed))
                for task in tasks:
                    fate.placed.pop(task.uid, None)

    def _note_search(self, fate: _Fate, step: Searched) -> None:
        fate.searched = None if step.chosen else step
        fate.most = max([fate.most, *(one.placed for one in step.tries)])

    def _note_try(self, fate: _Fate, step: Try) -> None:
        task = step.task
        fate.tried[task.uid] = step
        if step.node and step.outcome != "refused":
            fate.placed[task.uid] = step
        elif step.why == "queue":
            if (over := self._over(task)) is not None:
                fate.over[task.uid] = self._with_own(over, task, fate)
        elif step.outcome == "refused" and fate.nowhere_for(task) is None:
            answered = self._nowhere(task, step)
            if answered.cause.kind != "nodes" or answered.cause.held:  # else it's not the nodes: its queue
                fate.nowhere.append((task, answered))

    def _refused(self, job: Job) -> Cause:
        """Return why a job may not enter its queue: who says so, and what that one adds up."""
        for name, claim in refusals(self.session, job):
            if not self.session.queues[job.queue].is_open:
                return Cause("refused", plugin=name, queue=job.queue, reason="the queue is not open")
            if claim is None:
                reason = _NO_SUM.get(name) or self._fault(name)
                return Cause("refused", plugin=name, queue=job.queue, reason=reason)
            return Cause("refused", plugin=name, queue=claim.queue or job.queue, sums=claim.sums())
        return Cause("refused", queue=job.queue)

    def _over(self, task: Task) -> Cause | None:
        """Return why a queue may take no more of a task's kind in.

        None where it may: then it was passed over since its queue may take nothing back from others.
        """
        queue = self.session.queues[self.session.jobs[task.job].queue]
        if not queue.is_open:
            return Cause("queue", queue=queue.name, reason="the queue is not open")
        for name, _ in self._refusing(queue, task):
            claim: Claim | None = self.session.plugins[name].room_for(queue, task)  # type: ignore[attr-defined]
            if claim is None:
                return Cause("queue", plugin=name, queue=queue.name, reason=self._fault(name))
            return Cause("queue", plugin=name, queue=claim.queue, sums=claim.sums())
        return None

    def _fault(self, plugin: str) -> str:
        """Return why a plugin refuses everything; empty where it says nothing of the kind."""
        return getattr(self.session.plugins[plugin], "fault", "")

    def _with_own(self, over: Cause, task: Task, fate: _Fate) -> Cause:
        """Return a queue's cause with how many pods of a gang that is short it counts as held."""
        job = self.session.jobs[task.job]
        if not over.sums or not fate.placed or job.is_ready:
            return over
        gang = Gang(job.uid, job.min_available, len(fate.placed), len(job.tasks), task.name)
        return replace(over, gang=gang)

    def _refusing(self, queue: Queue, task: Task) -> Iterator[tuple[str, Callable[..., bool]]]:
        for tier in self.session.tiers("allocatable"):
            yield from ((name, ask) for name, ask in tier if not ask(queue, task))

    # -- nodes ---------------------------------------------------------------------------------------

    def _nowhere(self, task: Task, step: Try) -> Answered:
        """Return what stands against a task on the nodes at this moment of the session."""
        message = step.errors.text() if step.errors is not None else ""
        if step.errors is not None and step.errors.hyper_node:
            return Answered(self._too_far_apart(task, message))
        names = self.session.nodes.names
        if step.why == "error":
            everywhere = np.ones(len(names), dtype=np.bool_)
            why = next(iter(step.errors.nodes.values()), ()) if step.errors is not None else ()
            reasons = {one.reason: len(names) for one in why}
            plugin = next((one.plugin for one in why if one.plugin), "predicates")
            want = Want(plugin, everywhere, reasons=reasons)
            return Weighed(names, [want]).answered(Cause("pre_filter", message=message))
        return Weighed(names, [*self._of_room(task), *self._of_filters(task)]).answered(
            Cause("nodes", message=message)
        )

    def _too_far_apart(self, task: Task, message: str) -> Cause:
        """Return that a job finds too few nodes near each other; on others its pods may well fit."""
        job = self.session.jobs[task.job]
        fate = self._fates[job.uid]
        tried = fate.searched.tries if fate.searched is not None else []
        best = max(tried, key=lambda one: one.placed, default=None)
        reason = f"its pods stay within one hyper node of tier {_tier_of(job, task)} at most"
        if best is not None and best.placed and best.hyper_node != TOP:
            reason += f", and {best.hyper_node} takes {best.placed} of them"
        gang = Gang(job.uid, job.min_available, fate.most, len(job.tasks), task.name)
        return Cause("gang", plugin=NetworkTopologyAware.name, reason=reason, message=message, gang=gang)

    def _of_room(self, task: Task) -> Iterator[Want]:
        if task.best_effort:
            return
        for name, short, asked, idle, size in self.session.nodes.wants(task.request):
            reason = f"Insufficient {name}"
            amount, free, in_all = whole(name, asked), _whole(name, idle), _whole(name, size)
            wanted = Wanted(reason, name, int(amount), free, in_all)
            yield Want(_ROOM, short, reason, {reason: int(np.count_nonzero(short))}, wanted)

    def _of_filters(self, task: Task) -> Iterator[Want]:
        for name in dict.fromkeys(name for tier in self.session.tiers("predicate") for name, _ in tier):
            plugin = self.session.plugins[name]
            if not isinstance(plugin, Predicates):
                yield self._of_plugin(name, plugin, task)
                continue
            full, reason = plugin.full()
            yield Want(plugin.name, full, reason, {reason: int(np.count_nonzero(full))})
            alone = list(plugin.alone(task))
            counts_cordons = any(one.looks_at_cordons for one, _, _ in alone)
            for one, view, refused in alone:
                lifted = one.goes_with_cordon(view) if counts_cordons else None
                yield self._of_filter(one, view, _without(refused, lifted))

    def _of_plugin(self, name: str, plugin: SessionPlugin, task: Task) -> Want:
        """Return what one of Volcano's own plugins has against a task, with the cards that are refused."""
        refused = plugin.against(task, self.session.nodes.all)
        cards = refused_cards(self.session, task) if refused and isinstance(plugin, Deviceshare) else {}
        return with_fields(self._refusing_nodes(name, refused), cards=cards.get if cards else None)

    def _of_filter(self, plugin: FilterPlugin, view: View, refused: dict[int, Refusals]) -> Want:
        want = self._refusing_nodes(plugin.name, refused)
        return with_fields(want, particulars=partial(plugin.particulars, view))

    def _refusing_nodes(self, name: str, refused: dict[int, Refusals]) -> Want:
        mask = np.zeros(len(self.session.nodes), dtype=np.bool_)
        mask[list(refused)] = True
        reasons = Counter(one.reason for why in refused.values() for one in why)
        return Want(name, mask, reasons=dict(reasons))

    # -- one pod -------------------------------------------------------------------------------------

    def why(self, uid: str) -> Answered:
        """Return why a pod has no node after this session."""
        task = self._tasks.get(uid)
        if task is None:
            return Answered(self._ignored(uid))
        gates = [gate.name for gate in task.pod.spec.scheduling_gates or ()]
        if gates and not task.only_queue_gated:
            return Answered(Cause("gated", reason=f"waiting for scheduling gates: [{' '.join(gates)}]"))
        return self._of_task(self.session.jobs[task.job], task)

    def why_job(self, uid: str) -> Answered:
        """Return why a job waits after this session, by the first of its pods without a node, if it has one.

        Raises KeyError for one that takes no part in the session.
        """
        job = self.session.jobs[uid]
        first = next((task for task in job.tasks.values() if not task.node), None)
        return self._of_task(job, None) if first is None else self.why(first.uid)

    def _of_task(self, job: Job, task: Task | None) -> Answered:
        """Return why a job waits, or one of its pods."""
        fate, invalid = self._fates[job.uid], self._invalid[job.uid]
        if fate.refused is not None and job.is_pending:
            return Answered(self._of_job(fate.refused, job))
        if invalid is not None:
            counts = Gang(job.uid, job.min_available, 0, job.valid)
            return Answered(self._of_job(Cause("gang", reason=invalid[1], gang=counts), job))
        answered = Answered(self._untried(job)) if task is None else self._tried(task, job, fate)
        return Answered(self._of_job(answered.cause, job), answered.marks)

    def _untried(self, job: Job) -> Cause:
        ended = f"the session ended in {job.phase} without a try at it"
        return Cause("untried", reason="the session has not come to it so far" if self._is_open else ended)

    def _tried(self, task: Task, job: Job, fate: _Fate) -> Answered:
        placed = fate.placed.get(task.uid)
        if placed is not None:
            return Answered(self._placed(placed, job, fate))
        nowhere = fate.nowhere_for(task)
        if nowhere is None and fate.nowhere and task.uid not in fate.over:
            nowhere = fate.nowhere[0][1]
        if nowhere is not None:
            return self._with_gang(nowhere, job, fate)
        if fate.searched is not None:
            what = "all its pods" if fate.searched.tries else "what its job needs at least"
            reason = f"no hyper node of tier {_tier_of(job, task)} at most has room for {what}"
            return Answered(Cause("gang", plugin=NetworkTopologyAware.name, reason=reason))
        over = fate.over.get(task.uid) or next(iter(fate.over.values()), None)
        if over is not None:
            return Answered(over)
        if job.queue in self._full:
            return Answered(self._overused(task, job))
        return Answered(self._untried(job))

    def _placed(self, step: Try, job: Job, fate: _Fate) -> Cause:
        """Return that a pod has a node in the session: it need not be bound there."""
        if step.victims:
            evicting = Evicting(True, 1, 1, step.node, len(step.victims))
            return Cause("preempts", fits=0, chosen=step.node, evicting=evicting)
        nodes = self.session.nodes
        if step.outcome == "pipelined":
            if nodes.releasing[nodes.row[step.node]].any():
                return Cause("fits", fits=1, chosen=step.node, reason="room is still being freed there")
            reason = "a session that evicts nobody for it leaves the binding to a later one"
            return Cause("unbound", fits=1, chosen=step.node, reason=reason)
        if step.task.uid in fate.kept:
            reason = f"nothing of its job is bound until {job.min_available:,} of its pods can be"
            return Cause("unbound", fits=1, chosen=step.node, reason=reason)
        return Cause("fits", fits=1, chosen=step.node)

    def _with_gang(self, nowhere: Answered, job: Job, fate: _Fate) -> Answered:
        """Return that a gang is short where others of it had found a node, else that there is no node."""
        missing, found = fate.nowhere[0][0], self._began[job.uid] + fate.most
        if not fate.most or job.is_ready or nowhere.cause.kind == "gang":
            return nowhere
        gang = Gang(job.uid, job.min_available, found, len(job.tasks), missing.name)
        if found >= job.min_available and (least := job.least_of_role(missing.role)):
            # So many found nodes that it lacks those of one task alone.
            alike = [task for task in job.tasks.values() if task.role == missing.role]
            with_node = sum(1 for task in alike if task.node or self._found_node(fate, task))
            gang = replace(gang, task=Gang(missing.role, least, with_node, len(alike)))
        cause = replace(nowhere.cause, kind="gang", gang=gang)
        return Answered(cause, nowhere.marks)

    @staticmethod
    def _found_node(fate: _Fate, task: Task) -> bool:
        """Return whether the last try of a task found a node, be it that it was taken back."""
        step = fate.tried.get(task.uid)
        return step is not None and bool(step.node) and step.outcome != "refused"

    def _overused(self, task: Task, job: Job) -> Cause:
        queue = self.session.queues[job.queue]
        for tier in self.session.tiers("overused"):
            for name, _ in tier:
                claim: Claim = self.session.plugins[name].room_for(queue, task)  # type: ignore[attr-defined]
                return Cause("queue", plugin=name, queue=queue.name, sums=claim.sums())
        return Cause("queue", queue=queue.name)

    def _of_job(self, cause: Cause, job: Job) -> Cause:
        gang = cause.gang or Gang(job.uid, job.min_available, 0, len(job.tasks))
        return replace(cause, queue=cause.queue or job.queue, gang=gang, nodes=len(self.session.nodes))

    def _ignored(self, uid: str) -> Cause:
        """Return why sessions look away from a pod."""
        pod = self._cluster.state.pods.infos[self._cluster.state.pods.by_uid[uid]].pod
        group = group_of(pod.metadata)
        if not group:
            return Cause("ignored", reason=TEXTS.no_group)
        row = self._cluster.groups.rows.get(group)
        if row is None:
            return Cause("ignored", reason=TEXTS.group.format(group=group))
        queue = row.queue or DEFAULT_QUEUE
        if queue not in self._cluster.queues.rows:
            return Cause("ignored", queue=queue, reason=TEXTS.queue.format(queue=queue))
        return Cause("untried", reason="the scheduler's cache does not take the pod in")


def _tier_of(job: Job, task: Task) -> int | None:
    """Return the tier that a task's part is kept within, or else its job."""
    own = job.sub_job_of(task).hard_tier
    return job.hard_tier if own is None else own


def _without(refused: dict[int, Refusals], lifted: Mask | None) -> dict[int, Refusals]:
    """Return what is refused on nodes (rows) beside those where the cordon counts for it."""
    return refused if lifted is None else {row: why for row, why in refused.items() if not lifted[row]}


def _whole(name: str, amounts: Floats) -> Rows:
    """Return amounts of nodes in the units of the log, rounded down."""
    factor = whole(name, 1.0)
    rounded: Rows = np.floor(amounts * factor).astype(np.int64)
    return rounded
