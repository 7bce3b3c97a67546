"""The run page: the frame in which the browser draws the run's log, step by step.

The page itself holds no decisions: the browser reads the run and its first state by REST and the log by
WebSocket (`docs/debugger.md`). Whoever may not see the run gets a 404.
"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from dashboard.accounts.roles import is_operator
from dashboard.queries import access
from dashboard.queries.stages import stage_of
from dashboard.services.workspace.schedulers import driver_words
from dashboard.views.runs import places_in_editor


@require_safe
@ensure_csrf_cookie
def debugger(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the debugger of a run; its address holds decision, node, pod and tab."""
    run = access.get_run_or_404(request.user, pk)
    places = places_in_editor(run)
    context = {
        "run": run,
        "stage": stage_of(run),
        "can_operate": is_operator(request.user),
        "places": [places(index) for index in range(len(run.edits))],
        "driver_words": driver_words(run.profile, run.driver),
    }
    return render(request, "runs/debugger.html", context)
