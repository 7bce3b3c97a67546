"""A limit on request bodies in front of Django, which under ASGI would store any body before it looks at it.

A declared length beyond the limit is refused at once; a chunked body is counted as it comes in. The answer
is 413 with ``application/problem+json``, and the connection is closed: the rest of the body is not read.
Django keeps a long body in a temporary file; where the disk has no room for that, the answer is 507.
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

from dashboard.amounts import binary_size
from dashboard.outages import outage_of
from dashboard.problem_json import MEDIA_TYPE, problem_document


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
            await _refuse(send, _too_large(self.limit))
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
            await _refuse(send, _too_large(self.limit))
        except OSError as error:
            outage = outage_of(error)
            if answered or outage is None:
                raise
            await _refuse(send, problem_document(outage.status, outage.sentence))


async def _refuse(send: ASGISendCallable, problem: dict[str, Any]) -> None:
    body = json.dumps(problem).encode()
    headers = [
        (b"content-type", MEDIA_TYPE.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    status = problem["status"]
    await send({"type": "http.response.start", "status": status, "headers": headers, "trailers": False})
    await send({"type": "http.response.body", "body": body, "more_body": False})


def _declared_length(scope: Any) -> int:
    """The Content-Length in bytes; 0 if there is none (the server itself refuses one that is no number)."""
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit():
            return int(value)
    return 0


def too_long(limit: int) -> str:
    """Return what to say of a body that has, or unpacks to, more than `limit` bytes."""
    return f"The body, unpacked, may have at most {binary_size(limit)}."


def too_long_for_all(limit: int) -> str:
    """Return the same where `limit` is that of all bodies, which has a setting."""
    return f"{too_long(limit)} SANDTABLE_BODY_LIMIT_MB raises the limit."


def _too_large(limit: int) -> dict[str, Any]:
    detail = too_long_for_all(limit)
    return {
        "type": "about:blank",
        "title": "The request is too large",
        "status": 413,
        "detail": detail,
        "errors": [{"object": "request", "field": "", "message": detail}],
    }
