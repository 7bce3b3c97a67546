"""How many more fit: the tab Headroom of a snapshot, also as a run of it stands after a decision."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import yaml
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from dashboard.answers.answer import Answer
from dashboard.answers.more_fit import NOTHING, amounts_lead, lead, shape
from dashboard.answers.printers.html import WHOLE
from dashboard.answers.printers.words import plain
from dashboard.errors import Refused
from dashboard.models import Run, Snapshot
from dashboard.queries import access
from dashboard.services.questions.of_snapshot import SnapshotQuestion, headroom_asked, other_amounts_asked
from dashboard.services.questions.own_shapes import read_shape
from dashboard.services.questions.stored_questions import Told
from dashboard.services.results.saved_answers import file_of_answer
from dashboard.views.answer_csv import csv_file
from dashboard.views.headroom_blocks import blocks, keys
from dashboard.views.headroom_curves import pictures
from dashboard.views.htmx import HtmxRequest
from dashboard.views.snapshots import ready_or_404
from dashboard.views.tables import save_page
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.world.headroom.counting import MOST
from scheduler_core.world.headroom.results import Headroom

PATIENCE_SECONDS = 1.5
MOST_SHAPES = 20
FIELDS = ("name", "cpu", "memory", "gpus", "more")
"""The fields of the form for a shape of one's own."""
_ONCE = ("again", "format", "csrfmiddlewaretoken", *FIELDS)
_SHOWN = ("of", "other")


@require_safe
def headroom(request: HtmxRequest, pk: int) -> HttpResponse:
    """The table of shapes and pools, and one more pod node by node."""
    found = ready_or_404(request, pk)
    form = {name: request.GET.get(name, "") for name in FIELDS}
    context: dict[str, Any] = {
        "snapshot": found, "tab": "headroom", "form": form, "no_cut": WHOLE, "problems": [],
        "own": [(one, _without_shape(request.GET, one)) for one in request.GET.getlist("shape")],
    }  # fmt: skip
    try:
        if any(form.values()):
            return redirect(f"{request.path}?{_with_shape(request.GET).urlencode()}")
        at = run_at(request, found, request.GET)
        context |= {
            "at": at,
            "query": _query(request.GET),
            "polled": _without(request.GET, *_ONCE),
            "kept": _kept(request.GET),
        }
        asked = _asked(at, request.GET)
        patience = 0.0 if request.htmx else PATIENCE_SECONDS
        told = asked.told(found, patience, again="again" in request.GET)
    except BadInput as error:
        context["problems"] = error.problems
    except Refused as error:
        context["problems"] = [Problem("", "", str(error))]
    else:
        if told.answer is not None and "format" in request.GET:
            return _file(found, at, asked.answer(told.answer), request.GET["format"])
        context |= _shown(asked, told, request.GET)
        if "other" in request.GET and "room" in context:
            context |= _other_amounts(found, at, request.GET, context, patience)
    template = "snapshots/headroom_body.html" if request.htmx else "snapshots/headroom.html"
    return render(request, template, context)


def _file(snapshot: Snapshot, at: tuple[Run, int] | None, answer: Answer, kind: str) -> HttpResponse:
    """Return the table as CSV, or all as one HTML file. Raises Http404 for any other format."""
    name = f"headroom-{snapshot.pk}"
    if kind == "csv":
        return csv_file(answer.tables[0], name)
    if kind != "html":
        raise Http404
    when = "" if at is None else f" after decision {at[1]:,} of run {at[0].pk}"
    return save_page(file_of_answer(f"How many more fit{when}", snapshot, answer), name)


@require_POST
def end(request: HttpRequest, pk: int) -> HttpResponse:
    """Let the counting end."""
    access.require_operator(request.user)
    found = ready_or_404(request, pk)
    _asked(run_at(request, found, request.POST), request.POST).end(found)
    return redirect(f"{reverse('snapshot-headroom', args=[pk])}?{_query(request.POST)}")


