"""The life of one pod group in a run of sessions: every decision about it, and its pods at the end."""

from collections.abc import Collection
from typing import Any

import msgspec
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from dashboard.errors import NoSuchDecision, NotYet
from dashboard.kinds.kube.plugin_words import OUTCOMES
from dashboard.kinds.volcano.queries.group_lives import group_history
from dashboard.models import Run
from dashboard.natural_order import natural_key
from dashboard.queries import access
from dashboard.queries.replay import state_at
from dashboard.views.tables import Column, export
from scheduler_core.events.state import GROUPS, QUEUES, RunState
from scheduler_core.schedulers.unasked import why_ignored
from scheduler_core.volcano.cache.tables import GroupRow

PODS_SHOWN = 200
COMPLETED = "Completed"
COLUMNS = [
    Column(name, name, lambda row, name=name: row.get(name))
    for name in ("seq", "session", "action", "what", "outcome", "pod", "node", "message")
]


@require_safe
def group(request: HttpRequest, pk: int, namespace: str, name: str) -> HttpResponse:
    """What each session decided about a pod group, and where its pods are at the end."""
    run = access.get_run_or_404(request.user, pk)
    key = f"{namespace}/{name}"
    events = group_history(run, key)
    file = export(events, COLUMNS, request.GET.get("format", ""), f"run-{pk}-{namespace}-{name}")
    if file is not None:
        return file
    state = last_state(run)
    row = state.tables.get(GROUPS, {}).get(key) if state else None
    if row is None and not events:
        raise Http404
    context = {
        "run": run,
        "name": key,
        "group": row and msgspec.convert(row, GroupRow),
        "queues": state.tables.get(QUEUES, {}) if state else {},
        "ignored": why_ignored(key, state.tables) if state and row and row["phase"] != COMPLETED else "",
        "rows": life_rows(events),
        **pods_at_end(state, [key]),
    }
    return render(request, "kinds/volcano/group.html", context)


def life_rows(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The entries of a life as the page has them: equal neighbours as one, each with its outcome in words.

    Each has `word`, `last`: the last of its entries, and `times`: how many they are.
    """
    rows: list[dict[str, Any]] = []
    for event in events:
        if rows and _is_same(rows[-1], event):
            rows[-1].update(last=event, times=rows[-1]["times"] + 1)
        else:
            rows.append({**event, "word": _word(event), "last": event, "times": 1})
    return rows


def _is_same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Tell whether entries say the same, but for when."""
    return all(one[name] == value for name, value in other.items() if name not in ("seq", "session"))


def _word(event: dict[str, Any]) -> str:
    """Return the outcome as the page words it; a close says the phase that it leaves."""
    words = OUTCOMES.get(event["what"], {}).get(event["outcome"])
    if words:
        return words.word
    return f"{event['outcome']} at the close" if event["what"] == "close" else str(event["outcome"])


def pods_at_end(state: RunState | None, groups: Collection[str]) -> dict[str, Any]:
    """What a life's page says of the pods of these groups that are there (`runs/life_pods.html`)."""
    there = [pod for pod in state.pods() if pod.group in groups] if state else []
    pods = sorted(there, key=lambda pod: natural_key(pod.name))
    return {
        "pods": pods[:PODS_SHOWN],
        "more_pods": max(0, len(pods) - PODS_SHOWN),
        "placed": sum(1 for pod in pods if pod.node),
        "all_pods": len(pods),
    }


def last_state(run: Run) -> RunState | None:
    """The state after the last decision; None where there is none yet."""
    try:
        return state_at(run, run.decisions)
    except (NotYet, NoSuchDecision):
        return None
