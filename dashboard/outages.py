"""What a reader is told while database or disk fail: 507 or 503 with a sentence, on a page or as a problem.

Nothing is wrong with such a request, and the same may succeed later; everything else that fails is 500.
"""

import sys
from dataclasses import dataclass
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.template.loader import get_template
from django.views import defaults

from dashboard.database_faults import is_disk_full, is_lock, is_passing
from dashboard.problem_json import problem_response

API = ("/api/", "/webhook/")
"""Addresses of programs, which are answered by problems instead of pages."""
RETRY_SECONDS = 5


@dataclass(frozen=True)
class Outage:
    """A fault that passes; `retry_seconds` is None where waiting alone does not help."""

    status: HTTPStatus
    title: str
    sentence: str
    retry_seconds: int | None = None

    @property
    def headers(self) -> dict[str, str]:
        """`Retry-After`, where there is one."""
        return {} if self.retry_seconds is None else {"Retry-After": str(self.retry_seconds)}


DISK_FULL = Outage(
    HTTPStatus.INSUFFICIENT_STORAGE,
    "The disk is full",
    "There is no room left on the server's disk, so this could not be stored. What is stored can still be "
    "read; deleting runs or snapshots makes room.",
)
LOCKED = Outage(
    HTTPStatus.SERVICE_UNAVAILABLE,
    "The database is busy",
    "The database was busy with other changes for too long, so this was not done. Try again in a moment.",
    RETRY_SECONDS,
)
AWAY = Outage(
    HTTPStatus.SERVICE_UNAVAILABLE,
    "The database does not answer",
    "The database does not answer or takes no changes at the moment. Try again in a moment.",
    RETRY_SECONDS,
)


def outage_of(error: BaseException) -> Outage | None:
    """Return what to tell about the error; None if it is a fault of the program."""
    if is_disk_full(error):
        return DISK_FULL
    if is_lock(error):
        return LOCKED
    return AWAY if is_passing(error) else None


def server_error(request: HttpRequest) -> HttpResponse:
    """Django's handler500: what no view answered, from middleware to the saving of a session."""
    error = sys.exc_info()[1]
    outage = None if error is None else outage_of(error)
    if outage is None:
        return defaults.server_error(request)
    if request.path.startswith(API):
        return problem_response(outage.status, outage.sentence, headers=outage.headers)
    page = get_template("outage.html").render({"outage": outage})
    return HttpResponse(page, status=outage.status, headers=outage.headers)
