"""`application/problem+json` (RFC 9457) as Sandtable words it: `title`, `status`, `detail`, `errors`."""

from http import HTTPStatus
from typing import Any

from django.http import HttpResponse, JsonResponse

from dashboard.errors import listed

MEDIA_TYPE = "application/problem+json"
REQUEST = "request"


def problem_document(status: int, detail: str, errors: list[dict[str, str]] | None = None) -> dict[str, Any]:
    """Return the problem; without `errors` its one sentence is about the request as a whole.

    Of many errors the first are listed, and a last entry says how many more there are.
    """
    return {
        "title": HTTPStatus(status).phrase,
        "status": int(status),
        "detail": detail,
        "errors": listed(errors or [error("", detail)], lambda words: error("", words)),
    }


def problem_response(
    status: int,
    detail: str,
    errors: list[dict[str, str]] | None = None,
    headers: dict[str, str] | None = None,
    more: dict[str, Any] | None = None,
) -> HttpResponse:
    """Return the problem, with `more` members of its own, as a response of its media type."""
    document = {**problem_document(status, detail, errors), **(more or {})}
    return JsonResponse(document, status=int(status), content_type=MEDIA_TYPE, headers=headers)


def error(field: str, message: str, about: str = REQUEST) -> dict[str, str]:
    """Return one entry of `errors`."""
    return {"object": about, "field": field, "message": message}
