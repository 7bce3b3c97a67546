"""Room for a whole gang: bundles of pods are evicted until all that the gang lacks fits into a hyper node.

Both gangpreempt and gangreclaim work so; they differ in whose pods may go, and which of them first.

Source: volcano v1.16 pkg/scheduler/actions/gangpreempt/gangpreempt.go, gangreclaim/gangreclaim.go,
actions/utils/simulate.go, actions/utils/util.go.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np

from scheduler_core.go.heap import PriorityQueue
from scheduler_core.volcano.actions.bundles import Bundle, bundles_of, in_order, tasks_of
from scheduler_core.volcano.actions.worksheets import Worksheet, worksheet_of
from scheduler_core.volcano.framework.parts import gradients, part_pipelined, part_ready
from scheduler_core.volcano.framework.selection import (
    Search,
    best_node,
    refused_for_good,
    without_unresolvable,
)
from scheduler_core.volcano.framework.session import Session, Waiting
from scheduler_core.volcano.framework.statement import Saved, Statement
from scheduler_core.volcano.framework.steps import HyperNodeTry, Searched, Settled, Step, Try
from scheduler_core.volcano.framework.victims import evictable
from scheduler_core.volcano.model.eviction import Eviction
from scheduler_core.volcano.model.fit_errors import Refusals
from scheduler_core.volcano.model.hyper_nodes import TOP
from scheduler_core.volcano.model.jobs import Job
from scheduler_core.volcano.model.nodes import Rows
from scheduler_core.volcano.model.queues import Queue
from scheduler_core.volcano.model.resource import Resource, total
from scheduler_core.volcano.model.sub_jobs import SubJob
from scheduler_core.volcano.model.tasks import EVICTABLE, Task, TaskStatus

_MOST_DOMAINS = 8


def starving_jobs(session: Session) -> tuple[PriorityQueue[Queue], dict[str, PriorityQueue[Job]]]:
    """Return the queues of jobs that take part, and by queue the jobs that starve."""
    queues: PriorityQueue[Queue] = PriorityQueue(session.queue_before)
    starving: dict[str, PriorityQueue[Job]] = {}
    seen: set[str] = set()
    for job in session.jobs.values():
        if job.is_pending or session.job_valid(job) is not None:
            continue
        if job.queue not in seen:
            seen.add(job.queue)
            queues.push(session.queues[job.queue])
        if session.job_starving(job):
            starving.setdefault(job.queue, PriorityQueue(session.job_before)).push(job)
    return queues, starving


class _Plan(NamedTuple):
    """What makes room in a hyper node and uses it; `parts` are the hyper nodes of parts, by uid."""

    victims: list[Task]
    saved: list[Saved]
    tries: list[Try]
    parts: dict[str, str]


class GangEviction:
    """One of the two actions in a session."""

    def __init__(self, session: Session, action: Literal["gangpreempt", "gangreclaim"]) -> None:
        self.session = session
        self.action = action
        arguments = session.configuration.arguments_of(action)
        most = arguments.integer("maxDomains", _MOST_DOMAINS)
        self._most = most if most > 0 else _MOST_DOMAINS
        self._takes_whole = arguments.boolean("allowWholeBundle", True)
        self._remembering = session.configuration.arguments_of("allocate").boolean(
            "predicateErrorCacheEnable", True
        )

    # -- a job ---------------------------------------------------------------------------------------

    def job(self, job: Job, queue: Queue) -> Iterator[Step]:
        """Make room for a job; pods are evicted only if it is pipelined then."""
        session, statement, parts = self.session, Statement(self.session), dict[str, str]()
        yield from self._make_room(job, queue, statement, parts)
        touched = [operation.task for operation in statement.operations]
        kept = session.job_pipelined(job)
        if kept:
            statement.commit()
            for uid, name in parts.items():
                job.sub_jobs[uid].nominated = name
        else:
            statement.discard()
        if touched:
            yield Settled(job, "committed" if kept else "discarded", touched)

    def _make_room(
        self, job: Job, queue: Queue, statement: Statement, parts: dict[str, str]
    ) -> Iterator[Step]:
        session = self.session
        pending = self._pending(job)
        if not pending:
            return
        if self.action == "gangreclaim" and not session.preemptive(queue, pending):
            yield Try(pending[0], "skipped", why="queue")
            return
        need = total(task.request for task in pending)
        tried: list[HyperNodeTry] = []
        for name in self._domains(job):
            plan = self._plan(job, queue, need, name)
            placed = 0 if plan is None else len(plan.tries)
            tried.append(HyperNodeTry(name, "pipelined" if plan else "short", placed, None, {}))
            if plan is None:
                continue
            if name != TOP:
                yield Searched(job, tried, [name], name)
            yield from self._carry_out(plan, statement)
            parts |= plan.parts
            return
        if job.has_hard_topology:
            yield Searched(job, tried, [], "")
        yield Try(pending[0], "refused", why="victims")

    def _carry_out(self, plan: _Plan, statement: Statement) -> Iterator[Try]:
        """Do again what was planned. Victims are told with the first pod on their node, or else of all."""
        evictions = len(plan.victims)
        for saved in plan.saved[:evictions]:
            statement.redo(saved)
        at = {tried.node: tried for tried in reversed(plan.tries)}
        for victim in plan.victims:
            at.get(victim.node, plan.tries[0]).victims.append(victim)
        for saved, tried in zip(plan.saved[evictions:], plan.tries, strict=True):
            if not statement.redo(saved):
                return
            yield tried

    def _sheet(self, job: Job) -> Worksheet:
        return worksheet_of(self.session, job, lambda task: not task.gated and not task.best_effort)

    def _pending(self, job: Job) -> list[Task]:
        """Return the tasks that room is made for: all, but of a job that is ready the first part's only."""
        sheet, pending = self._sheet(job), list[Task]()
        while sheet.parts:
            tasks = sheet.tasks[sheet.parts.pop().uid]
            pending += [tasks.pop() for _ in range(len(tasks))]
            if self.session.job_ready(job):
                break
        return pending

    def _domains(self, job: Job) -> list[str]:
        """Return the hyper nodes that come into question."""
        tiers = gradients(self.session, job, TOP, evicting=True)
        names = list(dict.fromkeys(name for tier in tiers for name in tier))
        if not names and not job.has_hard_topology:
            names = [TOP]
        return names[: self._most]

    # -- who goes ------------------------------------------------------------------------------------

    def _bundles(self, job: Job, need: Resource, name: str) -> list[Bundle]:
        """Return the bundles of a hyper node, in the order in which they go."""
        session, by_job = self.session, dict[str, list[Task]]()
        for row in session.hyper_nodes.by_name[name].rows.tolist():
            for task, status in session.nodes.tasks[row].values():
                if self._is_candidate(task, status, job):
                    by_job.setdefault(task.job, []).append(task)
        bundles = [one for uid, tasks in by_job.items() for one in bundles_of(session.jobs[uid], tasks)]
        if not bundles:
            return []
        ordered = self._in_order(bundles, job, need)
        candidates = tasks_of(ordered)
        allowed = {task.uid for task in evictable(session, Eviction(self.action, job), candidates)}
        kept = {task.uid for task in candidates} - allowed
        left = [one for bundle in ordered if (one := bundle.without(kept)) is not None]
        return [bundle for bundle in self._in_order(left, job, need) if self._takes_whole or not bundle.whole]

    def _is_candidate(self, task: Task, status: TaskStatus, job: Job) -> bool:
        session, victim = self.session, self.session.jobs.get(task.job)
        if victim is None or not task.preemptable or not victim.may_be_evicted:
            return False
        if self.action == "gangreclaim":
            is_other = victim.queue != job.queue and session.queues[victim.queue].reclaimable
            return status is TaskStatus.RUNNING and is_other
        is_lower = victim.queue == job.queue and victim.priority < job.priority
        return status in EVICTABLE and is_lower and victim is not job

    def _in_order(self, bundles: Sequence[Bundle], job: Job, need: Resource) -> list[Bundle]:
        session = self.session
        mine = session.queues[job.queue]

        def by_job(left: Job, right: Job) -> int:
            return int(session.job_before(left, right)) - int(session.job_before(right, left))

        def by_queue(left: Job, right: Job) -> int:
            if left.queue == right.queue:
                return 0
            one, other = session.queues[left.queue], session.queues[right.queue]
            first = session.victim_queue_before(one, other, mine)
            return int(session.victim_queue_before(other, one, mine)) - int(first)

        return in_order(bundles, need, by_job if self.action == "gangpreempt" else by_queue)

    # -- whether it fits -----------------------------------------------------------------------------

    def _plan(self, job: Job, queue: Queue, need: Resource, name: str) -> _Plan | None:
        """Add bundle after bundle until the gang fits; None if it never does."""
        nodes, rows = self.session.nodes, self.session.hyper_nodes.by_name[name].rows
        if not len(rows):
            return None
        room = nodes.as_resource((nodes.idle[rows] + nodes.releasing[rows]).sum(axis=0))
        victims: list[Task] = []
        for bundle in self._bundles(job, need, name):
            victims += bundle.tasks
            if need.fits_in(total(task.request for task in victims).add(room)):
                plan = self._placed(job, queue, name, victims)
                if plan is not None:
                    return plan
        return None

    def _placed(self, job: Job, queue: Queue, name: str, victims: Sequence[Task]) -> _Plan | None:
        """Try the gang in a hyper node without the victims, and take that back."""
        session, evicted = self.session, Statement(self.session)
        was_ready = session.job_ready(job)
        for victim in victims:
            evicted.evict(victim, self.action)
        done, tries, parts = [evicted], list[Try](), dict[str, str]()
        sheet, fits = self._sheet(job), False
        while sheet.parts:
            part = sheet.parts.pop()
            where, placed = self._part(job, queue, part, sheet.tasks[part.uid], name, tries)
            if placed is None:
                fits = False
                break
            done.append(placed)
            parts[part.uid] = where
            fits = session.job_pipelined(job)
            if was_ready or fits:
                break
        saved = [one for statement in done for one in statement.save()]
        for statement in reversed(done):
            statement.discard()
        return _Plan(list(victims), saved, tries, parts) if fits else None

    def _part(
        self, job: Job, queue: Queue, part: SubJob, tasks: Waiting, root: str, tries: list[Try]
    ) -> tuple[str, Statement | None]:
        """Promise nodes to a part's tasks in the first hyper node that will do."""
        tiers = gradients(self.session, part, root, evicting=True) if job.has_hard_topology else [[root]]
        for name in (name for tier in tiers for name in tier):
            statement = Statement(self.session)
            tried = self._promise(queue, tasks.copy(), name, statement)
            enough = part_ready(self.session, job, part) or part_pipelined(self.session, job, part)
            if tried and enough:
                tries += tried
                return name, statement
            statement.discard()
        return "", None

    def _promise(self, queue: Queue, tasks: Waiting, name: str, statement: Statement) -> list[Try] | None:
        """Promise a node to every task; None where one of them finds none."""
        session, rows = self.session, self.session.hyper_nodes.by_name[name].rows
        search, tried = Search(session, remembering=self._remembering), list[Try]()
        while tasks:
            task = tasks.pop()
            if not session.allocatable(queue, task):
                return None
            left = rows[np.isin(rows, without_unresolvable(session, task))]
            if not len(left) or session.pre_predicate(task) is not None:
                return None
            fitting, _ = search.fitting(task, left, self._refusals)
            node = self._best(task, fitting)
            if node is None or not statement.pipeline(task, node, evicting=True):
                return None
            tried.append(Try(task, "pipelined", session.nodes.names[node]))
        return tried

    def _refusals(self, task: Task, rows: Rows) -> dict[int, Refusals]:
        nodes = self.session.nodes
        roomy = nodes.fits(task.request, rows, future=True)
        left = rows[roomy]
        refused = refused_for_good(self.session, task, left) if len(left) else {}
        return nodes.lacking(task.request, rows[~roomy]) | refused

    def _best(self, task: Task, fitting: Rows) -> int | None:
        """Return the best node with idle room, or else the best of those that will have it."""
        idle = self.session.nodes.fits(task.request, fitting, future=False)
        for rows in (fitting[idle], fitting[~idle]):
            node, _ = best_node(self.session, task, rows)
            if node is not None:
                return node
        return None
