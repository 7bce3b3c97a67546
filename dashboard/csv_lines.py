"""Lines of CSV, for spreadsheets too."""

import csv
from collections.abc import Iterable
from io import StringIO
from typing import Any

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def csv_line(cells: Iterable[Any]) -> str:
    """Return a line with these cells, as they are."""
    line = StringIO()
    csv.writer(line).writerow(cells)
    return line.getvalue()


def plain_cell(value: Any) -> Any:
    """Return a cell that no spreadsheet reads as a formula: text that begins like one gets a ' before it."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA_STARTS) else value
