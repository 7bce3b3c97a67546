"""The life of one pod group in a run of sessions: every decision about it, and its pods at the end."""

from collections.abc import Collection, Iterable
from typing import Any

import msgspec
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from dashboard.errors import NoSuchDecision, NotYet
from dashboard.kinds.kube.plugin_words import OUTCOMES
from dashboard.kinds.volcano.queries.group_lives import group_history
from dashboard.kinds.volcano.shapes import GroupEvent
from dashboard.models import Run
from dashboard.natural_order import natural_key
from dashboard.queries import access
from dashboard.queries.replay import state_at
from dashboard.views.tables import export, plain_columns
from scheduler_core.events.state import GROUPS, QUEUES, RunState
from scheduler_core.schedulers.unasked import why_ignored
from scheduler_core.volcano.cache.tables import GroupRow

PODS_SHOWN = 200
COMPLETED = "Completed"
COLUMNS = plain_columns("seq", "session", "action", "what", "outcome", "pod", "node", "message")


class LifeRow(GroupEvent):
    """An entry of a life as the page has it, with its outcome in words.

    Equal neighbours are one: `last` is the last of them, `times` how many they are.
    """

    word: str
    last: GroupEvent
    times: int


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


def life_rows(events: Iterable[GroupEvent]) -> list[LifeRow]:
    """The entries of a life as the page has them: equal neighbours as one."""
    rows: list[LifeRow] = []
    for event in events:
        if rows and _is_same(rows[-1]["last"], event):
            rows[-1]["last"] = event
            rows[-1]["times"] += 1
        else:
            rows.append({**event, "word": _word(event), "last": event, "times": 1})
    return rows


def _is_same(one: GroupEvent, other: GroupEvent) -> bool:
    """Tell whether entries say the same, but for when."""
    return {**one, "seq": 0, "session": 0} == {**other, "seq": 0, "session": 0}


def _word(event: GroupEvent) -> str:
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
