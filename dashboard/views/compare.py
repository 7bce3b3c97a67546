"""Two runs side by side; without two runs, the page on which the missing one is chosen."""

from collections.abc import Sequence
from datetime import timedelta
from operator import attrgetter
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from dashboard.answers.asked_differently import called
from dashboard.answers.compared import GROUPS, figure_cells
from dashboard.answers.printers.markdown import markdown
from dashboard.answers.printers.node_names import cut_of
from dashboard.answers.several import table_of_several
from dashboard.errors import NotYet
from dashboard.kinds.cards import shares_cards
from dashboard.models import Run
from dashboard.queries import access
from dashboard.queries.comparison_rows import NodeEnd
from dashboard.queries.comparison_settings import sessions_alone
from dashboard.services.results.changes_alone import compare_with_changes
from dashboard.services.results.comparing import Comparison
from dashboard.services.results.comparing_several import Several, compare_several
from dashboard.services.results.endings import ending_words
from dashboard.services.results.reading_ahead import SECONDS, pairs_of, read_ahead
from dashboard.services.results.saved_answers import file_of_runs
from dashboard.shapes.comparison import Figure
from dashboard.shapes.outcome import Figures
from dashboard.views.choose_runs import choose, of_ticked
from dashboard.views.compare_columns import columns_of, export_table
from dashboard.views.compared_runs import LONGEST_NUMBER, NamedRuns, read_runs
from dashboard.views.htmx import HtmxRequest, drawn_anew, once_ended
from dashboard.views.tables import Column, export, save_page

ROWS_SHOWN = 25
COUNTED_WITHIN = timedelta(minutes=5)


def _own(*names: str) -> list[Column]:
    """Columns of what a row says of both runs."""
    return [Column(name, name, attrgetter(name)) for name in names]


def _sides(*names: str) -> list[Column]:
    """Columns of what a row says of each run, those of a and b side by side."""
    return [_side(side, name) for name in names for side in ("a", "b")]


def _side(side: str, name: str) -> Column:
    return Column(f"{side}_{name}", name, lambda row: getattr(getattr(row, side), name, None))


def _requested_of(side: str, resource: str) -> Column:
    return Column(f"{side}_{resource}", resource, lambda row: _requested(getattr(row, side), resource))


def _requested(end: NodeEnd | None, resource: str) -> int | None:
    return None if end is None else end.requested.get(resource, 0)


GANG_COLUMNS = [*_own("group", "queue", "min_member"), *_sides("state", "running", "pods")]
POD_COLUMNS = [
    *_own("namespace", "name", "workload", "priority"),
    Column("differs", "differs", lambda row: " ".join(row.differs)),
    *_sides("place", "node", "attempts", "evictions"),
]
NODE_COLUMNS = [
    *_own("node"),
    *_sides("pods", "only_here"),
    *(_requested_of(side, resource) for resource in ("cpu", "memory") for side in ("a", "b")),
]


@require_safe
def compare(request: HtmxRequest) -> HttpResponse:
    """Compare up to six runs by the first, or the runs `a` and `b`; the maps stand at decision `at`."""
    access.require_viewer(request.user)
    if "ticked" in request.GET:
        return of_ticked(request)
    asked = read_runs(request)
    a, b = asked.a, asked.b
    if a is None or b is None or "add" in request.GET or (asked.problems and not asked.runs):
        return choose(request, asked)
    goes_on = not all(run.has_ended for run in asked.chosen)
    if (waits := once_ended(request, [goes_on])) is not None:
        return waits
    try:
        pairs = pairs_of(a, b, asked.runs)
        done = read_ahead(pairs, _seconds(request, len(pairs)))
        if done < len(pairs):
            return _reading(request, asked, done, len(pairs))
        several = compare_several(asked.runs, asked.resource) if asked.runs else None
        compared, alone = compare_with_changes(a, b, asked.resource)
    except NotYet as reason:
        return _waiting(request, asked, reason)
    if request.htmx and ("waiting" in request.GET or "reading" in request.GET):
        return drawn_anew()
    if request.GET.get("save"):
        return _saved(compared, several)
    file = _export(request, compared, several)
    context = {
        **_context(request, compared, asked),
        **columns_of(several),
        "alone": alone,
        "goes_on": goes_on,
    }
    return file or render(request, "compare/compare.html", context)


def _saved(compared: Comparison, several: Several | None) -> HttpResponse:
    """Answer with the page as one file."""
    runs = [compared.a, compared.b] if several is None else several.runs
    answer, inputs = (compared.answer, compared.inputs) if several is None else (several.answer, "")
    name = "-".join(["runs", *(str(run.pk) for run in runs)])
    return save_page(file_of_runs(runs, answer, inputs), name)


def _seconds(request: HttpRequest, pairs: int) -> float | None:
    """Return how long logs may be read; for a file, or once a page has asked as often as it may, all are."""
    asked_again = request.GET.get("reading", "0")
    often = not asked_again.isdecimal() or int(asked_again[:LONGEST_NUMBER]) >= pairs
    return None if often or "table" in request.GET or "save" in request.GET else SECONDS


def _reading(request: HttpRequest, asked: NamedRuns, done: int, of: int) -> HttpResponse:
    times = int(request.GET.get("reading", "0")) + 1
    context = {"runs": asked.chosen, "asked": asked.query, "done": done, "of": of, "times": times}
    return render(request, "compare/reading.html", context)


