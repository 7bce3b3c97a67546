"""The order of names for people: numbers in them count as numbers, so that worker-2 stands before worker-10.

Logs, decisions and whatever shows a scheduler's own order, REST's lists too, go by code point (collation.py).
static/js/names.js does the same in the browser.
"""

import re
from typing import Any

from django.db.models import CharField, Func

_NUMBER = re.compile(r"[0-9]+")
_WIDTH = 20
"""So many digits of a number count on PostgreSQL."""


def natural_key(name: str) -> str:
    """Return a text by which names are sorted; it is the same for `a-1` and `a-01`."""
    return _NUMBER.sub(_with_length, name)


def _with_length(found: re.Match[str]) -> str:
    digits = found[0].lstrip("0")
    return f"{len(digits):03}{digits}"


class NaturalKey(Func):
    """The key of a name that a row has, for `order_by`."""

    function = "natural_key"
    arity = 1
    output_field = CharField()

    def as_postgresql(self, compiler: Any, connection: Any, **more: Any) -> Any:
        """Fill numbers up with zeros from the left."""
        padded = rf"regexp_replace(%(expressions)s, '([0-9]+)', '{'0' * _WIDTH}\1', 'g')"
        template = rf"regexp_replace({padded}, '[0-9]*([0-9]{{{_WIDTH}}})', '\1', 'g')"
        return super().as_sql(compiler, connection, template=template, **more)


def know_natural_key(connection: Any, **_: Any) -> None:
    """Let a connection to SQLite call `natural_key`: whenever one is made (apps.py)."""
    if connection.vendor == "sqlite":
        connection.connection.create_function("natural_key", 1, natural_key, deterministic=True)
