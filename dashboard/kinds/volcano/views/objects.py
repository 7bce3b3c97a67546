"""Pages of Volcano's objects in a snapshot: its Jobs, PodGroups and Queues, each a list and a detail."""

from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from dashboard.kinds.volcano.queries.objects import PAGES, made_by, objects_of, queue_address
from dashboard.kinds.volcano.views import tables
from dashboard.kinds.volcano.views.job_actions import JOB_ACTIONS
from dashboard.models import Pod, Snapshot, VolcanoObject
from dashboard.views.document_text import note_on, writer_for
from dashboard.views.htmx import HtmxRequest
from dashboard.views.snapshot_links import workload_address
from dashboard.views.snapshot_tables import pods_of
from dashboard.views.snapshots import ready_or_404, show_table
from dashboard.views.tables import Table
from dashboard.views.ticked import tick_context
from scheduler_core.objects.amounts.go_quantity import resource_amount
from scheduler_core.volcano.api_kinds import VOLCANO_JOB, VOLCANO_POD_GROUP, VOLCANO_QUEUE

LISTED = 200
TABLES: dict[str, tuple[Table, Any]] = {
    "jobs": (tables.JOBS, tables.jobs_of),
    "podgroups": (tables.POD_GROUPS, tables.pod_groups_of),
    "queues": (tables.QUEUES, tables.queues_of),
}
_SEARCHED = {"queues": "queue or parent"}


@require_safe
def table(request: HtmxRequest, pk: int, kind: str) -> HttpResponse:
    """A list of a kind: a page, the part of it that a search changes, or a file of all rows."""
    found = ready_or_404(request, pk)
    declaration, rows_of = TABLES[kind]
    context = {
        "snapshot": found,
        "tab": f"volcano-{kind}",
        "kind": kind,
        "rows_template": f"kinds/volcano/snapshots/{'queues' if kind == 'queues' else 'gangs'}_rows.html",
        "searched": _SEARCHED.get(kind, "name, namespace or queue"),
    }
    if kind == "jobs":
        context |= tick_context(request, found, kind, JOB_ACTIONS, kind=VOLCANO_JOB)
    return show_table(request, declaration, rows_of(found), context, "kinds/volcano/snapshots/table.html")


@require_safe
def detail(request: HtmxRequest, pk: int, kind: str, key: str) -> HttpResponse:
    """One object, by `namespace/name` or a queue's name: what it says, what it is part of and what it has."""
    found = ready_or_404(request, pk)
    namespace, _, name = key.rpartition("/")
    _, shown = PAGES[kind]
    thing = VolcanoObject.objects.filter(
        snapshot=found, kind=str(shown), namespace=namespace, name=name
    ).first()
    if thing is None:
        raise Http404
    write = writer_for(thing.object)
    context = {
        "snapshot": found,
        "tab": f"volcano-{kind}",
        "kind": kind,
        "thing": thing,
        "yaml": write(thing.object),
        "note": note_on(write),
        "queue_address": queue_address(found, thing.queue),
        **(_of_queue(found, thing) if kind == "queues" else _of_gang(found, thing)),
    }
    part = "detail_body" if request.htmx else "detail"
    return render(request, f"kinds/volcano/snapshots/{part}.html", context)


def _of_gang(snapshot: Snapshot, thing: VolcanoObject) -> dict[str, Any]:
    """What a Job or a PodGroup has: its pods, its tasks, its group or its maker."""
    is_group = thing.kind == str(VOLCANO_POD_GROUP)
    workload = f"{thing.kind}/{thing}"
    pods: QuerySet[Pod] = pods_of(snapshot).filter(
        **({"group": str(thing)} if is_group else {"workload": workload})
    )
    return {
        "pods": pods[:LISTED],
        "all_pods": pods.count(),
        "pods_filter": ("group", str(thing)) if is_group else ("workload", workload),
        "owner_address": workload_address(snapshot, thing.owner),
        "groups": [] if is_group else made_by(snapshot, workload)[:LISTED],
        "tasks": [] if is_group else (thing.object.get("spec") or {}).get("tasks") or [],
        "conditions": (thing.object.get("status") or {}).get("conditions") or [] if is_group else [],
    }


def _of_queue(snapshot: Snapshot, thing: VolcanoObject) -> dict[str, Any]:
    """What a queue has: its figures by resource, the queues below it, its pod groups and Jobs."""
    inside = {
        name: objects_of(snapshot, kind).filter(queue=thing.name)
        for name, kind in (("children", VOLCANO_QUEUE), ("groups", VOLCANO_POD_GROUP), ("jobs", VOLCANO_JOB))
    }
    return {
        **{name: rows[:LISTED] for name, rows in inside.items()},
        **{f"all_{name}": rows.count() for name, rows in inside.items()},
        "figures": _figures(thing.object.get("spec") or {}, thing.object.get("status") or {}),
    }


def _figures(spec: dict[str, Any], status: dict[str, Any]) -> list[tuple[str, list[int | None]]]:
    """Guarantee, deserved, capability and allocated of each resource that is named, in the log's units."""
    columns = [
        (spec.get("guarantee") or {}).get("resource") or {},
        spec.get("deserved") or {},
        spec.get("capability") or {},
        status.get("allocated") or {},
    ]
    names = dict.fromkeys(name for column in columns for name in column)
    return [(name, [_amount(column, name) for column in columns]) for name in names]


def _amount(column: dict[str, Any], name: str) -> int | None:
    return resource_amount(name, column[name]) if name in column else None
