"""Columns of JSON that give back what was stored: the same order of keys, the same texts and numbers.

PostgreSQL's `jsonb`, Django's choice, sorts the keys of objects and refuses U+0000 in texts; its `json` keeps
the text as it came, as SQLite does. Such columns are stored and read, never searched or compared.
"""

from contextlib import suppress
from typing import Any

import msgspec
from django.db import models
from django.db.models import expressions


class DocumentField(models.JSONField):
    """A JSON value, kept as text: `json` on PostgreSQL."""

    description = "A JSON document, kept as it came"

    def db_type(self, connection: Any) -> str | None:
        """Return the column's type."""
        return "json" if connection.vendor == "postgresql" else super().db_type(connection)

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        """Return what the driver is to send."""
        if connection.vendor != "postgresql" or isinstance(value, expressions.Expression):
            return super().get_db_prep_value(value, connection, prepared)
        from psycopg.types.json import Json

        return Json(value)

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        """Decode the text, by msgspec where it can: outcomes of large runs are read on many pages."""
        if isinstance(value, str):
            with suppress(msgspec.DecodeError):
                return msgspec.json.decode(value)
        return super().from_db_value(value, expression, connection)

    def select_format(self, compiler: Any, sql: str, params: Any) -> tuple[str, Any]:
        """Read the text itself, which `from_db_value` decodes, instead of what the driver makes of it."""
        return (f"{sql}::text" if compiler.connection.vendor == "postgresql" else sql), params
