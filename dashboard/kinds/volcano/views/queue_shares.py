"""The queues of a snapshot with what they hold and deserve: a part of the page of queues."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from dashboard.kinds.volcano.services.queue_shares import QueueLine, Shares, figures_of, is_cut, why_none
from dashboard.queries import access
from dashboard.services.workspace.why_pending import asked, end
from dashboard.views.snapshots import ready_or_404
from dashboard.views.tables import export, plain_columns

PATIENCE_SECONDS = 1.5
LISTED = 8
"""Of more than twelve queues so many are listed; the others are folded."""
FOLDED_FROM = 12
_AS_SAID = ("weight", "guarantee", "capability", "deserved", "held", "share")


class Bar(NamedTuple):
    """Where the parts of a queue's bar lie, in percent of its width; None where there is none.

    track: how far it goes: to the queue's capability, else to the end of what the cluster has.
    """

    fill: float
    over: float
    deserved: float | None
    guarantee: float | None
    track: float
    is_capped: bool
    promised: float = 0

    @property
    def promised_at(self) -> float:
        """Where what is promised begins: behind what is held."""
        return round(self.fill + self.over, 2)


COLUMNS = [
    *plain_columns("queue", "weight", "resource", "guarantee", "capability", "deserved", "held", "share"),
    *plain_columns("jobs_waiting", "asked"),
]


@require_safe
def shares(request: HttpRequest, pk: int) -> HttpResponse:
    """The queues in one resource, which the address names; until they are known, that they are computed.

    A file has all resources, with amounts in the log's units: milli-CPU, bytes, whole devices.
    """
    found = ready_or_404(request, pk)
    asking = asked(found, PATIENCE_SECONDS, longer="longer" in request.GET)
    rows = figures_of(asking)
    context: dict[str, Any] = {"snapshot": found, "asking": asking, "rows": rows}
    if rows is not None:
        told = Shares(rows, found)
        file = export(_plain(told), COLUMNS, request.GET.get("format", ""), f"{found.name}-queues")
        if file is not None:
            return file
        context |= {"why_none": why_none(asking, rows), "is_cut": is_cut(asking), **_told(request, told)}
    return render(request, "kinds/volcano/snapshots/queue_shares.html", context)


@require_POST
def end_asking(request: HttpRequest, pk: int) -> HttpResponse:
    """Let what is being asked of a cluster end, and show its queues again."""
    access.require_operator(request.user)
    end(access.get_snapshot_or_404(request.user, pk, even_away=True))
    return redirect("snapshot-volcano", pk, "queues")


def _plain(told: Shares) -> list[dict[str, Any]]:
    return [
        {
            "queue": line.name,
            "resource": resource,
            "jobs_waiting": line.waiting,
            "asked": line.wants,
            **{name: getattr(line, name) for name in _AS_SAID},
        }
        for resource in told.resources
        for line in told.lines(resource)
    ]


def _told(request: HttpRequest, told: Shares) -> dict[str, Any]:
    asked = request.GET.get("resource", "")
    chosen = asked if asked in told.resources else next(iter(told.resources), "cpu")
    lines, whole = told.lines(chosen), told.whole.get(chosen, 0)
    scale = scale_of(lines, whole)
    drawn = [(line, bar_of(line, scale, whole)) for line in lines]
    cut = LISTED if len(drawn) > FOLDED_FROM else len(drawn)
    return {
        "resources": told.resources,
        "resource": chosen,
        "lines": drawn[:cut],
        "others": drawn[cut:],
        "lead": told.lead(chosen),
        "whole": whole,
        "is_shared": told.is_shared,
    }


def scale_of(lines: list[QueueLine], whole: float) -> float:
    """Return what the width of bars stands for, so that all parts of all lines have room."""
    return max([whole, *map(_longest, lines)]) or 1


def _longest(line: QueueLine) -> float:
    return max((line.held or 0) + line.promised, line.deserved or 0, line.guarantee or 0)


def bar_of(line: QueueLine, scale: float, whole: float) -> Bar:
    """Return the parts of a queue's bar on a scale that all share; `whole` is what the cluster has."""

    def at(number: float) -> float:
        return round(min(100.0, 100 * number / scale), 2)

    within = (line.held or 0) - line.over
    return Bar(
        at(within),
        at(line.over),
        None if line.deserved is None else at(line.deserved),
        None if line.guarantee is None else at(line.guarantee),
        at(whole if line.capability is None else line.capability),
        line.capability is not None,
        at(line.promised),
    )
