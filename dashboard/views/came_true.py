"""What came of a run's prediction: the page of a run, and its table as CSV."""

from http import HTTPStatus
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from dashboard.answers.printers.node_names import cut_of
from dashboard.errors import PutAway, Refused
from dashboard.queries import access
from dashboard.services.results.came_true import answer_about, came_true, later_snapshots
from dashboard.views.answer_csv import csv_file
from dashboard.views.htmx import HtmxRequest, once_ended
from scheduler_core.objects.problems import BadInput


@require_safe
def of_run(request: HtmxRequest, pk: int) -> HttpResponse:
    """Say what came of a run's prediction, by the first reading with its edits or by a chosen snapshot."""
    run = access.get_run_or_404(request.user, pk)
    if (waits := once_ended(request, [not run.has_ended])) is not None:
        return waits
    chosen = request.GET.get("snapshot", "")
    context: dict[str, Any] = {
        "run": run,
        "tab": "outcome",
        "choices": later_snapshots(request.user, run),
        "chosen": chosen,
        "asked": f"snapshot={chosen}&" if chosen.isdigit() else "",
    }
    status = HTTPStatus.OK
    try:
        snapshot = access.get_snapshot_or_404(request.user, chosen) if chosen else None
        found = came_true(request.user, run, snapshot)
    except PutAway:
        raise
    except Refused as refusal:
        context["not_yet"] = str(refusal)
    except BadInput as error:
        context["not_yet"] = f"{error.problems[0].message}."
        status = HTTPStatus.UNPROCESSABLE_ENTITY
    else:
        answer = answer_about(run, found)
        if request.GET.get("format") == "csv" and answer.tables:
            return csv_file(answer.tables[0], f"run-{pk}-came-true")
        context |= {"found": found, "answer": answer, "cut": cut_of(answer)}
    return render(request, "runs/came_true.html", context, status=status)
