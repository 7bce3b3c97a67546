"""Tables of the pages: search, filters, sorting and paging from the address, and export of all their rows.

A `Table` is a declaration (columns, searched fields, filters); `TablePage` applies a request's query string
to a queryset. Unknown sort names and pages out of range fall back to the first choice instead of failing.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Page, Paginator
from django.db.models import F, Q, QuerySet
from django.http import HttpResponse

from dashboard.csv_lines import csv_line, plain_cell
from dashboard.natural_order import NaturalKey
from dashboard.queries.searching import search_fault, value_fault
from dashboard.views.htmx import HtmxRequest

PAGE_SIZE = 50
FILES = ("csv", "json")


@dataclass(frozen=True)
class Column:
    """A column: its name in addresses and exports, its heading, the field it sorts by, what it exports.

    natural: it sorts by numbers in names as numbers. resource: of which its figures are amounts.
    """

    name: str
    title: str
    value: Callable[[Any], Any]
    sort: str | None = None
    numeric: bool = False
    natural: bool = False
    resource: str = ""


def plain_columns(*names: str) -> list[Column]:
    """Return columns for the export of rows that have entries of these names; absent ones are empty."""
    return [Column(name, name, partial(_entry, name)) for name in names]


def _entry(name: str, row: Mapping[str, Any]) -> Any:
    return row.get(name)


@dataclass(frozen=True)
class Table:
    """What can be searched (`icontains` on any of the fields), filtered (name to field) and sorted.

    more: gives columns for what only some rows say; they stand `behind` the column of that name.
    """

    columns: list[Column]
    search: list[str]
    filters: dict[str, str] = field(default_factory=dict)
    flags: dict[str, Q] = field(default_factory=dict)
    default_sort: str = ""
    tie_break: str = "position"
    more: Callable[[Iterable[Any]], list[Column]] | None = None
    behind: str = ""


@dataclass
class Heading:
    """A column's heading as the template draws it."""

    column: Column
    address: str | None
    direction: str | None


class TablePage:
    """One page of a table as a request asks for it."""

    def __init__(self, table: Table, rows: QuerySet[Any], request: HtmxRequest) -> None:
        self.table = table
        self.parameters = {name: str(value) for name, value in request.GET.items() if value}
        self.query = self.parameters.get("q", "").strip()
        self.fault = self._fault()
        self.rows = self._sorted(rows.none() if self.fault else self._filtered(rows))
        self.status = 400 if self.fault and not request.htmx else 200  # htmx shows no answer of 400
        self.page: Page[Any] = Paginator(self.rows, PAGE_SIZE).get_page(self.parameters.get("page"))
        self.total = self.page.paginator.count

    def export(self, file_format: str, name: str) -> HttpResponse | None:
        """All rows, as they are narrowed and sorted, as a file; None where none is asked for, or too much."""
        if self.fault or file_format not in FILES:
            return None
        return export(self.rows, self._columns(self._more(self.rows)), file_format, name)

    @cached_property
    def more(self) -> list[Column]:
        """The columns that only some rows have something to say in, of the page that is shown."""
        return self._more(self.page)

    def _columns(self, more: list[Column]) -> list[Column]:
        """Return all columns, with those where they belong."""
        names = [column.name for column in self.table.columns]
        place = names.index(self.table.behind) + 1 if more else 0
        return [*self.table.columns[:place], *more, *self.table.columns[place:]]

    def _more(self, rows: Iterable[Any]) -> list[Column]:
        return self.table.more(rows) if self.table.more else []

    @property
    def is_narrowed(self) -> bool:
        """Whether a search or a filter hides rows."""
        return bool(self.query) or any(
            name in self.parameters for name in (*self.table.filters, *self.table.flags)
        )

    @property
    def headings(self) -> list[Heading]:
        """The columns with the address that sorts by each, and how the table is sorted now."""
        name, descending = self._sort()
        headings = []
        for column in self._columns(self.more):
            direction = None
            if column.name == name:
                direction = "descending" if descending else "ascending"
            wanted = f"-{column.name}" if direction == "ascending" else column.name
            address = self.address(sort=wanted, page=None) if column.sort else None
            headings.append(Heading(column, address, direction))
        return headings

    def address(self, **changes: Any) -> str:
        """The query string with some parameters changed; None removes one."""
        parameters = {**self.parameters, **changes}
        return "?" + urlencode({name: value for name, value in parameters.items() if value is not None})

    @property
    def previous_address(self) -> str:
        """The page before."""
        return self.address(page=self.page.previous_page_number())

    @property
    def next_address(self) -> str:
        """The page after."""
        return self.address(page=self.page.next_page_number())

    @property
    def csv_address(self) -> str:
        """All rows, as they are narrowed and sorted, as CSV."""
        return self.address(format="csv", page=None)

    @property
    def json_address(self) -> str:
        """All rows, as they are narrowed and sorted, as JSON."""
        return self.address(format="json", page=None)

    def _fault(self) -> str | None:
        """Why nothing is searched for, as a sentence; None if all is well."""
        faults = [value_fault(name, value) for name, value in self.parameters.items() if name != "q"]
        found = [search_fault(self.query, len(self.query.split())), value_fault("q", self.query), *faults]
        return next(filter(None, found), None)

    def _filtered(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        for word in self.query.split():
            matches = Q()
            for name in self.table.search:
                matches |= Q(**{f"{name}__icontains": word})
            rows = rows.filter(matches)
        for name, column in self.table.filters.items():
            if name in self.parameters:
                try:
                    rows = rows.filter(**{column: self.parameters[name]})
                except ValueError:  # no number where one is needed
                    return rows.none()
        for name, condition in self.table.flags.items():
            if name in self.parameters:
                rows = rows.filter(condition)
        return rows

    def _sorted(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        name, descending = self._sort()
        column = next((column for column in self.table.columns if column.name == name), None)
        if column is None or column.sort is None:
            return rows
        field = NaturalKey(F(column.sort)) if column.natural else F(column.sort)
        order = field.desc(nulls_last=True) if descending else field.asc(nulls_first=True)
        return rows.order_by(order, self.table.tie_break)

    def _sort(self) -> tuple[str, bool]:
        asked = self.parameters.get("sort", self.table.default_sort)
        return asked.removeprefix("-"), asked.startswith("-")


def export(rows: Any, columns: list[Column], file_format: str, name: str) -> HttpResponse | None:
    """Answer with the rows as a CSV or JSON file; None when `file_format` is neither."""
    if file_format == "csv":
        return download(_csv_lines(rows, columns), "text/csv; charset=utf-8", f"{name}.csv")
    if file_format == "json":
        records = [{column.name: column.value(row) for column in columns} for row in rows]
        return download([json.dumps(records, indent=1)], "application/json", f"{name}.json")
    return None


def download(parts: Any, content_type: str, filename: str) -> HttpResponse:
    """Answer with a file to save."""
    response = HttpResponse(content_type=content_type)
    response.writelines(parts)
    safe = "".join(letter if letter.isalnum() or letter in "-_." else "-" for letter in filename)
    response["Content-Disposition"] = f'attachment; filename="{safe}"'
    return response


def save_page(page: str, name: str) -> HttpResponse:
    """Answer with a page of HTML to save; `name` is without an ending."""
    return download([page], "text/html; charset=utf-8", f"{name}.html")


def _csv_lines(rows: Any, columns: list[Column]) -> Iterator[str]:
    yield csv_line(column.name for column in columns)
    for row in rows:
        yield csv_line(plain_cell(column.value(row)) for column in columns)
