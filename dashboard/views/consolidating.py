"""Which nodes of a snapshot's cluster can be given back: the page and its CSV."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from dashboard.answers.consolidated import answer_of, saves
from dashboard.answers.printers.words import plain
from dashboard.models import Snapshot
from dashboard.queries import access
from dashboard.services.questions.consolidation import MOST_SECONDS, SECONDS
from dashboard.services.questions.stored_questions import Told
from dashboard.services.results.saved_answers import file_of_answer
from dashboard.services.workspace.consolidating import (
    ConsolidationQuestion,
    asked_for,
    consolidated,
    end_consolidation,
)
from dashboard.views.answer_csv import csv_file
from dashboard.views.htmx import HtmxRequest
from dashboard.views.rehearsing import plan_of
from dashboard.views.snapshots import ready_or_404
from dashboard.views.tables import save_page
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.world.consolidation.results import Consolidation, Freed

PATIENCE_SECONDS = 1.5
FIELDS = ("nodes", "prices", "local_storage", "seconds")
LIMITS = {str(SECONDS): "2 minutes", "600": "10 minutes", str(MOST_SECONDS): "an hour"}
"""So long nodes may be tried, in seconds, as a form offers it."""
OPEN_ROWS = 40
"""Of more nodes in a step the rows are folded."""


class Row(NamedTuple):
    """A node's row in the picture: its share of the cpu given back, behind what is free by then."""

    node: Freed
    x: str
    width: str
    says: str


class Step(NamedTuple):
    """The rows of a step."""

    number: int
    rows: list[Row]
    pods: int
    is_open: bool


@require_safe
def consolidation(request: HtmxRequest, pk: int) -> HttpResponse:
    """The tab Consolidate: a form, and once it was sent which nodes can be given back."""
    found = ready_or_404(request, pk)
    form = {name: request.GET.get(name, "") for name in FIELDS}
    context: dict[str, Any] = {
        "snapshot": found, "tab": "consolidation", "form": form, "problems": {}, "bad_prices": [],
        "limits": LIMITS,
        "address": f"{request.path}?{_query(request.GET)}",
    }  # fmt: skip
    if "nodes" in request.GET:
        patience = 0.0 if request.htmx else PATIENCE_SECONDS
        try:
            told = consolidated(found, read_form(request.GET), patience, again="again" in request.GET)
        except BadInput as error:
            context |= _faults(error.problems)
        else:
            context |= {"told": told} | _shown(found, told, request.GET)
    template = "snapshots/consolidation_body.html" if request.htmx else "snapshots/consolidation.html"
    return render(request, template, context)


def _faults(problems: Sequence[Problem]) -> dict[str, Any]:
    prices = [f"{one.field}: {one.message}" for one in problems if one.object == "prices"]
    others = {
        one.field if one.field in ("scenario", "seconds") else "nodes": one.message
        for one in problems
        if one.object != "prices"
    }
    return {"bad_prices": prices, "problems": others}


def _shown(snapshot: Snapshot, told: Told[Consolidation], asked: QueryDict) -> dict[str, Any]:
    if told.problems:
        return _faults([Problem(**one) for one in told.problems])
    if told.answer is None:
        return {}
    found, answer = told.answer, answer_of(told.answer, snapshot.pk)
    order = {"nodes": " ".join(one.node for one in found.freed), "order": "given", "for_good": "1"}
    return {
        "found": found,
        "answer": answer,
        "steps": steps_of(found),
        "tables": answer.tables,
        "query": _query(asked),
        "longer": _longer(asked) if found.untried and found.ended_by == "late" else None,
        "rehearsal": f"{reverse('snapshot-rehearsal', args=[snapshot.pk])}?{urlencode(order)}",
    }


def steps_of(found: Consolidation) -> list[Step]:
    """Return the picture: of each step the nodes in order, with how much cpu is given back so far."""
    whole = sum(one.amounts.get("cpu", 0) for one in found.freed) or 1
    so_far, steps = 0, dict[int, list[Row]]()
    for one in found.freed:
        cpu = one.amounts.get("cpu", 0)
        says = plain(saves(one.amounts, one.cards))
        row = Row(one, f"{100 * so_far / whole:.2f}%", f"{100 * cpu / whole:.2f}%", says)
        so_far += cpu
        steps.setdefault(one.step, []).append(row)
    return [
        Step(number, rows, sum(row.node.pods for row in rows), len(found.freed) <= OPEN_ROWS)
        for number, rows in steps.items()
    ]


def _longer(asked: QueryDict) -> tuple[str, str] | None:
    """Return for how much longer nodes may be tried, and the query of it; None where for no longer."""
    seconds = _seconds(asked.get("seconds", "")) or SECONDS
    for limit, title in LIMITS.items():
        if int(limit) > seconds:
            return title, urlencode({**_fields(asked), "seconds": limit})
    return None


@require_safe
def consolidation_file(request: HttpRequest, pk: int, kind: str) -> HttpResponse:
    """The nodes that can be given back, in order, as CSV, or the answer as HTML; 404 until it is there."""
    snapshot = ready_or_404(request, pk)
    try:
        found = consolidated(snapshot, read_form(request.GET)).answer
    except BadInput as error:
        raise Http404 from error
    if found is None:
        raise Http404
    answer = answer_of(found, pk)
    if kind == "html":
        return save_page(file_of_answer("Nodes to give back", snapshot, answer), f"consolidation-{pk}")
    freed = next((table for table in answer.tables if table.name == request.GET.get("table", "freed")), None)
    if freed is None:
        raise Http404
    return csv_file(freed, f"{freed.name}-{pk}")


@require_POST
def end(request: HttpRequest, pk: int) -> HttpResponse:
    """Let it end."""
    access.require_operator(request.user)
    end_consolidation(ready_or_404(request, pk), read_form(request.POST))
    return redirect(f"{reverse('snapshot-consolidation', args=[pk])}?{_query(request.POST)}")


def read_form(asked: QueryDict) -> ConsolidationQuestion:
    """Return the question of a form's fields. Raises BadInput."""
    nodes = asked.get("nodes", "").strip()
    return asked_for(
        plan_of(nodes) if nodes else None,
        asked.get("prices", ""),
        local_storage=bool(asked.get("local_storage")),
        seconds=_seconds(asked.get("seconds", "")),
    )


def _seconds(text: str) -> int | None:
    """Return a form's seconds, None where it has none. Raises BadInput."""
    if not text:
        return None
    if not (text.isascii() and text.isdigit()):
        raise BadInput([Problem("seconds", "seconds", "must be a whole number of seconds")])
    return int(text[:9])


def _query(asked: QueryDict) -> str:
    return urlencode(_fields(asked))


def _fields(asked: QueryDict) -> dict[str, str]:
    return {name: asked.get(name, "") for name in FIELDS if name in asked}
