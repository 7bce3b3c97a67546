"""A limit on request bodies in front of Django, which under ASGI would store any body before it looks at it.

A declared length beyond the limit is refused at once; a chunked body is counted as it comes in. The answer
is 413 with ``application/problem+json``, and the connection is closed: the rest of the body is not read.
"""

import json
from typing import Any

from asgiref.typing import (
    ASGI3Application,
    ASGIReceiveCallable,
    ASGIReceiveEvent,
    ASGISendCallable,
    ASGISendEvent,
    Scope,
)

from dashboard.environment import MEGABYTE


class BodyTooLarge(Exception):
    """The body went beyond the limit while it was read."""


class BodyLimit:
    """ASGI middleware that refuses request bodies of more than ``limit`` bytes."""

    def __init__(self, application: ASGI3Application, limit: int) -> None:
        self.application = application
        self.limit = limit

    async def __call__(self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        if scope["type"] != "http":
            await self.application(scope, receive, send)
        elif _declared_length(scope) > self.limit:
            await self._refuse(send)
        else:
            await self._pass_counted(scope, receive, send)

    async def _pass_counted(self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        received = 0
        answered = False

        async def counted_receive() -> ASGIReceiveEvent:
            nonlocal received
            event = await receive()
            if event["type"] == "http.request":
                received += len(event.get("body", b""))
                if received > self.limit:
                    raise BodyTooLarge
            return event

        async def noted_send(event: ASGISendEvent) -> None:
            nonlocal answered
            answered = answered or event["type"] == "http.response.start"
            await send(event)

        try:
            await self.application(scope, counted_receive, noted_send)
        except BodyTooLarge:
            if answered:
                raise
            await self._refuse(send)

    async def _refuse(self, send: ASGISendCallable) -> None:
        body = json.dumps(_problem(self.limit)).encode()
        headers = [
            (b"content-type", b"application/problem+json"),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),
        ]
        await send({"type": "http.response.start", "status": 413, "headers": headers, "trailers": False})
        await send({"type": "http.response.body", "body": body, "more_body": False})


def _declared_length(scope: Any) -> int:
    """The Content-Length in bytes; 0 if there is none (the server itself refuses one that is no number)."""
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit():
            return int(value)
    return 0


def _problem(limit: int) -> dict[str, Any]:
    megabytes = limit / MEGABYTE
    detail = f"The body may have at most {megabytes:g} MiB. SANDTABLE_BODY_LIMIT_MB raises the limit."
    return {
        "type": "about:blank",
        "title": "The request is too large",
        "status": 413,
        "detail": detail,
        "errors": [{"object": "request", "field": "", "message": detail}],
    }
