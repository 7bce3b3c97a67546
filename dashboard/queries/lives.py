"""A pod's whole life in a run: attempts, nominations won and lost, evictions and by whom, copies.

Decisions about the pod come from the index; those that change it for another's sake are found by its uid
in the recorded text of the decisions that preempt or evict, before anything is decoded.
"""

from collections.abc import Iterator

from dashboard.models import DecisionIndex, Driver, Run
from dashboard.pod_names import pod_name
from dashboard.queries.log import Filters, decisions_at
from dashboard.queries.replay import base_state
from dashboard.shapes.lives import PodEvent
from scheduler_core.events.changes import Change, Leave, Vanish
from scheduler_core.events.decisions import Attempt, Completion, Decision, Eviction, decision_decoder
from scheduler_core.events.effects import Arrived, Evicted, Left, Nominated, Placed, effects
from scheduler_core.events.sessions import Gang, Placement, SessionClosed
from scheduler_core.events.state import NODE_PODS, TASKS

CHANGE_NOBODY_ELSE = {
    "attempt": ["scheduled", "unschedulable", "gated", "error"],
    "eviction": ["refused", "skipped"],
    "placement": ["allocated", "pipelined", "refused", "skipped"],
    "enqueue": ["entered", "rejected"],
    "overused": ["overused"],
    "hyper_nodes": ["chosen", "nowhere"],
    "session": ["opened"],
}
"""Decisions that concern their own pod alone where victims are gone at once, by kind and outcome."""


def pod_history(run: Run, pod: str) -> list[PodEvent]:
    """Return what happened to a pod (`namespace/name` or uid), in order."""
    uids = _uids(run, pod)
    index = DecisionIndex.objects.filter(run=run)
    own = set(index.filter(Filters(pod=pod).condition()).values_list("seq", flat=True))
    graceful = run.driver in (Driver.GRACE, Driver.TIMED)
    others = index
    if not graceful:
        for kind, outcomes in CHANGE_NOBODY_ELSE.items():
            others = others.exclude(kind=kind, outcome__in=outcomes)
    numbers = sorted(own | set(others.values_list("seq", flat=True)))
    marks = [f'"{uid}"'.encode() for uid in uids]
    events: list[PodEvent] = []
    for line in decisions_at(run, numbers):
        if any(mark in line for mark in marks):
            events.extend(_events(decision_decoder.decode(line), uids, graceful))
    return events


def _uids(run: Run, pod: str) -> set[str]:
    """Return the uids that go by this name; a uid stands for itself."""
    namespace, slash, name = pod.partition("/")
    uids = {pod}
    if slash:
        named = DecisionIndex.objects.filter(run=run, namespace=namespace, pod_name=name)
        uids.update(named.values_list("pod_uid", flat=True).distinct())
        uids.update(
            row.uid for row in base_state(run).pods() if (row.namespace, row.name) == (namespace, name)
        )
    return uids


def _events(decision: Decision, uids: set[str], graceful: bool) -> list[PodEvent]:
    events = []
    own = decision.pod
    by = pod_name(own) if own is not None else _by(decision)
    nodes = _nodes_left(decision.changes)
    happened = list(effects(decision.changes))
    evicted = {effect.pod for effect in happened if isinstance(effect, Evicted)}
    others = uids if own is None else uids - {own.uid}
    if own is not None and own.uid in uids:
        events.append(_own_event(decision, own.uid))
    events.extend(_in_session(decision, uids))
    for effect in happened:
        match effect:
            case Arrived(row) if row.uid in uids:
                events.append(_event(decision, row.uid, "created", other=row.replaces))
            case Arrived(row) if row.replaces in uids:
                by = pod_name(row)
                events.append(_event(decision, row.replaces, "replaced", by=by, other=row.uid))
            case Evicted(pod) if pod in others:
                events.append(_event(decision, pod, "evicted", node=nodes.get(pod), by=by))
            case Left(pod, row) if pod in others and (graceful or pod not in evicted):
                events.append(_event(decision, pod, "gone", node=row.node))
            case Nominated(pod, node, "") if pod in others:
                events.append(_event(decision, pod, "nomination lost", node=node, by=by))
    return events


def _by(decision: Decision) -> str:
    """Return for whom a decision about no single pod is taken: a job, else whoever takes it."""
    return decision.job if isinstance(decision, Gang) else decision.actor


def _in_session(decision: Decision, uids: set[str]) -> Iterator[PodEvent]:
    """Yield what a statement's end and a session's do to the pods."""
    if isinstance(decision, Gang):
        for effect in effects(decision.changes):
            if isinstance(effect, Placed) and effect.pod in uids:
                yield _event(decision, effect.pod, "bound", node=effect.node)
        if decision.outcome == "discarded":
            for change in decision.changes:
                if isinstance(change, Vanish) and change.table.startswith(TASKS) and change.id in uids:
                    node = change.row["node"] or None
                    yield _event(decision, change.id, "taken back", node=node, by=decision.job)
    elif isinstance(decision, SessionClosed):
        for told in decision.messages:
            if told.pod.uid in uids:
                node = told.nominated or None
                yield _event(decision, told.pod.uid, "told", node=node, message=told.message or told.reason)


def _nodes_left(changes: list[Change]) -> dict[str, str]:
    """Return the node from whose list each pod was taken: an evicted pod leaves it, if only for its end."""
    return {
        change.id: change.of for change in changes if isinstance(change, Leave) and change.list == NODE_PODS
    }


def _own_event(decision: Decision, uid: str) -> PodEvent:
    if isinstance(decision, Attempt):
        node = decision.chosen or decision.nominated_after or None
        return _event(
            decision, uid, "attempt",
            outcome=decision.outcome, node=node, message=decision.message, attempt=decision.attempt,
        )  # fmt: skip
    if isinstance(decision, Placement):
        return _event(
            decision, uid, "placement",
            outcome=decision.outcome, node=decision.node or None, message=decision.message or None,
        )  # fmt: skip
    if isinstance(decision, Eviction):
        return _event(decision, uid, decision.outcome, node=decision.node, message=decision.message)
    node = decision.node or None if isinstance(decision, Completion) else None
    return _event(decision, uid, decision.outcome, node=node)


def _event(
    decision: Decision,
    uid: str,
    what: str,
    *,
    outcome: str | None = None,
    node: str | None = None,
    by: str | None = None,
    message: str | None = None,
    attempt: int | None = None,
    other: str | None = None,
) -> PodEvent:
    return {
        "seq": decision.seq, "uid": uid, "what": what, "outcome": outcome, "node": node, "by": by,
        "message": message, "attempt": attempt, "other": other,
    }  # fmt: skip
