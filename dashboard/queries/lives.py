"""A pod's whole life in a run: attempts, nominations won and lost, evictions and by whom, copies.

Decisions about the pod come from the index; those that change it for another's sake are found by its uid
in the recorded text of the decisions that preempt or evict, before anything is decoded.
"""

from typing import Any

from dashboard.models import DecisionIndex, Driver, Run
from dashboard.queries.log import Filters, decisions_at
from dashboard.queries.replay import base_state
from scheduler_core.events.decisions import (
    Bind,
    Create,
    Decision,
    Delete,
    Evict,
    Nominate,
    Terminate,
    decision_decoder,
)


def pod_history(run: Run, pod: str) -> list[dict[str, Any]]:
    """Return what happened to a pod (`namespace/name` or uid), in order.

    Each entry: {"seq", "uid", "what": "attempt" | "evicted" | "gone" | "refused" | "skipped" |
    "nomination lost" | "created", "outcome", "node", "by", "message", "attempt"}, with null where nothing
    applies. `gone` is said of pods that were evicted with a grace period.
    """
    uids = _uids(run, pod)
    index = DecisionIndex.objects.filter(run=run)
    own = set(index.filter(Filters(pod=pod).condition()).values_list("seq", flat=True))
    graceful = run.driver == Driver.GRACE
    others = index if graceful else index.filter(outcome__in=["nominated", "evicted"])
    numbers = sorted(own | set(others.values_list("seq", flat=True)))
    marks = [f'"{uid}"'.encode() for uid in uids]
    events: list[dict[str, Any]] = []
    for line in decisions_at(run, numbers):
        if any(mark in line for mark in marks):
            events.extend(_events(decision_decoder.decode(line), uids))
    return events


def _uids(run: Run, pod: str) -> set[str]:
    """Return the uids that go by this name; a uid stands for itself."""
    namespace, slash, name = pod.partition("/")
    uids = {pod}
    if slash:
        named = DecisionIndex.objects.filter(run=run, namespace=namespace, pod_name=name)
        uids.update(named.values_list("pod_uid", flat=True).distinct())
        uids.update(
            card.uid for card in base_state(run).pods if (card.namespace, card.name) == (namespace, name)
        )
    return uids


def _events(decision: Decision, uids: set[str]) -> list[dict[str, Any]]:
    events = []
    by = f"{decision.pod.namespace}/{decision.pod.name}"
    if decision.pod.uid in uids:
        events.append(_own_event(decision))
    for change in decision.changes:
        if isinstance(change, Create) and change.pod.uid in uids:
            events.append(_event(decision, change.pod.uid, "created"))
        elif isinstance(change, Create | Bind) or change.pod not in uids or change.pod == decision.pod.uid:
            continue
        elif isinstance(change, Delete):
            events.append(_event(decision, change.pod, "gone", node=change.node))
        elif isinstance(change, Evict | Terminate):
            events.append(_event(decision, change.pod, "evicted", node=change.node, by=by))
        elif isinstance(change, Nominate) and not change.new:
            events.append(_event(decision, change.pod, "nomination lost", node=change.old, by=by))
    return events


def _own_event(decision: Decision) -> dict[str, Any]:
    if hasattr(decision, "attempt"):
        node = decision.chosen or decision.nominated_after or None
        return _event(
            decision, decision.pod.uid, "attempt",
            outcome=decision.outcome, node=node, message=decision.message, attempt=decision.attempt,
        )  # fmt: skip
    return _event(decision, decision.pod.uid, decision.outcome, node=decision.node, message=decision.message)


def _event(decision: Decision, uid: str, what: str, **known: Any) -> dict[str, Any]:
    blank = {"outcome": None, "node": None, "by": None, "message": None, "attempt": None}
    return {"seq": decision.seq, "uid": uid, "what": what, **blank, **known}
