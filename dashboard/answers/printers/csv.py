"""Tables of answers as CSV: a line for the columns' keys, then one for each row."""

from dashboard.answers.answer import Table
from dashboard.answers.printers.text import cell_text
from dashboard.csv_lines import csv_line, plain_cell


def csv_of(table: Table) -> str:
    """Return a table as a file."""
    rows = ([plain_cell(cell_text(cell)) for cell in row] for row in table.rows)
    return "".join(map(csv_line, ([column.key for column in table.columns], *rows)))
