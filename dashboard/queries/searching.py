"""Searching by words: what is asked of a query for each of them, and how much may be searched for.

Each word becomes conditions of its own in the query, which costs time.
"""

from collections.abc import Sequence
from typing import Any

from django.db.models import Case, IntegerField, Q, QuerySet, Value, When
from django.db.models.functions import Length

LONGEST_SEARCH = 200
MOST_WORDS = 10
LONGEST_VALUE = 1_000
"""Longest value of a filter; no name in a cluster is longer."""


def search_fault(text: str, words: int) -> str | None:
    """Return why the search for a text of so many words is refused, or None."""
    if len(text) > LONGEST_SEARCH:
        return f"A search may have at most {LONGEST_SEARCH} characters, not {len(text):,}."
    if words > MOST_WORDS:
        return f"A search may have at most {MOST_WORDS} words, not {words:,}."
    return None


def value_fault(name: str, text: str) -> str | None:
    """Return why the value of a parameter is refused, or None."""
    if "\x00" in text:
        return f"“{name}” must not have null characters."
    if len(text) > LONGEST_VALUE:
        return f"“{name}” may have at most {LONGEST_VALUE:,} characters, not {len(text):,}."
    return None


def words_in(text: str) -> list[str]:
    """Return the words of a text; the parts of `namespace/name` are words too."""
    return text.replace("/", " ").split()


def with_words(rows: QuerySet[Any], text: str, fields: Sequence[str]) -> QuerySet[Any]:
    """Return the rows that have each word somewhere in one of the fields, without regard to case."""
    for word in words_in(text):
        matches = Q()
        for field in fields:
            matches |= Q(**{f"{field}__icontains": word})
        rows = rows.filter(matches)
    return rows


def best_named(rows: QuerySet[Any], text: str, fields: Sequence[str], name: str = "name") -> QuerySet[Any]:
    """Return the same, first whose name it is, then whose name begins so, short names before long ones."""
    called = text.strip().rpartition("/")[2]
    rank = Case(
        When(**{f"{name}__iexact": called}, then=Value(0)),
        When(**{f"{name}__istartswith": called}, then=Value(1)),
        default=Value(2),
        output_field=IntegerField(),
    )
    ranked = with_words(rows, text, fields).annotate(name_rank=rank, name_length=Length(name))
    found: QuerySet[Any] = ranked.order_by("name_rank", "name_length", name, "pk")
    return found
