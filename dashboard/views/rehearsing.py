"""Rehearsals of a snapshot's upgrade: the page, its files, and the run that steps through it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import msgspec
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from dashboard.answers.answer import Table
from dashboard.answers.rehearsed import ORDERS, answer_of, best_change, enough, lasts
from dashboard.answers.runbook import runbook
from dashboard.errors import NotPossibleNow
from dashboard.models import Node, Run, Snapshot
from dashboard.queries import access
from dashboard.services.questions.stored_questions import Told
from dashboard.services.results.saved_answers import file_of_answer
from dashboard.services.workspace.rehearsing import Plan, end_rehearsal, rehearsed, step_through
from dashboard.views.answer_csv import csv_file
from dashboard.views.htmx import HtmxRequest
from dashboard.views.rehearsal_chart import chart
from dashboard.views.snapshots import ready_or_404
from dashboard.views.tables import save_page
from dashboard.views.tick_actions import LONGEST_NAMES
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.world.rehearsal.plan import BACK_SECONDS, TIMEOUT_SECONDS
from scheduler_core.world.rehearsal.rehearsed import Rehearsal
from scheduler_core.world.run_input import READY_SECONDS

PATIENCE_SECONDS = 1.5
MANY_ROWS = 20
"""A table with more rows is folded: in a large cluster a few nodes have pods of hundreds of budgets."""
FIELDS = {
    "together": "1",
    "surge": "0",
    "order": "given",
    "timeout": f"{TIMEOUT_SECONDS:g}",
    "back": f"{BACK_SECONDS:g}",
    "ready": f"{READY_SECONDS:g}",
    "for_good": "",
}
"""The form's fields beside the nodes, with what they begin with."""
_WAYS = ("pool", "zone", "name")


@require_safe
def rehearsal(request: HtmxRequest, pk: int) -> HttpResponse:
    """The tab Rehearse: a form, and once it names nodes what their upgrade comes to."""
    found = ready_or_404(request, pk)
    form = {
        name: request.GET.get(name, value) for name, value in {"nodes": "", "before": "", **FIELDS}.items()
    }
    context: dict[str, Any] = {
        "snapshot": found, "tab": "rehearsal", "form": form, "orders": ORDERS.items(), "problems": {},
        "address": f"{request.path}?{_without_again(request.GET)}",
    }  # fmt: skip
    if form["nodes"].strip():
        patience = 0.0 if request.htmx else PATIENCE_SECONDS
        try:
            plan, ready = read_form(request.GET)
            told = rehearsed(found, plan, ready, patience, again="again" in request.GET)
        except BadInput as error:
            context["problems"] = {problem.field or "nodes": problem.message for problem in error.problems}
        else:
            context |= {"told": told} | _shown(found, told, request.GET)
    template = "snapshots/rehearsal_body.html" if request.htmx else "snapshots/rehearsal.html"
    return render(request, template, context)


def _shown(snapshot: Snapshot, told: Told[Rehearsal], asked: QueryDict) -> dict[str, Any]:
    if told.problems:
        return {"problems": {one["field"] or "nodes": one["message"] for one in told.problems}}
    if told.answer is None:
        return {}
    found, answer = told.answer, answer_of(told.answer, snapshot.pk)
    tables = {table.name: table for table in answer.tables}
    fields = [(name, value) for name, value in asked.items() if name != "again"]
    return {
        "found": found,
        "answer": answer,
        "chart": chart(found.rehearsed),
        "tables": [_folded(tables[name]) for name in ("budgets", "waited", "nodes") if name in tables],
        "best": best_change(found),
        "changes": [
            (one, [lasts(one.time)], enough(one, found.rehearsed), _query(one.plan, asked))
            for one in found.changes
        ],
        "before": found.plan.get("before", []),
        "runbook": runbook(found, snapshot.name, snapshot.content_hash),
        "fields": fields,
        "query": _without_again(asked),
    }


def _folded(table: Table) -> Table:
    return msgspec.structs.replace(table, folds=table.folds or len(table.rows) > MANY_ROWS)


def _without_again(asked: QueryDict) -> str:
    query = asked.copy()
    query.pop("again", None)
    return query.urlencode()


