"""From a session's steps to the events that the log holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, Protocol

from scheduler_core.events.changes import Change
from scheduler_core.events.decided import PodRef, Victim
from scheduler_core.events.sessions import (
    Enqueueing,
    Gang,
    GroupStatus,
    HyperNodeSearch,
    HyperNodeTried,
    InvalidJob,
    Opinion,
    Placement,
    PodMessage,
    QueueOverused,
    Reason,
    SessionClosed,
    SessionDecision,
    SessionOpened,
)
from scheduler_core.go.heap import PriorityQueue
from scheduler_core.schedulers.actor import Stamp
from scheduler_core.volcano.cache.scheduler_cache import VolcanoCluster
from scheduler_core.volcano.cache.session_figures import job_shares
from scheduler_core.volcano.cache.tables import GroupRow
from scheduler_core.volcano.configuration.scheduler_conf import Configuration
from scheduler_core.volcano.framework.session import Session
from scheduler_core.volcano.framework.steps import (
    Closed,
    Dropped,
    Enqueue,
    Opened,
    Searched,
    Settled,
    Step,
    Try,
)
from scheduler_core.volcano.framework.victims import Votes
from scheduler_core.volcano.model.tasks import Task, TaskStatus
from scheduler_core.volcano.reporting.refusals import refusals, sums_of

_IN_THE_LOG = 100
_DIGITS = 6


class Teller(Protocol):
    """Who tells: a scheduler in a session."""

    name: str
    cluster: VolcanoCluster
    session: Session | None
    configuration: Configuration

    @property
    def number(self) -> int: ...

    @property
    def action(self) -> str: ...


def tell(teller: Teller, step: Step, stamp: Stamp, changes: list[Change]) -> SessionDecision:
    """Return the event of a step."""
    session = teller.session
    assert session is not None
    common: dict[str, Any] = {
        "seq": stamp.seq,
        "time": stamp.time,
        "actor": teller.name,
        "cause": stamp.cause,
        "changes": changes,
        "session": teller.number,
    }
    match step:
        case Opened():
            return _opened(session, list(teller.configuration.actions), common)
        case Closed():
            return _closed(session, teller.cluster.groups.rows, step, common)
    common["action"] = teller.action
    match step:
        case Enqueue(job, entered):
            refusing = [] if entered else list(refusals(session, job))
            common["outcome"] = "entered" if entered else "rejected"
            lacking, sums = [name for name, _ in refusing], sums_of(session, job, refusing)
            return Enqueueing(job=job.uid, queue=job.queue, lacking=lacking, sums=sums, **common)
        case Dropped(queue):
            return QueueOverused(queue=queue.name, **common)
        case Try():
            return _placement(session, step, common)
        case Searched():
            return _search(step, common)
        case Settled():
            return _gang(step, common)
    raise TypeError(step)


def ref(task: Task) -> PodRef:
    """Return how events name a pod."""
    return PodRef(task.uid, task.namespace, task.name, task.pod.spec.priority or 0)


def _opened(session: Session, actions: list[str], common: dict[str, Any]) -> SessionOpened:
    jobs = list(session.jobs.values())
    names = sorted({job.queue for job in jobs})
    queues = PriorityQueue(session.queue_before, (session.queues[name] for name in names))
    order: dict[str, list[str]] = {}
    deciders: dict[str, list[str]] = {}
    for name in names:
        of_queue = PriorityQueue(session.job_before, (job for job in jobs if job.queue == name))
        ordered = [of_queue.pop() for _ in range(len(of_queue))]
        order[name] = [job.uid for job in ordered]
        deciders[name] = [session.job_decider(*pair) for pair in pairwise(ordered)]
    invalid = ((job.uid, session.job_valid(job)) for job in jobs)
    return SessionOpened(
        actions=actions,
        queues=[queues.pop().name for _ in range(len(queues))],
        jobs=order,
        deciders=deciders,
        invalid=[InvalidJob(uid, *why) for uid, why in sorted(invalid) if why is not None],
        shares=job_shares(session),
        **common,
    )


def _search(step: Searched, common: dict[str, Any]) -> HyperNodeSearch:
    tries = [
        HyperNodeTried(
            one.hyper_node,
            one.outcome,
            one.placed,
            None if one.score is None else round(one.score, _DIGITS),
            dict(sorted(one.parts.items())),
        )
        for one in step.tries
    ]
    return HyperNodeSearch(
        job=step.job.uid,
        queue=step.job.queue,
        outcome="chosen" if step.chosen else "nowhere",
        tries=tries,
        best=step.best,
        hyper_node=step.chosen,
        **common,
    )


def _placement(session: Session, step: Try, common: dict[str, Any]) -> Placement:
    task, job, choice = step.task, session.jobs[step.task.job], step.choice
    names = session.nodes.names
    refused = step.errors.nodes if step.errors is not None else {}
    reasons = Counter(", ".join(one.reason for one in why) for why in refused.values())
    best = sorted(names[row] for row in choice.best.tolist()) if choice is not None else []
    visited = len(names) if step.looked_at is None else step.looked_at
    if step.errors is None or step.why == "role":
        visited = 0
    return Placement(
        pod=ref(task),
        job=job.uid,
        queue=job.queue,
        role=task.role,
        outcome="allocated" if step.outcome == "bound" else step.outcome,
        node=step.node,
        why=step.why,
        message=step.errors.text() if step.errors is not None and not step.node else "",
        nodes=visited,
        feasible=visited - len(refused),
        reasons=[Reason(reason, count) for reason, count in sorted(reasons.items())],
        best=best[:_IN_THE_LOG],
        best_count=len(best),
        total=round(float(choice.scores.max()), _DIGITS) if choice is not None else None,
        victims=[_victim(victim) for victim in step.victims],
        tiers=_tiers(step.asked),
        **common,
    )


def _victim(task: Task) -> Victim:
    started = task.pod.status.start_time
    named = ref(task)
    return Victim(named.uid, named.namespace, named.name, named.priority, started, violates_budget=False)


def _tiers(asked: Votes | None) -> list[list[Opinion]]:
    if asked is None:
        return []
    return [
        [
            Opinion(
                one.plugin,
                [task.uid for task in one.chosen[:_IN_THE_LOG]],
                [task.uid for task in one.victims[:_IN_THE_LOG]],
                [task.uid for task in one.or_else[:_IN_THE_LOG]],
            )
            for one in tier
        ]
        for tier in asked.tiers
    ]


def _gang(step: Settled, common: dict[str, Any]) -> Gang:
    job = step.job
    by_status: dict[TaskStatus, list[PodRef]] = {}
    for task in step.tasks:
        by_status.setdefault(task.status, []).append(ref(task))
    committed = step.outcome == "committed"
    return Gang(
        job=job.uid,
        queue=job.queue,
        outcome=step.outcome,
        bound=by_status.get(TaskStatus.BINDING, []) if committed else [],
        evicted=by_status.get(TaskStatus.RELEASING, []) if committed else [],
        pipelined=by_status.get(TaskStatus.PIPELINED, []),
        ready=job.ready,
        waiting=job.waiting,
        min_available=job.min_available,
        pods=len(job.tasks),
        **common,
    )


def _closed(
    session: Session, rows: Mapping[str, GroupRow], step: Closed, common: dict[str, Any]
) -> SessionClosed:
    groups = [
        GroupStatus(uid, rows[uid].phase, rows[uid].reason, rows[uid].message)
        for uid in sorted(session.jobs)
        if uid in rows
    ]
    writes = sorted(step.writes, key=lambda write: write.task.key)
    return SessionClosed(
        groups=groups,
        outcome="active" if any(step.effects.values()) else "idle",
        messages=[PodMessage(ref(one.task), one.reason, one.message, one.nominated) for one in writes],
        shares=job_shares(session),
        bound=step.effects["bound"],
        evicted=step.effects["evicted"],
        **common,
    )
