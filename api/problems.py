"""Every refusal as `application/problem+json` (RFC 9457), whatever raised it.

A problem has `title` (the status in words), `status`, `detail` (one sentence) and `errors`: a list of
`{object, field, message}`, where `object` is an API object as people name it (`Pod default/web`) or
`request`, and `field` a dotted path in it (empty where no single field is to blame). Of many errors the
first are listed, and a last one says how many more there are. Of an import that would go without some of its
files and objects, `faulty` says without how many.
"""

import logging
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import (
    ObjectDoesNotExist,
    PermissionDenied,
    SuspiciousOperation,
    TooManyFilesSent,
)
from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from django.views.decorators.csrf import csrf_exempt
from rest_framework import exceptions
from rest_framework.views import set_rollback

from api.refusals import status_of
from dashboard.database_faults import names_what_is_gone
from dashboard.errors import HasDependents, PutAway, Refused
from dashboard.outages import RETRY_SECONDS, outage_of
from dashboard.problem_json import REQUEST, error, problem_response
from dashboard.services.imports.uploaded_cluster import Faulty
from dashboard.services.workspace.put_away import ask_back
from scheduler_core.objects.problems import BadInput

logger = logging.getLogger(__name__)


class TooLarge(exceptions.APIException):
    """413: the body is longer than this address takes."""

    status_code = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    default_detail = "The body is larger than this address takes."


class EncodingNotSpoken(exceptions.APIException):
    """415: the body is packed in a way that is not read."""

    status_code = HTTPStatus.UNSUPPORTED_MEDIA_TYPE

    def __init__(self, encoding: str) -> None:
        super().__init__(f"Bodies packed as {encoding[:80]} are not read: pack them by gzip, or not at all.")


class PreconditionUnreadable(exceptions.APIException):
    """412: If-Match holds no entity tag of ours."""

    status_code = HTTPStatus.PRECONDITION_FAILED
    default_detail = 'If-Match must hold an ETag in its quotes, such as "3", or * for any version.'


class PreconditionRequired(exceptions.APIException):
    """428: a change must name the version that it is based on."""

    status_code = HTTPStatus.PRECONDITION_REQUIRED
    default_detail = "Send If-Match with the ETag of the version that this change is based on."


def answer_exception(exception: Exception, context: dict[str, Any]) -> HttpResponse:
    """DRF's exception handler: the problem for `exception`; a fault of our own is logged and 500."""
    set_rollback()
    response = _response_for(exception, _spoken(context))
    if response is None:
        logger.error("REST failed", exc_info=exception)
        detail = "The server failed; its log says more."
        return problem_response(HTTPStatus.INTERNAL_SERVER_ERROR, detail)
    return response


def _spoken(context: dict[str, Any]) -> list[str]:
    """Return the media types that the view reads."""
    parsers = getattr(context.get("view"), "parser_classes", [])
    return [parser.media_type for parser in parsers]


def _response_for(exception: Exception, spoken: list[str]) -> HttpResponse | None:
    if isinstance(exception, BadInput):
        entries = [error(problem.field, problem.message, problem.object) for problem in exception.problems]
        more = {"faulty": exception.number} if isinstance(exception, Faulty) else {}
        return problem_response(HTTPStatus.BAD_REQUEST, summary(entries), entries, more=more)
    if isinstance(exception, PutAway):
        ask_back(exception.snapshot)
        entries = [error("status", exception.snapshot.status, f"snapshot {exception.snapshot.pk}")]
        return problem_response(HTTPStatus.CONFLICT, str(exception), entries, headers={"Retry-After": "1"})
    if isinstance(exception, Refused):
        dependents = exception.dependents if isinstance(exception, HasDependents) else []
        entries = [error("", "depends on it", dependent) for dependent in dependents]
        status = status_of(exception)
        again = {"Retry-After": str(RETRY_SECONDS)} if status == HTTPStatus.SERVICE_UNAVAILABLE else {}
        return problem_response(status, str(exception), entries, headers=again)
    if isinstance(exception, exceptions.ValidationError):
        entries = [error(field, message) for field, message in flatten(exception.detail)]
        return problem_response(HTTPStatus.BAD_REQUEST, summary(entries), entries)
    if isinstance(exception, Http404):
        return problem_response(HTTPStatus.NOT_FOUND, "There is nothing at this address.")
    if isinstance(exception, PermissionDenied):
        detail = str(exception) or str(exceptions.PermissionDenied.default_detail)
        return problem_response(HTTPStatus.FORBIDDEN, detail)
    if isinstance(exception, EncodingNotSpoken):
        headers = {"Accept-Encoding": "gzip"}
        return problem_response(exception.status_code, str(exception.detail), headers=headers)
    if isinstance(exception, exceptions.UnsupportedMediaType):
        types = ", ".join(dict.fromkeys(spoken))
        detail = f"{exception.detail} Send {types}."
        return problem_response(exception.status_code, detail, headers={"Accept": types})
    if isinstance(exception, exceptions.APIException):
        return problem_response(exception.status_code, str(exception.detail), headers=_headers(exception))
    if isinstance(exception, TooManyFilesSent):
        most = settings.DATA_UPLOAD_MAX_NUMBER_FILES
        return problem_response(HTTPStatus.BAD_REQUEST, f"Send at most {most} files at a time.")
    if isinstance(exception, SuspiciousOperation | UnreadablePostError):
        return problem_response(HTTPStatus.BAD_REQUEST, "The request cannot be read.")
    if isinstance(exception, ObjectDoesNotExist) or names_what_is_gone(exception):
        logger.warning("REST was asked about what was deleted meanwhile", exc_info=exception)
        return problem_response(HTTPStatus.NOT_FOUND, "What this is about was deleted meanwhile.")
    return _response_for_outage(exception)


def _response_for_outage(exception: Exception) -> HttpResponse | None:
    outage = outage_of(exception)
    if outage is None:
        return None
    logger.warning("REST could not go on: %s", outage.title, exc_info=exception)
    return problem_response(outage.status, outage.sentence, headers=outage.headers)


def _headers(exception: exceptions.APIException) -> dict[str, str]:
    headers = {}
    if getattr(exception, "auth_header", None):
        headers["WWW-Authenticate"] = exception.auth_header
    if getattr(exception, "wait", None):
        headers["Retry-After"] = str(int(exception.wait))
    return headers


def summary(entries: list[dict[str, str]]) -> str:
    """Say the first error in a sentence and how many there are."""
    if not entries:
        return "The request is not valid."
    first = entries[0]
    place = " ".join(part for part in (first["object"], first["field"]) if part and part != REQUEST)
    text = f"{place}: {first['message']}" if place else first["message"]
    return text if len(entries) == 1 else f"{text} (and {len(entries) - 1} more)"


def flatten(detail: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield (dotted field, message) for each leaf of DRF's nested error detail."""
    if isinstance(detail, dict):
        for key, value in detail.items():
            name = "" if key == "non_field_errors" else str(key)
            yield from flatten(value, ".".join(part for part in (path, name) if part))
    elif isinstance(detail, list):
        for index, value in enumerate(detail):
            nested = isinstance(value, dict | list)
            yield from flatten(value, f"{path}.{index}".lstrip(".") if nested else path)
    else:
        yield path, str(detail)


@login_not_required
@csrf_exempt
def answer_not_found(request: HttpRequest, path: str = "") -> HttpResponse:
    """Answer an address under `/api/v1/` that does not exist."""
    hint = "" if path.endswith("/") or not path else " Addresses end with a slash."
    return problem_response(HTTPStatus.NOT_FOUND, f"There is nothing at this address.{hint}")
