"""The life of one pod, and of one node, in a run: every decision that concerned it, in order."""

from typing import Any

import msgspec
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from dashboard.errors import NoSuchDecision, NotYet
from dashboard.kinds.cards import slot_resources
from dashboard.models import DecisionIndex, Run
from dashboard.natural_order import natural_key
from dashboard.pod_names import pod_name
from dashboard.queries import access
from dashboard.queries.lives import pod_history
from dashboard.queries.log import Filters, read_decisions
from dashboard.queries.passed_over import first_of_task
from dashboard.queries.replay import state_at
from dashboard.shapes.lives import PodEvent
from dashboard.views.tables import export, plain_columns
from scheduler_core.events.state import NODE_PODS, NodeRow, PodRow, RunState
from scheduler_core.schedulers.unasked import why_unasked

DECISIONS_SHOWN = 500
SIBLINGS_SHOWN = 50
COLUMNS = plain_columns("seq", "what", "outcome", "node", "by", "attempt", "message")


@require_safe
def pod(request: HttpRequest, pk: int, uid: str) -> HttpResponse:
    """A pod's attempts, nominations, evictions and by whom, and where it is at the end."""
    run = access.get_run_or_404(request.user, pk)
    events = pod_history(run, uid)
    file = export(events, COLUMNS, request.GET.get("format", ""), f"run-{pk}-{uid}")
    if file is not None:
        return file
    state = _last_state(run)
    last = _row(state, uid)
    name = _name(run, last, bool(events), uid)
    if name is None:
        raise Http404
    named = [{**event, "other_name": _other_name(run, state, event)} for event in events]
    sentence = pod_sentence(last, events)
    context = {
        "run": run,
        "uid": uid,
        "replaces": next((event for event in named if event["what"] == "created" and event["other"]), None),
        "replaced": next((event for event in named if event["what"] == "replaced"), None),
        "name": name,
        "pod": last,
        "events": named,
        "group": last.group if last else "",
        "sentence": sentence,
        "first": first_of_task(run, uid, sentence.get("message")),
        "unasked": why_unasked(last, state.tables) if state and last else "",
        "siblings": _siblings(state, last),
    }
    return render(request, "runs/pod.html", context)


@require_safe
def node(request: HttpRequest, pk: int, name: str) -> HttpResponse:
    """What was placed on a node and evicted from it, and what it holds at the end."""
    run = access.get_run_or_404(request.user, pk)
    lines = read_decisions(run, filters=Filters(node=name), limit=DECISIONS_SHOWN)
    decisions = [msgspec.json.decode(line) for line in lines]
    rows = [_node_row(decision) for decision in decisions]
    file = export(rows, COLUMNS, request.GET.get("format", ""), f"run-{pk}-{name}")
    if file is not None:
        return file
    state = _last_state(run)
    node = next((known for known in state.nodes() if known.name == name), None) if state else None
    if node is None and not rows:
        raise Http404
    context: dict[str, Any] = {"run": run, "name": name, "node": node, "rows": rows, "cut": DECISIONS_SHOWN}
    if state and node:
        pods = {known.uid: known for known in state.pods()}
        held = [pods[uid] for uid in state.members(NODE_PODS, name)]
        context["held"] = sorted(held, key=lambda pod: (-pod.priority, pod.namespace, natural_key(pod.name)))
        slots = slot_resources(run)
        filled = _filled(node, held)
        context["resources"] = [row for row in filled if row[0] not in slots]
        context["slots"] = [row for row in filled if row[0] in slots]
    return render(request, "runs/node.html", context)


def pod_sentence(pod: PodRow | None, events: list[PodEvent]) -> dict[str, Any]:
    """How the pod's story ends, in the words of the page: `end` is one of its states, with what it needs."""
    evicted = next((event for event in reversed(events) if event["what"] == "evicted"), None)
    if evicted and (pod is None or pod.terminating):
        end = "evicted" if pod is None else "terminating"
        return {"end": end, "node": evicted["node"], "by": evicted["by"], "seq": evicted["seq"]}
    if pod is None:
        return {"end": "gone"}
    if pod.node:
        refused = next((event for event in events if event["what"] == "refused"), None)
        return {"end": "placed", "node": pod.node, "refused": refused}
    last = next((event for event in reversed(events) if event["message"]), None)
    if pod.nominated:
        return {"end": "nominated", "node": pod.nominated}
    return {"end": "pending", "message": last and last["message"], "seq": last and last["seq"]}


def _node_row(decision: dict[str, Any]) -> dict[str, Any]:
    victims = (decision.get("preemption") or decision).get("victims") or []
    pod = decision["pod"] or {}
    return {
        "seq": decision["seq"],
        "what": decision["kind"],
        "pod": f"{pod['namespace']}/{pod['name']}" if pod else "",
        "uid": pod.get("uid", ""),
        "priority": pod.get("priority"),
        "outcome": decision["outcome"],
        "victims": [{"pod": f"{one['namespace']}/{one['name']}", "uid": one["uid"]} for one in victims],
        "message": decision.get("message"),
        "attempt": decision.get("attempt"),
    }


def _filled(node: NodeRow, held: list[PodRow]) -> list[tuple[str, int, int]]:
    """Requested and allocatable of each of the node's resources, pods included."""
    rows = [
        (resource, sum(pod.requests.get(resource, 0) for pod in held), amount)
        for resource, amount in node.allocatable.items()
        if amount
    ]
    return [*rows, ("pods", len(held), node.pod_limit)]


def _last_state(run: Run) -> RunState | None:
    try:
        return state_at(run, run.decisions)
    except (NotYet, NoSuchDecision):
        return None


def _row(state: RunState | None, uid: str) -> PodRow | None:
    return next((pod for pod in state.pods() if pod.uid == uid), None) if state else None


def _name(run: Run, pod: PodRow | None, is_known: bool, uid: str) -> str | None:
    """Return what a pod is called; None of one that is gone, unless it is known that it was there."""
    if pod:
        return pod_name(pod)
    row = DecisionIndex.objects.filter(run=run, pod_uid=uid).first()
    if row:
        return f"{row.namespace}/{row.pod_name}"
    return _name_at_start(run, uid) if is_known else None


def _other_name(run: Run, state: RunState | None, event: PodEvent) -> str | None:
    """Return what the other pod of an event is called; None where there is none."""
    other = event["other"]
    if not other:
        return None
    return event["by"] or _name(run, _row(state, other), True, other)


def _name_at_start(run: Run, uid: str) -> str | None:
    pod = _row(state_at(run, 0), uid)
    return pod_name(pod) if pod else uid


def _siblings(state: RunState | None, pod: PodRow | None) -> list[PodRow]:
    """The other pods of the same workload by name, at most SIBLINGS_SHOWN."""
    if state is None or pod is None or not pod.workload:
        return []
    others = [other for other in state.pods() if other.workload == pod.workload and other.uid != pod.uid]
    return sorted(others, key=lambda other: natural_key(other.name))[:SIBLINGS_SHOWN]
