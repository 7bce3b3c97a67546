"""More than two runs in columns: what the page of a comparison begins with then; answer tables as files."""

from functools import partial
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse

from dashboard.answers.answer import Table
from dashboard.answers.compared import GROUPS, listed
from dashboard.answers.printers.text import cell_text
from dashboard.answers.sentence import Number, Sentence, sentence
from dashboard.answers.several import Row
from dashboard.models import Run
from dashboard.services.results.comparing_figures import PENDING
from dashboard.services.results.comparing_several import Several
from dashboard.views.tables import Column, export


class _Head(NamedTuple):
    """The head of a column. asked: what the run was asked differently from the first one.

    measures: the query that has this run as the first one; left: the query without it.
    """

    run: Run
    asked: Sentence
    measures: str
    left: str


class _Lane(NamedTuple):
    """A queue in a run: in words, and what it holds and deserves as lengths; empty where that isn't known."""

    cell: Sentence
    held: str = ""
    deserved: str = ""


def columns_of(several: Several | None) -> dict[str, Any]:
    """Return what the page says of more than two runs; nothing of two."""
    if several is None:
        return {}
    rows = [row for row in several.columns.rows if row.differs]
    groups = [(title, [row for row in rows if row.group == group]) for group, title in GROUPS.items()]
    return {
        "several": several,
        "heads": _heads(several),
        "column_groups": [(title, [(row, _cells(row)) for row in some]) for title, some in groups if some],
        "equal_rows": [row for row in several.columns.rows if not row.differs],
        "both_in_all": [line for line in several.answer.lines if line.about == "both"],
        "queue_lanes": [(table, lanes_of(table)) for table in several.queues.tables],
        "of_all": f"{_query(several.runs)}&",
    }


def _cells(row: Row) -> list[tuple[str, Sentence]]:
    """Return the cells of a row, of pending pods with the widths of their bars, on one scale."""
    most = max(row.values, default=0) if row.name == PENDING else 0
    bars = [f"{100 * value / most:.2f}%" for value in row.values] if most else [""] * len(row.cells)
    return list(zip(bars, row.cells, strict=True))


def lanes_of(table: Table) -> list[tuple[Sentence, list[_Lane]]]:
    """Return the rows of a table of queues, with what is held and deserved as lengths on one scale."""
    figures = [[_figures(cell) for cell in row[1:]] for row in table.rows]
    most = max((figure for row in figures for cell in row for figure in cell), default=0)
    share = (lambda figure: f"{100 * figure / most:.2f}%") if most else lambda figure: ""
    return [
        (row[0], [_Lane(cell, *map(share, found)) for cell, found in zip(row[1:], cells, strict=True)])
        for row, cells in zip(table.rows, figures, strict=True)
    ]


def _figures(cell: Sentence) -> list[float]:
    return [part.value for part in cell if isinstance(part, Number)]


def _heads(several: Several) -> list[_Head]:
    runs = several.runs
    asked = [[], *(listed(pair.differently or [sentence("nothing")]) for pair in several.columns.pairs)]
    others = [[other for other in runs if other != run] for run in runs]
    return [
        _Head(run, said, _query([run, *rest]), _query(rest))
        for run, said, rest in zip(runs, asked, others, strict=True)
    ]


def _query(runs: list[Run]) -> str:
    return "&".join(f"run={run.pk}" for run in runs)


def export_table(request: HttpRequest, table: Table, name: str) -> HttpResponse | None:
    """Answer with a table of an answer as the file that is asked for; None if none is."""
    columns = [Column(one.key, one.title, partial(_cell, place)) for place, one in enumerate(table.columns)]
    return export(table.rows, columns, request.GET.get("format", ""), name)


def _cell(place: int, row: list[Sentence]) -> str:
    return cell_text(row[place])
