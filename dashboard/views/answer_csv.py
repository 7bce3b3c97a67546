"""A table of an answer as a file of CSV."""

from __future__ import annotations

from django.http import HttpResponse

from dashboard.answers.answer import Table
from dashboard.answers.printers.csv import csv_of


def csv_file(table: Table, name: str) -> HttpResponse:
    """Return the table as a file; its columns are named as in JSON."""
    response = HttpResponse(csv_of(table), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response
