"""Answers as plain text: for terminals and `text/plain`."""

from dashboard.answers.answer import Answer, Line, Table
from dashboard.answers.printers.words import NONE, plain
from dashboard.answers.sentence import Sentence

_LISTED = 20
"""Rows of a table; the rest is counted."""


def text(answer: Answer) -> str:
    """Return the answer: the lead, a line for each thing said, tables, and what it rests on."""
    parts = [plain(answer.lead), *map(_line, answer.lines)]
    parts += [_table(table) for table in answer.tables if not table.folds]
    parts += [plain(said) for said in answer.trust]
    return "\n\n".join(parts) + "\n"


def _line(line: Line) -> str:
    first = " ".join(filter(None, (plain(line.head), plain(line.says))))
    return "\n".join([first, *(f"  {plain(said)}" for said in line.under)])


def _table(table: Table) -> str:
    rows = [[column.title for column in table.columns]]
    rows += [[cell_text(cell) for cell in row] for row in table.rows[:_LISTED]]
    widths = [max(len(row[at]) for row in rows) for at in range(len(table.columns))]
    lines = ["  ".join(_aligned(table, row, widths)).rstrip() for row in rows]
    others = len(table.rows[_LISTED:]) + table.others
    title = f"{table.title}: {plain(table.says)}" if table.says else table.title
    return "\n".join([title, *lines, *([f"and {others:,} more"] if others else [])])


def _aligned(table: Table, row: list[str], widths: list[int]) -> list[str]:
    sides = zip(table.columns, row, widths, strict=True)
    return [cell.rjust(width) if column.number else cell.ljust(width) for column, cell, width in sides]


def cell_text(cell: Sentence) -> str:
    """Return a cell as plain text; an empty one is a dash."""
    return plain(cell) or NONE