def _waiting(request: HttpRequest, asked: NamedRuns, reason: NotYet) -> HttpResponse:
    waits = not all(run.has_ended for run in asked.chosen)
    context = {"runs": asked.chosen, "asked": asked.query, "reason": reason, "waits": waits}
    return render(request, "compare/waiting.html", context)


def _export(request: HttpRequest, compared: Comparison, several: Several | None) -> HttpResponse | None:
    asked = request.GET.get("table", "")
    if asked == "runs" and several is not None:
        name = "-".join(["runs", *(str(run.pk) for run in several.runs)])
        return export_table(request, table_of_several(several.columns, differ=True), name)
    answered = {table.name: table for table in compared.answer.tables}
    if several is not None:
        answered |= {table.name: table for table in several.queues.tables}
    if asked in answered:
        name = f"runs-{compared.a.pk}-{compared.b.pk}-{asked}"
        return export_table(request, answered[asked], name)
    tables = {
        "gangs": (compared.differences.gangs.rows, GANG_COLUMNS),
        "pods": (compared.differences.pods, POD_COLUMNS),
        "nodes": (compared.differences.nodes, NODE_COLUMNS),
    }
    rows, columns = tables.get(request.GET.get("table", ""), (None, []))
    if rows is None:
        return None
    name = f"runs-{compared.a.pk}-{compared.b.pk}-{request.GET['table']}"
    return export(rows, columns, request.GET.get("format", ""), name)


def _context(request: HttpRequest, compared: Comparison, asked: NamedRuns) -> dict[str, Any]:
    found = compared.differences
    other_steps = sessions_alone(compared.a, compared.b)
    first = None if other_steps else found.first
    elsewhere = sum(1 for row in found.pods if row.order[0] == 0)
    names = called(compared.a, compared.b)
    sides = [
        {
            "side": side,
            "run": run,
            "label": label,
            "number": "" if label == f"run {run.pk}" else f"run {run.pk}",
            "first": getattr(first, side, None),
            "limit_reached": outcome["limit_reached"],
            "sessions": outcome.get("sessions"),
            "ended": ending_words(outcome),
        }
        for side, run, label, outcome in zip(
            ("a", "b"), (compared.a, compared.b), names, compared.outcomes, strict=True
        )
    ]
    return {
        "compared": compared,
        "found": found,
        "first": first,
        "sides": sides,
        "answer": compared.answer,
        "markdown": markdown(compared.answer, request.build_absolute_uri("/")),
        "asked": asked.query,
        "named": asked.named,
        "problems": asked.problems,
        "queue_resources": compared.queue_resources,
        "queues_by": _told_by(compared, asked.resource),
        "cut": cut_of(compared.answer),
        "lines": {line.about: line for line in compared.answer.lines},
        "alone_lines": [line for line in compared.answer.lines if line.about == "alone"],
        "tables": {table.name: table for table in compared.answer.tables},
        "figures": _figures(compared.all_figures),
        "bands": _bands(compared.outcomes),
        "counting": any(
            _is_counted_soon(run, outcome)
            for run, outcome in zip((compared.a, compared.b), compared.outcomes, strict=True)
        ),
        "baseline_missing": compared.pair.a.waits or compared.pair.b.waits,
        "elsewhere": elsewhere,
        "other_steps": other_steps,
        "cards_of_both": shares_cards(compared.a) and shares_cards(compared.b),
        "gangs": Paginator(found.gangs.rows, ROWS_SHOWN).get_page(request.GET.get("gangs")),
        "pods": Paginator(found.pods, ROWS_SHOWN).get_page(request.GET.get("pods")),
        "nodes": Paginator(found.nodes, ROWS_SHOWN).get_page(request.GET.get("nodes")),
    }


def _told_by(compared: Comparison, asked: str) -> str:
    """The resource that the queues are told by."""
    known = compared.queue_resources
    return asked if asked in known else next(iter(known), "")


def _is_counted_soon(run: Run, outcome: Figures) -> bool:
    """Whether a worker is counting how many nodes could be emptied: it does so once a run has finished."""
    finished = run.finished_at if run.status == Run.Status.FINISHED else None
    return finished is not None and "emptiable" not in outcome and timezone.now() - finished < COUNTED_WITHIN


def _bands(outcomes: Sequence[Figures]) -> list[dict[str, Any]]:
    """The nodes by tenths of their CPU that are requested, the fullest first; nothing if both are alike."""
    sides = [outcome["packing"]["by_cpu"] if "packing" in outcome else [] for outcome in outcomes]
    if sides[0] == sides[1] or not all(sides):
        return []
    most = max(map(max, sides))
    bands = list(enumerate(zip(*sides, strict=True)))
    return [
        {
            "label": f"{10 * band} to {10 * band + 10}",
            "sides": [
                {
                    "nodes": nodes,
                    "width": f"{100 * nodes / most:.2f}%",
                    "start": f"{100 - 100 * nodes / most:.2f}%",
                }
                for nodes in both
            ],
        }
        for band, both in reversed(bands)
    ]


def _figures(figures: list[Figure]) -> dict[str, Any]:
    """The figures that differ in their groups, and those that are equal."""
    without = any("without" in row for row in figures)
    differing = [row for row in figures if row["difference"]]
    groups = [(title, [row for row in differing if row["group"] == group]) for group, title in GROUPS.items()]
    return {
        "without": without,
        "width": 4 + without,
        "groups": [
            (title, [(row, figure_cells(row, without=without, differ=True)) for row in rows])
            for title, rows in groups
            if rows
        ],
        "equal": [
            (row, figure_cells(row, without=False, differ=False)) for row in figures if not row["difference"]
        ],
    }
