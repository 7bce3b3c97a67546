"""What would make pods fit, as a part of a page: asked by a press, looked at again until it is there."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from dashboard.answers.answer import Answer
from dashboard.answers.changes import changes
from dashboard.answers.printers.html import WHOLE
from dashboard.answers.sentence import Sentence
from dashboard.answers.starts import starts
from dashboard.answers.would_fit import costs, unchanged
from dashboard.errors import NoSuchPod
from dashboard.models import Snapshot
from dashboard.queries import access
from dashboard.services.questions.of_snapshot import SnapshotQuestion, fitting_asked
from dashboard.services.workspace.scenarios import NAME_LENGTH, create_scenario
from dashboard.views.htmx import HtmxRequest
from dashboard.views.snapshots import ready_or_404
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.world.fitting.results import Fitting, Proposal

PATIENCE_SECONDS = 1.0
_WHOM = ("pod", "workload", "job")


@require_safe
def would_fit(request: HtmxRequest, pk: int) -> HttpResponse:
    """What would make a pod, a workload or a job of the snapshot fit."""
    snapshot = ready_or_404(request, pk)
    return fitting_part(request, snapshot, _asked(snapshot, request.GET), {})


@require_POST
def end(request: HtmxRequest, pk: int) -> HttpResponse:
    """Let it end, and show what was found until then."""
    access.require_operator(request.user)
    snapshot = ready_or_404(request, pk)
    asked = _asked(snapshot, request.POST)
    asked.end(snapshot)
    return fitting_part(request, snapshot, asked, {})


@require_POST
def try_it(request: HttpRequest, pk: int) -> HttpResponse:
    """Make a scenario of a change, and show it."""
    access.require_operator(request.user)
    snapshot = ready_or_404(request, pk)
    try:
        edits = chosen_edits(request.POST)
        name = f"{snapshot.name}: what would make it fit"[:NAME_LENGTH]
        made = create_scenario(request.user, {"snapshot": snapshot, "name": name, "edits": edits})
    except BadInput as error:
        messages.error(request, "; ".join(problem.message for problem in error.problems))
        return redirect("snapshot", pk=pk)
    return redirect("scenario", pk=made.pk)


def chosen_edits(asked: QueryDict) -> list[Any]:
    """Return the edits of the change that was chosen, none if none was. Raises BadInput."""
    try:
        edits = json.loads(asked.get("edits", "") or "[]")
    except ValueError:
        edits = None
    if not isinstance(edits, list):
        raise BadInput([Problem("scenario", "edits", "must be a list")])
    return edits


def fitting_part(
    request: HtmxRequest, snapshot: Snapshot, asked: SnapshotQuestion, more: dict[str, Any]
) -> HttpResponse:
    """Show what is known of the answer by now; `more`: what else the part is to know."""
    fields = request.POST if request.method == "POST" else request.GET
    told = asked.told(snapshot, PATIENCE_SECONDS, again=fields.get("again") == "1")
    whom = next(((name, fields[name]) for name in _WHOM if fields.get(name)), ("", ""))
    context = {"snapshot": snapshot, "told": told, "whom": whom, "no_cut": WHOLE, **more}
    found: Fitting | None = told.answer
    if found is not None:
        said: Answer = asked.answer(found)
        short = [table for table in said.tables if table.name != "changes"]
        rows = [_row(place, one, found) for place, one in enumerate(found.proposals, 1)]
        context |= {"found": found, "said": said, "rows": rows, "short": short}
        context["unchanged"] = found.start and unchanged(found)
    template = "snapshots/would_fit.html" if request.htmx else "snapshots/would_fit_page.html"
    return render(request, template, context)


def _row(
    place: int, one: Proposal, found: Fitting
) -> tuple[int, Proposal, Sentence, Sentence, Sentence, str]:
    return place, one, changes(one.changes), starts(one.start, found), costs(one), json.dumps(one.edits)


def _asked(snapshot: Snapshot, fields: QueryDict) -> SnapshotQuestion:
    pod, workload, job = (fields.get(name, "") for name in _WHOM)
    if sum(map(bool, (pod, workload, job))) != 1:
        raise Http404
    try:
        return fitting_asked(snapshot, pod=pod, workload=workload, job=job)
    except NoSuchPod as error:
        raise Http404 from error
