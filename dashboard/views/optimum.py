"""How far a run's end is from the optimum: asked by a button of its outcome."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from dashboard.answers.optimum import answer_of
from dashboard.errors import NotYet
from dashboard.queries import access
from dashboard.services.results.optimum import end_optimum, optimum_of
from dashboard.views.htmx import HtmxRequest, once_ended

PATIENCE_SECONDS = 1.5


@require_safe
def optimum(request: HtmxRequest, pk: int) -> HttpResponse:
    """Say how many more pods an exact solver would have placed, or that a worker is still at it."""
    run = access.get_run_or_404(request.user, pk)
    if (waits := once_ended(request, [not run.has_ended])) is not None:
        return waits
    context: dict[str, Any] = {"run": run, "tab": "outcome"}
    try:
        told = optimum_of(run, PATIENCE_SECONDS, again="again" in request.GET)
    except NotYet as error:
        return render(request, "runs/optimum.html", context | {"not_yet": str(error)})
    context["told"] = told
    if told.answer is not None:
        context["answer"] = answer_of(told.answer)
    return render(request, "runs/optimum.html", context)


@require_POST
def end(request: HttpRequest, pk: int) -> HttpResponse:
    """Let it end."""
    access.require_operator(request.user)
    end_optimum(access.get_run_or_404(request.user, pk))
    return redirect("run-optimum", pk)
