"""Tables of answers as CSV: a line for the columns' keys, then one for each row."""

import csv
import io

from dashboard.answers.answer import Table
from dashboard.answers.printers.text import cell_text

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def csv_of(table: Table) -> str:
    """Return a table; text that begins like a formula gets a ' before it, for spreadsheets read it as one."""
    lines = io.StringIO()
    writer = csv.writer(lines)
    writer.writerow([column.key for column in table.columns])
    writer.writerows([[plain_cell(cell_text(cell)) for cell in row] for row in table.rows])
    return lines.getvalue()


def plain_cell(text: str) -> str:
    """Keep a spreadsheet from reading text that begins like a formula as one."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text
