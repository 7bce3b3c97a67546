"""How a snapshot's rows come into the database and leave it again: a few at a time, so others can write.

Until their snapshot is ready nobody is shown them; who imports it anew removes what the last time has left.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

from django.db import connection, models, transaction

from dashboard.kinds.own_rows import row_models

ROWS_AT_ONCE = 500


class Batch(NamedTuple):
    """Rows of one model: the values of `columns_of`, and the object's JSON behind them."""

    model: Any
    rows: list[tuple[Any, ...]]


@cache
def columns_of(model: Any) -> tuple[str, ...]:
    """Return the fields of a row but for its snapshot and its object; the position is the first."""
    others = ("id", "snapshot", "object", "position")
    return ("position", *(field.name for field in model._meta.concrete_fields if field.name not in others))


def insert(snapshot_id: int, batch: Batch) -> None:
    """Insert rows of a snapshot. Their objects are not encoded again, which bulk_create would do."""
    fields = [batch.model._meta.get_field(name) for name in ("snapshot", *columns_of(batch.model), "object")]
    names = ", ".join(connection.ops.quote_name(field.column) for field in fields)
    table = connection.ops.quote_name(batch.model._meta.db_table)
    places = ", ".join(["%s"] * len(fields))
    times = [number for number, field in enumerate(fields) if isinstance(field, models.DateTimeField)]
    with connection.cursor() as cursor:
        cursor.executemany(
            f"INSERT INTO {table} ({names}) VALUES ({places})",  # noqa: S608 (names of our own tables)
            _with_times(((snapshot_id, *row) for row in batch.rows), fields, times),
        )


def _with_times(
    rows: Iterable[tuple[Any, ...]], fields: list[Any], times: list[int]
) -> list[tuple[Any, ...]]:
    """Return the rows with their times as the database takes them."""
    if not times:
        return list(rows)
    return [
        tuple(fields[n].get_db_prep_save(v, connection) if n in times else v for n, v in enumerate(row))
        for row in rows
    ]


def remove_rows(snapshot_id: int, hold: Callable[[], object] = lambda: None) -> None:
    """Remove all rows of a snapshot, each few of them at once.

    hold: called in each transaction before anything is removed; may raise LeaseLost.
    """
    for rows in _few(snapshot_id):
        few = rows.model._base_manager.filter(pk__in=list(rows.values_list("pk", flat=True)))
        with transaction.atomic():
            hold()
            few._raw_delete(rows.db)


def _few(snapshot_id: int) -> Iterator[Any]:
    for model in row_models():
        rows = model.objects.filter(snapshot_id=snapshot_id).order_by()
        while rows.exists():
            yield rows[:ROWS_AT_ONCE]
