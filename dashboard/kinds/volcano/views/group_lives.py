"""The life of one pod group in a run of sessions: every decision about it, and its pods at the end."""

from collections.abc import Collection, Iterable
from typing import Any

import msgspec
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from dashboard.answers.causes import whys_of
from dashboard.errors import NoSuchDecision, NotYet
from dashboard.kinds.volcano.answers.refused_sums import nearest
from dashboard.kinds.volcano.queries.group_lives import group_history
from dashboard.kinds.volcano.queries.refused_sums import asked_by, last_session
from dashboard.kinds.volcano.views.gang_picture import Member, picture_of
from dashboard.kinds.volcano.views.life_rows import life_rows
from dashboard.kinds.volcano.views.refused_sums import picture_of as sums_over_time
from dashboard.models import Pod, Run
from dashboard.natural_order import natural_key
from dashboard.queries import access
from dashboard.queries.pending import PENDING
from dashboard.queries.replay import state_at
from dashboard.shapes.outcome import COMPLETED
from dashboard.views.sum_bars import bar_of
from dashboard.views.tables import export, plain_columns
from scheduler_core.events.state import GROUPS, QUEUES, PodRow, RunState
from scheduler_core.objects.node_groups import pool_of
from scheduler_core.schedulers.unasked import why_ignored
from scheduler_core.volcano.cache.tables import GroupRow

PODS_SHOWN = 200
COLUMNS = plain_columns("seq", "session", "action", "what", "outcome", "pod", "node", "message")


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
        **why_it_waits(run, groups=[key]),
        **what_kept_out(run, [key]),
        "rows": life_rows(events),
        **pods_at_end(state, [key]),
    }
    return render(request, "kinds/volcano/group.html", context)


def pods_at_end(state: RunState | None, groups: Collection[str]) -> dict[str, Any]:
    """What a life's page says of the pods of these groups that are there (`runs/life_pods.html`)."""
    there = [pod for pod in state.pods() if pod.group in groups] if state else []
    pods = sorted(there, key=lambda pod: natural_key(pod.name))
    return {
        "picture": picture_of(_members(pods), _pools(state)) if state else None,
        "pods": pods[:PODS_SHOWN],
        "more_pods": max(0, len(pods) - PODS_SHOWN),
        "placed": sum(1 for pod in pods if pod.node),
        "all_pods": len(pods),
    }


def _members(pods: Iterable[PodRow]) -> list[Member]:
    return [
        Member(pod.name, pod.node or pod.nominated, nominated=not pod.node and bool(pod.nominated))
        for pod in pods
    ]


def _pools(state: RunState) -> dict[str, str]:
    return {node.name: pool_of(node.labels) for node in state.nodes()}


def why_it_waits(run: Run, workload: str = "", groups: Collection[str] = ()) -> dict[str, Any]:
    """What a page says of why pods of a workload, `Kind/namespace/name`, or of pod groups wait at the end.

    `fits_whom`: of whom it is asked what would let them start; the snapshot is asked, if they wait there.
    """
    found = whys_of(run.outcome or {}, workload, groups)
    return {
        "whys": [(one.said, [(each, bar_of(each)) for each in one.sums]) for one in found],
        "snapshot": run.snapshot,
        "fits_whom": _who_waits(run, workload, groups) if found else None,
    }


def what_kept_out(run: Run, groups: Collection[str]) -> dict[str, Any]:
    """What a page says of the sums that kept pod groups out of their queue, session by session."""
    asked = asked_by(run, groups) if groups else []
    return {"refusals": sums_over_time(asked, last_session(run)), "nearest": nearest(run.pk, asked)}


def _who_waits(run: Run, workload: str, groups: Collection[str]) -> tuple[str, str] | None:
    """Return the workload, or the first of the pod groups, of which pods wait in the snapshot too."""
    waiting = Pod.objects.filter(PENDING, snapshot_id=run.snapshot_id)
    if workload and waiting.filter(workload=workload).exists():
        return "workload", workload
    group = waiting.filter(group__in=groups).order_by("group").values_list("group", flat=True).first()
    return None if group is None else ("job", group)


def last_state(run: Run) -> RunState | None:
    """The state after the last decision; None where there is none yet."""
    try:
        return state_at(run, run.decisions)
    except (NotYet, NoSuchDecision):
        return None
