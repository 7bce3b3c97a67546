"""What Django itself refuses before any view is answered 400: on a page, or as a problem for REST."""

from http import HTTPStatus

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.views import defaults

from dashboard.outages import API
from dashboard.problem_json import problem_response

UNKNOWN_HOST = "This host name is not served here; SANDTABLE_ALLOWED_HOSTS lists those that are."
UNREADABLE = "The request cannot be read."


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler400."""
    if not request.path.startswith(API):
        return defaults.bad_request(request, exception)
    detail = UNKNOWN_HOST if isinstance(exception, DisallowedHost) else UNREADABLE
    return problem_response(HTTPStatus.BAD_REQUEST, detail)
