"""Requests as `HtmxMiddleware` passes them on."""

from collections.abc import Iterable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django_htmx.middleware import HtmxDetails


class HtmxRequest(HttpRequest):
    """A request; `htmx` is true of one for a part of a page."""

    htmx: HtmxDetails


def once_ended(request: HtmxRequest, goes_on: Iterable[bool]) -> HttpResponse | None:
    """Answer a page that asks, by its element `going`, whether to be drawn anew; None to any other request.

    goes_on: of each run that the page shows whether it goes on; the page stays as it is until none does.
    """
    if request.htmx.target != "going":
        return None
    if any(goes_on):
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    return HttpResponse(headers={"HX-Refresh": "true"})
