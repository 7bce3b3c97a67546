"""Pages of Volcano's objects in a snapshot, each kind a list and a detail: Jobs, PodGroups, Queues, and what
its controllers make Jobs of."""

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from dashboard.kinds.volcano.answers.flows import answer_of
from dashboard.kinds.volcano.queries.objects import PAGES, job_address, made_by, objects_of, queue_address
from dashboard.kinds.volcano.services.cron_jobs import jobs_of_cron_job, said_of_starts
from dashboard.kinds.volcano.services.flows import Flow, flows_of
from dashboard.kinds.volcano.views import made_later, tables
from dashboard.kinds.volcano.views.gang_picture import Member, Picture, picture_of
from dashboard.kinds.volcano.views.job_actions import JOB_ACTIONS
from dashboard.models import Node, Pod, Snapshot, VolcanoObject
from dashboard.queries.pending import PENDING
from dashboard.services.workspace.why_pending import asked
from dashboard.views.document_text import note_on, writer_for
from dashboard.views.htmx import HtmxRequest
from dashboard.views.snapshot_links import workload_address
from dashboard.views.snapshot_tables import pods_of
from dashboard.views.snapshots import ready_or_404, show_table
from dashboard.views.tables import Table
from dashboard.views.ticked import tick_context
from dashboard.views.why import pod_context
from scheduler_core.objects.amounts.go_quantity import resource_amount
from scheduler_core.volcano.api_kinds import VOLCANO_JOB, VOLCANO_POD_GROUP, VOLCANO_QUEUE

LISTED = 200
TABLES: dict[str, tuple[Table, Any]] = {
    "jobs": (tables.JOBS, tables.jobs_of),
    "podgroups": (tables.POD_GROUPS, tables.pod_groups_of),
    "queues": (tables.QUEUES, tables.queues_of),
}
MADE_LATER = ("jobflows", "jobtemplates", "cronjobs")
_CALLED = {
    "jobs": "Volcano's Job",
    "podgroups": "pod group",
    "queues": "queue",
    "jobflows": "job flow",
    "jobtemplates": "job template",
    "cronjobs": "Volcano's CronJob",
}
_SEARCHED = {"queues": "queue or parent", "jobflows": "name or namespace"}
_ROWS = {"queues": "queues_rows", **dict.fromkeys(MADE_LATER, "plain_rows")}


@require_safe
def table(request: HtmxRequest, pk: int, kind: str) -> HttpResponse:
    """A list of a kind: a page, the part of it that a search changes, or a file of all rows."""
    found = ready_or_404(request, pk)
    flows = flows_of(found) if kind == "jobflows" else []
    declaration, rows = _table_of(found, kind, flows)
    context = {
        "snapshot": found,
        "tab": f"volcano-{kind}",
        "kind": kind,
        "rows_template": f"kinds/volcano/snapshots/{_ROWS.get(kind, 'gangs_rows')}.html",
        "searched": _SEARCHED.get(kind, "name, namespace or queue"),
        "lead": answer_of(flows).lead if flows else [],
    }
    if kind == "jobs":
        context |= tick_context(request, found, kind, JOB_ACTIONS, kind=VOLCANO_JOB)
    return show_table(request, declaration, rows, context, "kinds/volcano/snapshots/table.html")


def _table_of(snapshot: Snapshot, kind: str, flows: Sequence[Flow]) -> tuple[Table, QuerySet[VolcanoObject]]:
    """Return the declaration of a list and its rows."""
    if kind not in MADE_LATER:
        declaration, rows_of = TABLES[kind]
        return declaration, rows_of(snapshot)
    rows = made_later.rows_of(snapshot, kind)
    if kind == "jobflows":
        return made_later.job_flows(flows), rows
    return (made_later.JOB_TEMPLATES if kind == "jobtemplates" else made_later.CRON_JOBS), rows


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
        "called": _CALLED[kind],
        "made_later": MADE_LATER,
        "yaml": write(thing.object),
        "note": note_on(write),
        "queue_address": queue_address(found, thing.queue),
        **_inside(found, thing, kind),
    }
    part = "detail_body" if request.htmx else "detail"
    return render(request, f"kinds/volcano/snapshots/{part}.html", context)


def _inside(snapshot: Snapshot, thing: VolcanoObject, kind: str) -> dict[str, Any]:
    """What a thing has, by its page."""
    if kind == "queues":
        return _of_queue(snapshot, thing)
    return _of_maker(snapshot, thing, kind) if kind in MADE_LATER else _of_gang(snapshot, thing)


def _of_maker(snapshot: Snapshot, thing: VolcanoObject, kind: str) -> dict[str, Any]:
    """What a job flow, a job template or a CronJob says: how far it has come, its Jobs and tasks."""
    spec, status = thing.object.get("spec") or {}, thing.object.get("status") or {}
    if kind == "jobflows":
        found = flows_of(snapshot, str(thing))
        return {"answer": answer_of(found), "flow": found[0]} if found else {}
    if kind == "cronjobs":
        template = (spec.get("jobTemplate") or {}).get("spec") or {}
        told, jobs = said_of_starts(thing), jobs_of_cron_job(snapshot, thing)
    else:
        template, told = spec, []
        jobs = dict.fromkeys(status.get("jobDependsOnList") or (), "")
    made = [
        (name, job_address(snapshot, f"{VOLCANO_JOB}/{thing.namespace}/{name}"), phase)
        for name, phase in jobs.items()
    ]
    return {"made": made, "said": told, "tasks": template.get("tasks") or []}


def _of_gang(snapshot: Snapshot, thing: VolcanoObject) -> dict[str, Any]:
    """What a Job or a PodGroup has: its pods, its tasks, its group or its maker."""
    is_group = thing.kind == str(VOLCANO_POD_GROUP)
    workload = f"{thing.kind}/{thing}"
    pods: QuerySet[Pod] = pods_of(snapshot).filter(
        **({"group": str(thing)} if is_group else {"workload": workload})
    )
    return {
        **_why_it_waits(snapshot, thing, pods),
        "picture": _picture(snapshot, pods),
        "pods": pods[:LISTED],
        "all_pods": pods.count(),
        "pods_filter": ("group", str(thing)) if is_group else ("workload", workload),
        "owner_address": workload_address(snapshot, thing.owner),
        "groups": [] if is_group else made_by(snapshot, workload)[:LISTED],
        "tasks": [] if is_group else (thing.object.get("spec") or {}).get("tasks") or [],
        "conditions": (thing.object.get("status") or {}).get("conditions") or [] if is_group else [],
    }


def _why_it_waits(snapshot: Snapshot, thing: VolcanoObject, pods: QuerySet[Pod]) -> dict[str, Any]:
    """Return what is said of why most of the pods that wait do; nothing where none waits."""
    if not pods.filter(PENDING).exists():
        return {}
    workload = f"{thing.kind}/{thing}"
    alike = (one for one in asked(snapshot).kinds if workload == one.workload or str(thing) == one.group)
    first = next(alike, None)
    return {} if first is None else {"waits": True, **pod_context(snapshot, first.first)}


def _picture(snapshot: Snapshot, pods: QuerySet[Pod]) -> Picture | None:
    there = pods.exclude(phase__in=("Succeeded", "Failed")).values_list("name", "node_name")
    pools = Node.objects.filter(snapshot=snapshot).order_by().values_list("name", "pool")
    return picture_of([Member(name, node) for name, node in there], dict(pools))


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
