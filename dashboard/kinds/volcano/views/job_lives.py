"""The life of one of Volcano's Jobs in a run: what was decided about it, and its pods at the end."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from dashboard.kinds.volcano.queries.job_lives import groups_of_job, is_in_snapshot, job_history, steps_of_job
from dashboard.kinds.volcano.views.group_lives import (
    COLUMNS,
    last_state,
    pods_at_end,
    what_kept_out,
    why_it_waits,
)
from dashboard.kinds.volcano.views.life_rows import life_rows
from dashboard.queries import access
from dashboard.views.tables import export
from scheduler_core.events.state import GROUPS, JOBS, QUEUES
from scheduler_core.volcano.api_kinds import VOLCANO_JOB


@require_safe
def job(request: HttpRequest, pk: int, namespace: str, name: str) -> HttpResponse:
    """What its controller and the sessions decided about a Job, and where its pods are at the end.

    The name of a pod group without a Job leads to the page of the group.
    """
    run = access.get_run_or_404(request.user, pk)
    key = f"{namespace}/{name}"
    state = last_state(run)
    steps = steps_of_job(run, key)
    groups = groups_of_job(run, key, steps)
    events = job_history(run, groups, steps)
    if not groups and not events and not is_in_snapshot(run, key):
        if state is not None and key in state.tables.get(GROUPS, {}):
            return redirect("run-group", pk, namespace, name)
        raise Http404
    file = export(events, COLUMNS, request.GET.get("format", ""), f"run-{pk}-job-{namespace}-{name}")
    if file is not None:
        return file
    known = state.tables.get(GROUPS, {}) if state else {}
    context: dict[str, Any] = {
        "run": run,
        "name": key,
        "groups": [(group, known.get(group)) for group in groups],
        "queues": state.tables.get(QUEUES, {}) if state else {},
        "phase": (state.tables.get(JOBS, {}).get(key, {}) if state else {}).get("phase", ""),
        **why_it_waits(run, f"{VOLCANO_JOB}/{key}", groups),
        **what_kept_out(run, groups),
        "rows": life_rows(events),
        **pods_at_end(state, groups),
    }
    return render(request, "kinds/volcano/job.html", context)
