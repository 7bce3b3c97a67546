"""Sorting of lists: `ordering=-priority,name`, checked against what the address offers.

Whatever is asked for, the unique field of the list's own order comes last, so that pages are stable.
"""

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from rest_framework.exceptions import ValidationError
from rest_framework.filters import BaseFilterBackend


class Ordering(BaseFilterBackend):
    """Sorts by the view's `ordering_fields` (name in the address → field), else by its `default_order`."""

    def filter_queryset(self, request: Any, queryset: QuerySet[Any], view: Any) -> QuerySet[Any]:
        """Return the queryset in the order asked for. Raises ValidationError for unknown fields."""
        asked = [part.strip() for part in request.query_params.get("ordering", "").split(",") if part.strip()]
        fields = [_field(part, view.ordering_fields) for part in asked]
        if len(fields) != len({field.lstrip("-") for field in fields}):
            raise ValidationError({"ordering": "A field is named twice."})
        taken = {field.lstrip("-") for field in fields}
        rest = [field for field in view.default_order if field.lstrip("-") not in taken]
        return queryset.order_by(*fields, *(rest if not fields else rest[-1:]))

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """Describe the query parameter for OpenAPI."""
        names = ", ".join(f"`{name}`" for name in view.ordering_fields)
        text = f"Fields to sort by, with commas between, each with `-` before it for descending: {names}."
        return [{"name": "ordering", "in": "query", "description": text, "schema": {"type": "string"}}]


def _field(part: str, offered: dict[str, str]) -> str:
    name = part.removeprefix("-")
    if name not in offered:
        raise ValidationError({"ordering": f"Cannot sort by {name!r}; there are {', '.join(offered)}."})
    return ("-" if part.startswith("-") else "") + offered[name]


def order_of(queryset: QuerySet[Any]) -> Sequence[str]:
    """Return the fields that an explicitly ordered queryset is sorted by."""
    return [str(field) for field in queryset.query.order_by]


def value_of(row: Any, field: str) -> Any:
    """Return a row's value of an ordering field, as JSON can hold it."""
    value: Any = row
    for name in field.lstrip("-").split("__"):
        value = getattr(value, name)
    return value.isoformat() if hasattr(value, "isoformat") else value
