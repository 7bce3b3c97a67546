"""Sweeps over a scenario: the form that asks for one, its page, and what may be done with it."""

from __future__ import annotations

import re
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.answers.answer import Answer
from dashboard.answers.swept import answer_of_sweep, in_order
from dashboard.answers.swept_file import runs_file
from dashboard.answers.swept_tables import shown_best
from dashboard.errors import NotPossibleNow
from dashboard.models import Scenario, Sweep
from dashboard.queries import access
from dashboard.services.results.sweeps import swept as read_sweep
from dashboard.services.workspace.sweeps import playing
from dashboard.services.workspace.sweeps.choices import Choice, choices_of
from dashboard.shapes.swept import Setting, Swept, typed_value
from dashboard.views.compare_columns import export_table
from dashboard.views.htmx import HtmxRequest, drawn_anew
from dashboard.views.sweep_charts import grid, pictures
from dashboard.views.tables import download
from scheduler_core.objects.problems import BadInput

LONGEST_TEXT = 2_000


class Row(NamedTuple):
    """A choice in the form: its field's name, what was ticked or typed, and what is wrong with that."""

    name: str
    choice: Choice
    ticked: list[str]
    text: str
    problem: str


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest, pk: int) -> HttpResponse:
    """The form, and with POST the sweep that it asks for."""
    scenario = access.get_scenario_or_404(request.user, pk)
    choices = choices_of(scenario)
    if request.method != "POST":
        return _form(request, scenario, choices, {}, "")
    access.require_operator(request.user)
    asked = [
        (place, values) for place, one in enumerate(choices) if (values := _values(request.POST, place, one))
    ]
    documents = [
        {"field": choices[place].dimension.field, "path": choices[place].dimension.path, "values": values}
        for place, values in asked
    ]
    try:
        sweep = playing.start_sweep(request.user, scenario, documents)
    except NotPossibleNow as refusal:
        return _form(request, scenario, choices, {}, str(refusal))
    except BadInput as error:
        return _form(request, scenario, choices, *_problems(error, [place for place, _ in asked]))
    return redirect("sweep", pk=sweep.pk)


def _values(form: QueryDict, place: int, choice: Choice) -> list[Any]:
    """Return the values of a choice: those that are ticked, or numbers and texts between commas."""
    known = choice.dimension.values
    if known:
        names = form.getlist(f"c{place}")
        return [
            one.value if isinstance(one.value, str) else _named(one, choice)
            for one in known
            if one.name in names
        ]
    text = form.get(f"c{place}", "")[:LONGEST_TEXT]
    return [typed_value(one) for one in re.split(r"[,;\s]+", text) if one]


def _named(value: Any, choice: Choice) -> Any:
    if choice.dimension.field == "scheduler":
        return {"name": value.name, **value.value}
    return {"name": value.name, "value": value.value}


def _problems(error: BadInput, places: list[int]) -> tuple[dict[int, str], str]:
    """Return what is wrong by choice, and what is wrong with the whole."""
    of_choices: dict[int, str] = {}
    of_whole: list[str] = []
    for problem in error.problems:
        found = re.fullmatch(r"dimensions\[(\d+)\]", problem.object)
        if found:
            of_choices.setdefault(places[int(found[1])], problem.message)
        elif problem.object == "sweep" and not places:
            of_whole.append("Choose at least one thing to vary.")
        else:
            of_whole.append(
                f"The dimensions {problem.message}." if problem.object == "sweep" else str(problem)
            )
    return of_choices, " ".join(of_whole)


def _form(
    request: HttpRequest, scenario: Scenario, choices: list[Choice], problems: dict[int, str], fault: str
) -> HttpResponse:
    groups: dict[str, list[Row]] = {}
    for place, one in enumerate(choices):
        name = f"c{place}"
        row = Row(name, one, request.POST.getlist(name), request.POST.get(name, ""), problems.get(place, ""))
        groups.setdefault(one.group, []).append(row)
    context = {
        "scenario": scenario,
        "groups": groups,
        "fault": fault,
        "sweeps": scenario.sweeps.order_by("-pk")[:12],
        "most": playing.MOST_POINTS,
        "most_dimensions": playing.MOST_DIMENSIONS,
    }
    status = 400 if problems or fault else 200
    return render(request, "sweeps/new.html", context, status=status)


@require_safe
def sweep(request: HtmxRequest, pk: int) -> HttpResponse:
    """What a sweep comes to, and how far it is."""
    try:
        row = access.get_sweep_or_404(request.user, pk)
    except Http404:
        if request.htmx:
            return _drawn_anew()  # it is deleted, and the page that waits for it must say so
        raise
    found = read_sweep(row)
    if request.htmx and not found.goes_on:
        return _drawn_anew()  # now with its pictures
    answer = answer_of_sweep(found)
    tables = {table.name: table for table in answer.tables}
    name = request.GET.get("table", "")
    if name == "runs" and request.GET.get("format") == "csv":
        return download([runs_file(found)], "text/csv; charset=utf-8", f"sweep-{pk}-runs.csv")
    if name in tables:
        file = export_table(request, tables[name], f"sweep-{pk}-{name}")
        if file is not None:
            return file
    return render(request, "sweeps/sweep.html", _context(row, found, answer))


def _drawn_anew() -> HttpResponse:
    return drawn_anew()


def _context(row: Sweep, found: Swept, answer: Answer) -> dict[str, Any]:
    tables = {table.name: table for table in answer.tables}
    best, runs = tables["best"], tables["runs"]
    shown = [one for _, one in shown_best(found, in_order(found))]
    return {
        "sweep": row,
        "scenario": row.scenario,
        "swept": found,
        "answer": answer,
        "pictures": pictures(found),
        "grid": grid(found),
        "decides": tables.get("decides"),
        "best": best,
        "best_rows": [
            (cells, _beside(found, one), one.is_today) for cells, one in zip(best.rows, shown, strict=True)
        ],
        "runs": runs,
        "run_rows": list(zip(sorted(found.points, key=lambda one: one.place), runs.rows, strict=True)),
    }


def _beside(found: Swept, setting: Setting) -> str:
    """Return the query that compares a setting with today's; none of that itself."""
    here = next((one.run for one in found.today.points if one.run), None)
    there = next((one.run for one in setting.points if one.run), None)
    return "" if setting.is_today or here is None or there is None else urlencode({"a": here, "b": there})


@require_POST
def cancel(request: HttpRequest, pk: int) -> HttpResponse:
    """Cancel what has not been played."""
    access.require_operator(request.user)
    playing.cancel_sweep(access.get_sweep_or_404(request.user, pk))
    return redirect("sweep", pk=pk)


@require_POST
def play(request: HttpRequest, pk: int) -> HttpResponse:
    """Play what was cancelled, after all."""
    access.require_operator(request.user)
    playing.play_again(access.get_sweep_or_404(request.user, pk))
    return redirect("sweep", pk=pk)


@require_POST
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete a sweep."""
    row = access.get_sweep_or_404(request.user, pk)
    access.require_deleter(request.user, row)
    scenario = row.scenario_id
    playing.delete_sweep(row)
    messages.success(request, "The sweep was deleted.")
    return redirect(reverse("scenario-sweeps", args=[scenario]))
