"""Words that the OpenAPI document says in many places."""

from http import HTTPStatus
from typing import Any

from drf_spectacular.utils import OpenApiParameter, OpenApiResponse

from api.serializers.strict import ProblemAnswer
from dashboard.problem_json import MEDIA_TYPE

CASCADE = OpenApiParameter("cascade", bool, description="Delete what depends on it as well.")
WITH_OBJECT = OpenApiParameter("object", bool, description="Show each row's whole object too.")


KUBERNETES_LIST: dict[str, Any] = {
    "type": "object",
    "required": ["apiVersion", "kind", "items"],
    "properties": {
        "apiVersion": {"const": "v1"},
        "kind": {"const": "List"},
        "items": {"type": "array", "items": {"type": "object", "additionalProperties": {}}},
    },
}


def refusals(*statuses: int) -> dict[Any, Any]:
    """Describe the problems that an address answers with; 400 (the query), 401 and outages are everywhere."""
    return {
        (status, MEDIA_TYPE): OpenApiResponse(ProblemAnswer, HTTPStatus(status).phrase)
        for status in sorted({400, 401, 503, 507, *statuses})
    }


def rows_of(serializer: type[Any]) -> dict[Any, Any]:
    """Describe a page of a list's rows; only under this key is it known to be a list."""
    return {(200, "application/json"): serializer(many=True)}


def reference(name: str) -> dict[str, Any]:
    """Name a component of the document, such as one of `engine_schemas`."""
    return {"$ref": f"#/components/schemas/{name}"}


def page_of(item: dict[str, Any]) -> dict[str, Any]:
    """Describe a page `{results, next}` of such items."""
    return {
        "type": "object",
        "required": ["results", "next"],
        "properties": {
            "results": {"type": "array", "items": item},
            "next": {"type": ["string", "null"]},
        },
    }


def json_answer(schema: dict[str, Any]) -> dict[Any, Any]:
    """Describe a JSON answer by a schema of ours."""
    return {(200, "application/json"): schema}
