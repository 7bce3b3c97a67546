"""Pages `{results, next}`: `next` is null at the end, else the address of the page that follows.

A page is found by the values of its predecessor's last row (a keyset), never by a count, so that rows that
come or go between two requests neither repeat nor hide others. The cursor in the address is opaque.
"""

import base64
from collections.abc import Sequence
from typing import Any

import msgspec
from django.core.exceptions import ValidationError as ModelValidationError
from django.db.models import Q, QuerySet
from rest_framework.exceptions import ValidationError
from rest_framework.pagination import BasePagination
from rest_framework.response import Response

from api.ordering import order_of, value_of
from api.query import read_integer
from scheduler_core.objects.problems import BadInput
from scheduler_core.objects.reading.json_text import decode_json

DEFAULT_LIMIT = 100
MAX_LIMIT = 1_000
MAX_CURSOR_LENGTH = 4_000
CURSOR_DEPTH = 2


def read_limit(query: Any, default: int = DEFAULT_LIMIT, maximum: int = MAX_LIMIT) -> int:
    """Return `limit` of the query. Raises ValidationError outside of 1 to `maximum`."""
    limit: int = read_integer(query, "limit", default, 1, maximum)
    return limit


def next_address(request: Any, **changes: Any) -> str:
    """Return this request's own address (path and query) with some parameters changed."""
    query = request.query_params.copy()
    for name, value in changes.items():
        query[name] = str(value)
    return f"{request.path}?{query.urlencode()}"


def encode_cursor(values: Any) -> str:
    """Return an opaque, address-safe text for a JSON value."""
    return base64.urlsafe_b64encode(msgspec.json.encode(values)).decode().rstrip("=")


def decode_cursor(text: str) -> Any:
    """Return what `encode_cursor` was given. Raises ValidationError for anything else."""
    if len(text) > MAX_CURSOR_LENGTH:
        raise ValidationError({"cursor": "This is no cursor of ours."})
    try:
        data = base64.urlsafe_b64decode(text.encode() + b"=" * (-len(text) % 4))
        return decode_json(data, CURSOR_DEPTH)
    except (ValueError, BadInput) as failure:
        raise ValidationError({"cursor": "This is no cursor of ours."}) from failure


class KeysetPagination(BasePagination):
    """Cuts an ordered queryset into pages; its last ordering field must be unique."""

    def paginate_queryset(self, queryset: QuerySet[Any], request: Any, view: Any = None) -> list[Any]:
        """Return this page's rows and remember whether another follows."""
        self.request = request
        self.limit = read_limit(request.query_params)
        self.order = order_of(queryset)
        cursor = request.query_params.get("cursor")
        if cursor:
            queryset = self._after(queryset, decode_cursor(cursor))
        try:
            rows = list(queryset[: self.limit + 1])
        except (TypeError, ValueError, OverflowError, ModelValidationError) as failure:
            raise ValidationError({"cursor": "This is no cursor of ours."}) from failure
        self.next = self._address_after(rows[self.limit - 1]) if len(rows) > self.limit else None
        return rows[: self.limit]

    def _after(self, queryset: QuerySet[Any], cursor: Any) -> QuerySet[Any]:
        well_formed = (
            isinstance(cursor, list)
            and len(cursor) == 2
            and isinstance(cursor[1], list)
            and len(cursor[1]) == len(self.order)
            and all(isinstance(value, str | int | float) for value in cursor[1])
        )
        if not well_formed:
            raise ValidationError({"cursor": "This is no cursor of ours."})
        if cursor[0] != self.order:
            raise ValidationError({"cursor": "This cursor belongs to another ordering."})
        try:
            return queryset.filter(_beyond(self.order, cursor[1]))
        except (TypeError, ValueError, OverflowError, ModelValidationError) as failure:
            raise ValidationError({"cursor": "This is no cursor of ours."}) from failure

    def _address_after(self, row: Any) -> str:
        values = [value_of(row, field) for field in self.order]
        return next_address(self.request, cursor=encode_cursor([self.order, values]))

    def get_paginated_response(self, data: Any) -> Response:
        """Return the page."""
        return Response({"results": data, "next": self.next})

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Describe a page for OpenAPI."""
        return {
            "type": "object",
            "required": ["results", "next"],
            "properties": {"results": schema, "next": {"type": ["string", "null"]}},
        }

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """Describe the query parameters for OpenAPI."""
        limit = {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": DEFAULT_LIMIT}
        return [
            {"name": "limit", "in": "query", "description": "Most results in a page.", "schema": limit},
            {
                "name": "cursor",
                "in": "query",
                "description": "Opaque: follow `next`.",
                "schema": {"type": "string", "maxLength": MAX_CURSOR_LENGTH},
            },
        ]


def _beyond(order: Sequence[str], values: Sequence[Any]) -> Q:
    """Return the condition that a row comes after the one with these values in this order."""
    condition, equal = Q(), Q()
    for field, value in zip(order, values, strict=True):
        name = field.lstrip("-")
        comparison = "lt" if field.startswith("-") else "gt"
        condition |= equal & Q(**{f"{name}__{comparison}": value})
        equal &= Q(**{name: value})
    return condition
