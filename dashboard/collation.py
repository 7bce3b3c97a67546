"""One order of texts on every database: by code point, as Kubernetes, the engine and SQLite sort names.

A PostgreSQL database sorts as it was created, mostly like a dictionary ("B" after "a-b"). So after each
migration every text column gets the collation "C", whatever the database's own is: lists, pages and their
cursors are then the same everywhere. Only indexes are built anew for it, never a table.
"""

from typing import Any

from django.db import connections

COLUMNS = """
    SELECT table_name, column_name, data_type, character_maximum_length
    FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name = ANY(%s)
      AND data_type IN ('character varying', 'text') AND collation_name IS DISTINCT FROM 'C'
"""


def sort_texts_by_code_point(using: str, **_: Any) -> None:
    """Give every text column of Django's tables the collation "C"; nothing to do but on PostgreSQL."""
    connection = connections[using]
    if connection.vendor != "postgresql":
        return
    quote = connection.ops.quote_name
    with connection.cursor() as cursor:
        for table, column, kind, length in other_columns(using):
            kind = f"varchar({length})" if length else "text" if kind == "text" else "varchar"
            cursor.execute(f'ALTER TABLE {quote(table)} ALTER COLUMN {quote(column)} TYPE {kind} COLLATE "C"')


def other_columns(using: str) -> list[tuple[str, str, str, int | None]]:
    """Return table, name, type and length of the text columns that are sorted otherwise."""
    connection = connections[using]
    with connection.cursor() as cursor:
        cursor.execute(COLUMNS, [connection.introspection.django_table_names()])
        rows: list[tuple[str, str, str, int | None]] = cursor.fetchall()
    return rows
