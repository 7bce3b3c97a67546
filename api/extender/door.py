"""Where requests to extenders come in, in front of Django: read in bounds, and answered in batches."""

import re
import time
from http import HTTPStatus

from asgiref.typing import ASGI3Application, ASGIReceiveCallable, ASGISendCallable, HTTPScope, Scope
from django.conf import settings
from django.http import HttpResponse
from django.http.request import split_domain_port, validate_host

from api.extender.answering import Request, not_signed_in
from api.extender.batches import Batches, InThread, in_pool
from api.extender.verbs import VERBS, Verb
from api.problems import answer_exception
from dashboard.bad_requests import UNKNOWN_HOST
from dashboard.problem_json import problem_response

PREFIX = "/extender/"
BODY_BYTES = 5 * 1024 * 1024
"""Longest body: the names of all nodes, or a pod with its candidates and their victims."""

_ADDRESS = re.compile(rf"{PREFIX}([0-9]{{1,18}})/([a-z]+)", re.ASCII)
_ALWAYS = [(b"cache-control", b"private, no-store"), (b"x-content-type-options", b"nosniff")]


class ExtenderDoor:
    """ASGI middleware that answers what is asked of extenders; all else goes to the application."""

    def __init__(self, application: ASGI3Application, in_thread: InThread = in_pool) -> None:
        self.application = application
        self._batches = Batches(in_thread)

    async def __call__(self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        if scope["type"] != "http" or not scope["path"].startswith(PREFIX):
            await self.application(scope, receive, send)
            return
        answer = await self._answer(scope, receive)
        if answer is not None:
            await _send(answer, send)

    async def _answer(self, scope: HTTPScope, receive: ASGIReceiveCallable) -> HttpResponse | None:
        """Return the answer; None if who asked has gone away before the body was there."""
        address = _ADDRESS.fullmatch(scope["path"])
        verb = VERBS.get(address[2]) if address else None
        if address is None or verb is None:
            return problem_response(HTTPStatus.NOT_FOUND, "There is nothing at this address.")
        headers = dict(scope["headers"])
        refusal = _refusal(verb, scope["method"], headers)
        if refusal is not None:
            return refusal
        body = await _body(receive)
        if body is None:
            return None
        if len(body) > BODY_BYTES:
            return _too_large()
        request = Request(verb, headers.get(b"authorization", b""), body, time.monotonic())
        return await self._batches.answer(int(address[1]), request)


def _refusal(verb: Verb, method: str, headers: dict[bytes, bytes]) -> HttpResponse | None:
    """Return why a request is refused before its body is read, None if it is not."""
    host = split_domain_port(headers.get(b"host", b"").decode("latin-1"))[0]
    if not validate_host(host, settings.ALLOWED_HOSTS):
        return problem_response(HTTPStatus.BAD_REQUEST, UNKNOWN_HOST)
    if method != verb.method and (method, verb.method) != ("HEAD", "GET"):
        detail = f"{method} is not allowed here, {verb.method} is."
        return problem_response(HTTPStatus.METHOD_NOT_ALLOWED, detail, headers={"Allow": verb.method})
    if b"authorization" not in headers:
        return answer_exception(not_signed_in(), {})
    media_type = headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
    if verb.method == "POST" and media_type != b"application/json":
        return problem_response(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "The body must be application/json.")
    if headers.get(b"content-encoding", b"identity").lower() != b"identity":
        return problem_response(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "The body must not be packed.")
    return None


def _too_large() -> HttpResponse:
    detail = f"The body is larger than {BODY_BYTES:,} bytes."
    rest_unread = {"Connection": "close"}
    return problem_response(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, detail, headers=rest_unread)


async def _body(receive: ASGIReceiveCallable) -> bytes | None:
    """Return the body, of one that is too long its beginning; None if its sender has gone away."""
    parts, length, more = [], 0, True
    while more and length <= BODY_BYTES:
        event = await receive()
        if event["type"] != "http.request":
            return None
        parts.append(event["body"])
        length, more = length + len(event["body"]), event["more_body"]
    return b"".join(parts)


async def _send(answer: HttpResponse, send: ASGISendCallable) -> None:
    headers = [(name.lower().encode(), value.encode("latin-1")) for name, value in answer.items()]
    length = (b"content-length", str(len(answer.content)).encode())
    await send(
        {
            "type": "http.response.start",
            "status": answer.status_code,
            "headers": [*headers, length, *_ALWAYS],
            "trailers": False,
        }
    )
    await send({"type": "http.response.body", "body": answer.content, "more_body": False})