def _shown(asked: SnapshotQuestion, told: Told[Headroom], query: QueryDict) -> dict[str, Any]:
    if told.problems:
        return {"problems": [Problem(one["object"], one["field"], one["message"]) for one in told.problems]}
    found = told.answer
    if found is None or not found.rooms:
        return {"told": told, "nothing": NOTHING if found is not None else ""}
    answer = asked.answer(found)
    [table] = [one for one in answer.tables if one.name == "shapes"]
    number = query.get("of", "")
    last = len(found.rooms) - 1 if query.getlist("shape") else 0
    place = int(number) if number.isdecimal() and int(number) < len(found.rooms) else last
    room = found.rooms[place]
    return {
        "told": told,
        "found": found,
        "answer": answer,
        "lead": lead(room),
        "table": table,
        "rows": list(enumerate(zip(table.rows, found.rooms, strict=True))),
        "place": place,
        "room": room,
        "room_name": plain([shape(room.shape)]),
        "blocks": blocks(room),
        "keys": keys(room),
    }


def _other_amounts(
    snapshot: Snapshot, at: tuple[Run, int] | None, query: QueryDict, shown: Mapping[str, Any], wait: float
) -> dict[str, Any]:
    """Return how many of the chosen shape fit if it asks for other amounts, as far as it is counted."""
    found: Headroom = shown["found"]
    own = query.getlist("shape")
    number = shown["place"] - len(found.rooms) - len(found.untried) + len(own)
    text = own[number] if number >= 0 else ""
    told = other_amounts_asked(shown["room"].shape, MOST, own=text, at=at).told(snapshot, wait)
    counted = told.answer
    return {
        "other": told,
        "other_lead": None if counted is None else amounts_lead(counted),
        "curves": [] if counted is None else pictures(counted),
    }


def _asked(at: tuple[Run, int] | None, query: QueryDict) -> SnapshotQuestion:
    workloads, own = query.getlist("workload"), query.getlist("shape")
    if len(workloads) + len(own) > MOST_SHAPES:
        raise BadInput([Problem("shape", "", f"at most {MOST_SHAPES} are counted at a time")])
    return headroom_asked(workloads, MOST, own=own, at=at)


def run_at(request: HttpRequest, snapshot: Snapshot, query: QueryDict) -> tuple[Run, int] | None:
    """Return the run and the decision that an address names; None for the cluster as it is."""
    if not query.get("run"):
        return None
    run = access.get_run_or_404(request.user, query["run"])
    if run.snapshot_id != snapshot.pk:
        raise BadInput([Problem(f"run {run.pk}", "", "is of another snapshot")])
    decision = query.get("decision", "")
    return run, int(decision) if decision.isdecimal() and len(decision) < 16 else run.decisions


def _with_shape(query: QueryDict) -> QueryDict:
    """Return the address's query with the shape of the form in it. Raises BadInput."""
    kept = query.copy()
    given = {name: kept.pop(name)[-1].strip() for name in FIELDS if name in kept}
    more = given.pop("more", "")
    made = {name: value for name, value in given.items() if value}
    if more:
        made |= _mapping(more)
    text = yaml.safe_dump(made, default_flow_style=True, sort_keys=False, width=10_000).strip()
    read_shape(text)
    kept.appendlist("shape", text)
    kept.pop("of", None)
    return kept


def _mapping(text: str) -> dict[str, Any]:
    try:
        found = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise BadInput([Problem("shape", "more", str(error).split("\n")[0])]) from None
    if not isinstance(found, dict):
        raise BadInput([Problem("shape", "more", "must be a mapping, as nodeSelector: {disk: ssd}")])
    return found


def _query(query: QueryDict) -> str:
    """Return what an address asks, without what is asked but once and what is shown of it."""
    return _without(query, *_ONCE, *_SHOWN)


def _without(query: QueryDict, *names: str) -> str:
    kept = query.copy()
    for name in names:
        kept.pop(name, None)
    return kept.urlencode()


def _kept(query: QueryDict) -> list[tuple[str, str]]:
    kept = QueryDict(_query(query))
    return [(name, value) for name, values in kept.lists() for value in values]


def _without_shape(query: QueryDict, text: str) -> str:
    """Return an address's query without one of its shapes."""
    kept = QueryDict(_query(query), mutable=True)
    kept.setlist("shape", [one for one in kept.getlist("shape") if one != text])
    return kept.urlencode()