@require_safe
def rehearsal_file(request: HttpRequest, pk: int, kind: str) -> HttpResponse:
    """The runbook as Markdown, the nodes as CSV, or the answer as HTML; 404 until it is there."""
    snapshot = ready_or_404(request, pk)
    found = _answered(snapshot, request.GET)
    answer = answer_of(found, pk)
    if kind == "html":
        return save_page(file_of_answer("A rehearsal", snapshot, answer), f"rehearsal-{pk}")
    if kind == "csv":
        [nodes] = [table for table in answer.tables if table.name == "nodes"]
        return csv_file(nodes, f"rehearsal-{pk}")
    body = runbook(found, snapshot.name, snapshot.content_hash)
    response = HttpResponse(body, content_type="text/markdown; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="rehearsal-{pk}.md"'
    return response


@require_POST
def step_through_rehearsal(request: HttpRequest, pk: int) -> HttpResponse:
    """Make the rehearsal's scenario and run, and show the run."""
    access.require_operator(request.user)
    snapshot = ready_or_404(request, pk)
    try:
        run = step_through(request.user, snapshot, _answered(snapshot, request.POST))
    except (BadInput, NotPossibleNow) as error:
        messages.error(request, str(error))
        return redirect("snapshot-rehearsal", pk=pk)
    return redirect("run", pk=run.pk)


@require_POST
def end(request: HttpRequest, pk: int) -> HttpResponse:
    """Let a rehearsal end that is being played."""
    access.require_operator(request.user)
    snapshot = ready_or_404(request, pk)
    end_rehearsal(snapshot, *read_form(request.POST))
    query = request.POST.copy()
    query.pop("csrfmiddlewaretoken", None)
    query.pop("again", None)
    return redirect(f"{reverse('snapshot-rehearsal', args=[pk])}?{query.urlencode()}")


def _answered(snapshot: Snapshot, asked: QueryDict) -> Rehearsal:
    try:
        found = rehearsed(snapshot, *read_form(asked)).answer
    except BadInput as error:
        raise Http404 from error
    if found is None:
        raise Http404
    return found


def read_form(asked: QueryDict) -> tuple[Plan, float]:
    """Return the plan of a form's fields, and after how many seconds copies are Ready. Raises BadInput.

    The nodes are a group (`pool=…`, `zone=…`, `name=…`), labels as kubectl takes them, or names.
    """
    plan = plan_of(asked.get("nodes", ""))
    for name, read in (("together", int), ("surge", int), ("timeout", float), ("back", float)):
        plan[name] = _number(asked, name, read)
    if asked.get("for_good"):
        plan["back"] = None
    if before := asked.get("before", "").strip():
        plan["before"] = _edits(before)
    return plan | {"order": asked.get("order", FIELDS["order"])}, _number(asked, "ready", float)


def plan_of(text: str) -> Plan:
    """Return nodes as a plan has them: a group, labels as kubectl takes them, or names."""
    text = text.strip()
    by = text.partition("=")[0].strip()
    if by in _WAYS and "," not in text:
        return {"group": text}
    if re.search(r"[=!]|\bin\b|\bnotin\b", text):
        return {"selector": text}
    return {"nodes": [name for name in re.split(r"[\s,]+", text) if name]}


def address_of_drain(snapshot: int, node: str) -> str:
    """Return where a node's drain is rehearsed, the node staying closed. snapshot: its primary key."""
    query = QueryDict(mutable=True)
    query.update({"nodes": node, "for_good": "1"})
    return f"{reverse('snapshot-rehearsal', args=[snapshot])}?{query.urlencode()}"


def address_of_drains(run: Run) -> str:
    """Return where the drains of a run's edits are rehearsed; empty where it drained no node of the cluster.

    Rehearsed are its drains alone, without its other edits, and by the cluster's own configuration.
    """
    drained = [name for one in run.edit_results if one["op"] == "drain" for name in one.get("nodes", ())]
    if not drained or len(" ".join(drained)) > LONGEST_NAMES:
        return ""
    there = set(
        Node.objects.filter(snapshot=run.snapshot_id, name__in=drained).values_list("name", flat=True)
    )
    named = [name for name in dict.fromkeys(drained) if name in there]
    query = QueryDict(mutable=True)
    query["nodes"] = " ".join(named)
    return f"{reverse('snapshot-rehearsal', args=[run.snapshot_id])}?{query.urlencode()}" if named else ""


def _edits(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        raise BadInput([Problem("rehearsal", "before", "must be a list of edits as JSON")]) from None


def _query(plan: Mapping[str, Any], asked: QueryDict) -> str:
    """Return the address's query of a changed plan."""
    query = QueryDict(mutable=True)
    query["nodes"] = " ".join(plan.get("nodes") or ()) or plan.get("group") or plan.get("selector") or ""
    for name in ("together", "surge", "timeout", "back"):
        query[name] = FIELDS[name] if plan.get(name) is None else f"{plan[name]:g}"
    if plan.get("back", 0) is None:
        query["for_good"] = "1"
    query["order"] = plan.get("order", "given")
    query["ready"] = asked.get("ready", FIELDS["ready"])
    if plan.get("before"):
        query["before"] = json.dumps(plan["before"])
    return query.urlencode()


def _number(asked: QueryDict, name: str, read: Any) -> Any:
    try:
        return read(asked.get(name, "").strip() or FIELDS[name])
    except ValueError:
        raise BadInput([Problem("rehearsal", name, "must be a number")]) from None
