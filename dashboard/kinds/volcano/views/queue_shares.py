"""The queues of a snapshot with what they hold and deserve: a part of the page of queues."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from dashboard.kinds.volcano.queries.objects import objects_of
from dashboard.kinds.volcano.services.queue_figures import figures_of
from dashboard.kinds.volcano.services.queue_shares import QueueLine, lead, lines_of, resources_of, whole_of
from dashboard.models import Snapshot
from dashboard.models.volcano import WAITING_PHASES
from dashboard.services.workspace.why_pending import asked
from dashboard.views.snapshots import ready_or_404
from scheduler_core.volcano.api_kinds import VOLCANO_POD_GROUP
from scheduler_core.volcano.cache.tables import QueueRow

PATIENCE_SECONDS = 1.5
LISTED = 8
"""Of more than twelve queues so many are listed; the others are folded."""
FOLDED_FROM = 12


class Bar(NamedTuple):
    """Where the parts of a queue's bar lie, in percent of its width; None where there is none."""

    fill: float
    over: float
    deserved: float | None
    guarantee: float | None
    track: float
    is_capped: bool


@require_safe
def shares(request: HttpRequest, pk: int) -> HttpResponse:
    """The queues in one resource, which the address names; until they are known, that they are computed."""
    found = ready_or_404(request, pk)
    asking = asked(found, PATIENCE_SECONDS)
    rows = figures_of(asking)
    context: dict[str, Any] = {"snapshot": found, "asking": asking, "rows": rows}
    if rows:
        context |= _told(request, found, rows)
    return render(request, "kinds/volcano/snapshots/queue_shares.html", context)


def _told(request: HttpRequest, found: Snapshot, rows: dict[str, QueueRow]) -> dict[str, Any]:
    resources = resources_of(rows, found)
    asked = request.GET.get("resource", "")
    chosen = asked if asked in resources else next(iter(resources), "cpu")
    lines = lines_of(rows, _waiting(found), chosen)
    scale = _scale(lines, whole_of(found, chosen))
    told = [(line, bar_of(line, scale)) for line in lines]
    cut = LISTED if len(told) > FOLDED_FROM else len(told)
    return {
        "resources": resources,
        "resource": chosen,
        "lines": told[:cut],
        "others": told[cut:],
        "lead": lead(with_jobs(found, rows, lines), chosen),
        "whole": whole_of(found, chosen),
        "is_shared": any(row.deserved for row in rows.values()),
    }


def _waiting(snapshot: Snapshot) -> dict[str, int]:
    """Return how many pod groups of each queue wait for their minimum."""
    groups = objects_of(snapshot, VOLCANO_POD_GROUP).filter(phase__in=WAITING_PHASES).order_by()
    return dict(groups.values_list("queue").annotate(number=Count("pk")))


def with_jobs(snapshot: Snapshot, rows: dict[str, QueueRow], lines: list[QueueLine]) -> list[QueueLine]:
    """Return the queues without those whose figures are but the sums of their children's."""
    own = set(objects_of(snapshot, VOLCANO_POD_GROUP).order_by().values_list("queue", flat=True).distinct())
    sums = {row.parent for row in rows.values()} - own
    return [line for line in lines if line.name not in sums]


def _scale(lines: list[QueueLine], whole: float) -> float:
    return (
        max([whole, *(max(line.held or 0, line.deserved or 0, line.guarantee or 0) for line in lines)]) or 1
    )


def bar_of(line: QueueLine, scale: float) -> Bar:
    """Return the parts of a queue's bar on a scale that all share."""

    def at(number: float) -> float:
        return round(min(100.0, 100 * number / scale), 2)

    within = (line.held or 0) - line.over
    return Bar(
        at(within),
        at(line.over),
        None if line.deserved is None else at(line.deserved),
        None if line.guarantee is None else at(line.guarantee),
        100.0 if line.capability is None else at(line.capability),
        line.capability is not None,
    )
