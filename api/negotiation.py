"""Chooses parser and renderer by headers alone: `format=` belongs to the endpoints themselves."""

from types import SimpleNamespace

from rest_framework.negotiation import DefaultContentNegotiation


class HeaderNegotiation(DefaultContentNegotiation):
    """DRF's negotiation without its `?format=` override, which `state/?format=list` would trip over."""

    settings = SimpleNamespace(URL_FORMAT_OVERRIDE=None)
