"""Which query parameters an address knows: those that its OpenAPI description declares, and no others.

A misspelt filter that is ignored in silence answers with rows that nobody asked for; so does the first of two
values.
"""

from typing import Any

from rest_framework.exceptions import ValidationError

EVERYWHERE = {"format"}
"""Some clients send it always; addresses that answer in one format only have no use for it."""


def check_parameters(view: Any, request: Any) -> None:
    """Raise ValidationError for parameters that stand twice and may not, or that nobody knows here."""
    handler = getattr(view, request.method.lower(), None)
    description = getattr(handler, "kwargs", {}).get("schema")
    declared = {} if description is None else _declared(description, view, request.method)
    twice = [name for name, values in request.query_params.lists() if len(values) > 1]
    repeated = [name for name in twice if not declared.get(name, False)]
    if repeated:
        raise ValidationError(dict.fromkeys(repeated, "The parameter stands twice."))
    if description is None:
        return
    known = {*declared, *view.list_parameters(request.method)}
    unknown = sorted(set(request.query_params) - known - EVERYWHERE)
    if unknown:
        there_are = f"there are {', '.join(sorted(known))}" if known else "this address has none"
        raise ValidationError(dict.fromkeys(unknown, f"There is no such parameter; {there_are}."))


def _declared(description: type, view: Any, method: str) -> dict[str, bool]:
    """Return the names in the `parameters` of the method's `extend_schema`, and whether each may repeat."""
    schema = description()
    schema.view, schema.method = view, method
    found = schema.get_override_parameters()
    return {one.name: one.many for one in found if one.location == "query"}
