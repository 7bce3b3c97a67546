"""Queries whose SQL is made once: for the few that are asked with every batch of somebody's questions.

Django needs half a millisecond to make the SQL of a query with a join, the database a tenth of it to answer.
"""

from collections.abc import Callable
from typing import Any

from django.db import connection
from django.db.models import QuerySet


class Prepared:
    """A query with one value in it; `make` puts it together, ending in `values_list`.

    Rows come as the driver has them, without Django's conversions: select whole numbers and texts only.
    """

    def __init__(self, make: Callable[[Any], QuerySet[Any, Any]]) -> None:
        self._make = make
        self._sql: dict[str, str] = {}

    def rows(self, value: Any) -> list[tuple[Any, ...]]:
        """Return the rows for a value. Raises DatabaseError."""
        sql = self._sql.get(connection.vendor)
        if sql is None:
            sql, values = self._make(value).query.sql_with_params()
            if values != (value,):
                raise ValueError(f"{values} are the values of the query, not {value!r} alone")
            self._sql[connection.vendor] = sql
        with connection.cursor() as cursor:
            cursor.execute(sql, [value])
            return list(cursor.fetchall())
