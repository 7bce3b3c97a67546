"""Requests as `HtmxMiddleware` passes them on."""

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails


class HtmxRequest(HttpRequest):
    """A request; `htmx` is true of one for a part of a page."""

    htmx: HtmxDetails
