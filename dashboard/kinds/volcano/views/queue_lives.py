"""The life of a queue in a run of sessions: what each session left it with, and its pod groups at the end."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from dashboard.amounts import is_bytes
from dashboard.answers.jobs_waiting import whys_by_group
from dashboard.kinds.volcano.queries.queue_lanes import Lanes, lanes_of
from dashboard.kinds.volcano.queries.queue_lives import queue_history
from dashboard.kinds.volcano.queue_words import lead
from dashboard.kinds.volcano.services.queue_shares import NOT_SHARED, QueueLine, line_of
from dashboard.kinds.volcano.shapes import QueueSession
from dashboard.kinds.volcano.views.group_lives import last_state
from dashboard.kinds.volcano.views.queue_lanes import picture_of
from dashboard.kinds.volcano.views.queue_shares import Bar, bar_of, scale_of
from dashboard.natural_order import natural_key
from dashboard.queries import access
from dashboard.views.tables import Column, export
from scheduler_core.events.sessions import Figures
from scheduler_core.events.state import GROUPS, QUEUES, RunState
from scheduler_core.volcano.cache.tables import QueueRow

WHOLE = ("cpu", "pods")
FIGURES = ("guarantee", "deserved", "allocated", "request", "inqueue", "capability")
GROUPS_SHOWN = 200
GIVEN_SHOWN = 50


def _column(name: str) -> Column:
    return Column(name, name, lambda row: _plain(row[name]))


COLUMNS = [
    *map(_column, ("session", "until", "seq", "deserved", "allocated", "share", "entered", "rejected")),
    *map(_column, ("committed", "kept", "discarded", "bound", "overused", "gave", "took")),
]


@require_safe
def queue(request: HttpRequest, pk: int, name: str) -> HttpResponse:
    """What each session left a queue with, what it gave up and took, and its pod groups at the end."""
    run = access.get_run_or_404(request.user, pk)
    state = last_state(run)
    row = state.tables.get(QUEUES, {}).get(name) if state else None
    history = queue_history(run, name) if state else []
    if row is None and not any(entry["deserved"] for entry in history):
        raise Http404
    file = export(history, COLUMNS, request.GET.get("format", ""), f"run-{pk}-queue-{name}")
    if file is not None:
        return file
    lanes = lanes_of(run)
    groups = _groups_of(state.tables.get(GROUPS, {}) if state else {}, name)
    whys = whys_by_group(run.outcome) if run.outcome else {}
    told = [(key, group, whys.get(key)) for key, group in groups[:GROUPS_SHOWN]]
    resources = _resources(row, history)
    asked = request.GET.get("resource", "")
    resource = asked if asked in resources else _telling(resources)
    context = {
        "lead": lead(row, dict(groups).values(), history, resource, _others(state, name)) if row else None,
        "run": run,
        "name": name,
        "queue": row,
        "resource": resource,
        "resources": resources,
        "rows": [_in_resource(entry, resource) for entry in history],
        **_figures(row or {}, resources),
        "bars": _bars(state, row, resources) if state and row else [],
        **_over_time(lanes, name, state, resource),
        "groups": told,
        "has_messages": any(said or group["message"] for _, group, said in told),
        "all_groups": len(groups),
    }
    return render(request, "kinds/volcano/queue.html", context)


def _others(state: RunState | None, name: str) -> dict[str, Any]:
    """Return the other queues that have none below them."""
    rows = state.tables.get(QUEUES, {}) if state else {}
    above = {row["parent"] for row in rows.values()}
    return {other: row for other, row in rows.items() if other != name and other not in above}


def _figures(row: dict[str, Any], resources: list[str]) -> dict[str, Any]:
    """The queue's figures by resource as rows; what it has nothing of is left out."""
    limits = {**row, "capability": own_limits(row.get("capability") or {})}
    names = [figure for figure in FIGURES if any(one in (limits.get(figure) or {}) for one in resources)]
    rows = [(one, [_amount(limits.get(figure), one) for figure in names]) for one in resources]
    return {"figures": [row for row in rows if any(row[1])], "figure_names": names}


def _bars(state: RunState, row: dict[str, Any], resources: list[str]) -> list[tuple[str, QueueLine, Bar]]:
    """Return a bar of what the queue has of each resource, beside what the nodes have."""
    queue, whole = msgspec.convert(row, QueueRow), Counter[str]()
    for node in state.nodes():
        whole.update(node.allocatable)
    lines = [(one, line_of(queue, {}, one)) for one in resources if one not in NOT_SHARED]
    return [
        (one, line, bar_of(line, scale_of([line], whole[one]), whole[one]))
        for one, line in lines
        if line.held or line.promised or line.deserved or line.guarantee
    ]


def _over_time(lanes: Lanes, name: str, state: RunState | None, resource: str) -> dict[str, Any]:
    """Return the picture of all queues over the run, and what they took from each other."""
    rows = state.tables.get(QUEUES, {}) if state else {}
    parents = {queue: row["parent"] for queue, row in rows.items()}
    last = max((points[-1].session for points in lanes.queues.values()), default=0)
    given = [(one, one.asked.get(resource, 0)) for one in lanes.taken]
    return {
        "picture": picture_of(lanes, name, parents, last, resource),
        "given": given[:GIVEN_SHOWN],
        "more_given": max(0, len(given) - GIVEN_SHOWN),
        "given_pods": sum(one.pods for one, _ in given),
        "given_amount": sum(number for _, number in given),
    }


def own_limits(capability: Figures) -> Figures:
    """A capability without what it doesn't limit: cpu and memory of 0 are those that it doesn't name.

    Source: volcano v1.16 pkg/scheduler/plugins/proportion/proportion.go, capacity/capacity.go newQueueAttr.
    """
    return {name: number for name, number in capability.items() if number or name not in ("cpu", "memory")}


def _groups_of(groups: dict[str, dict[str, Any]], queue: str) -> list[tuple[str, dict[str, Any]]]:
    found = [(key, row) for key, row in groups.items() if row["queue"] == queue]
    return sorted(found, key=lambda one: natural_key(one[0]))


def _resources(row: dict[str, Any] | None, history: Iterable[QueueSession]) -> list[str]:
    """The resources of which the queue has or deserves any, those of every cluster first."""
    figures = [column or {} for entry in history for column in (entry["deserved"], entry["allocated"])]
    figures += [row.get(name) or {} for name in FIGURES] if row else []
    named = {name for column in figures for name, number in column.items() if number or number is None}
    return [name for name in ("cpu", "memory", "pods") if name in named] + sorted(
        named - {"cpu", "memory", "pods"}
    )


def _telling(resources: list[str]) -> str:
    """The resource that is shown unless another is asked for: a device if there is any, else the first."""
    return next((name for name in resources if "/" in name), resources[0] if resources else "cpu")


def _in_resource(entry: QueueSession, resource: str) -> dict[str, Any]:
    deserved, allocated = (_amount(column, resource) for column in (entry["deserved"], entry["allocated"]))
    return {**entry, "deserved": deserved, "allocated": allocated}


def _amount(figures: Mapping[str, float | None] | None, resource: str) -> str | float | None:
    """An amount in the page's units; "no limit" for null, None where it isn't known."""
    if figures is None or resource not in figures:
        return None
    number = figures[resource]
    if number is None:
        return "no limit"
    return int(number) if resource in WHOLE or is_bytes(resource) else number / 1000


def _plain(value: Any) -> Any:
    return json.dumps(value) if isinstance(value, dict) else value
