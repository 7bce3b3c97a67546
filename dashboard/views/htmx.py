"""Requests as `HtmxMiddleware` passes them on."""

from collections.abc import Iterable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django_htmx.middleware import HtmxDetails


class HtmxRequest(HttpRequest):
    """A request; `htmx` is true of one for a part of a page."""

    htmx: HtmxDetails


def drawn_anew() -> HttpResponse:
    """Answer a part of a page with the wish that the browser draws the whole page anew."""
    return HttpResponse(headers={"HX-Refresh": "true"})


def once_ended(request: HtmxRequest, goes_on: Iterable[bool], element: str = "going") -> HttpResponse | None:
    """Answer a page that asks, by its `element`, whether to be drawn anew; None to any other request.

    goes_on: of each run that the page waits for whether it goes on; the page stays as it is until none does.
    """
    if request.htmx.target != element:
        return None
    return HttpResponse(status=HTTPStatus.NO_CONTENT) if any(goes_on) else drawn_anew()
