"""Who is being answered: noted for each request, so that services need not be told by all their callers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse

_request: ContextVar[HttpRequest | None] = ContextVar("request", default=None)
_at_server: ContextVar[bool] = ContextVar("at_server", default=False)


class Asker(NamedTuple):
    """The user's name, empty for nobody and for a command on the server; and the client's address."""

    name: str = ""
    address: str = ""


def asker() -> Asker | None:
    """Return who is being answered now; None in the background."""
    request = _request.get()
    if request is None:
        return Asker() if _at_server.get() else None
    user = getattr(request, "user", None)
    name = user.get_username() if user is not None and user.is_authenticated else ""
    return Asker(name, request.META.get("REMOTE_ADDR", ""))


@contextmanager
def at_server() -> Iterator[None]:
    """Within, a command on the server itself is what asks."""
    token = _at_server.set(True)
    try:
        yield
    finally:
        _at_server.reset(token)


class AnsweredRequest:
    """Middleware: remembers the request while it is answered. Its user is known once something reads it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        token = _request.set(request)
        try:
            return self._get_response(request)
        finally:
            _request.reset(token)
