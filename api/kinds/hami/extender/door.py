"""Where requests to extenders come in, in front of Django: read in bounds, and answered in batches."""

import asyncio
import re
import time
from http import HTTPStatus

from asgiref.typing import ASGI3Application, ASGIReceiveCallable, ASGISendCallable, HTTPScope, Scope
from django.conf import settings
from django.http import HttpResponse
from django.http.request import split_domain_port, validate_host

from api.kinds.hami.extender.batch_answers import Request, known_asker, not_signed_in
from api.kinds.hami.extender.batches import Batches, InThread, in_pool
from api.kinds.hami.extender.verbs import VERBS, Verb
from api.problems import answer_exception
from dashboard.amounts import binary_size
from dashboard.bad_requests import UNKNOWN_HOST
from dashboard.problem_json import problem_response

PREFIX = "/extender/"
BODY_BYTES = 5 * 1024 * 1024
"""Longest body: the names of all nodes, or a pod with its candidates and their victims."""
UNASKED_BYTES = 64 * 1024
"""What is read of a body before it is looked up whose token came with it: most have no more."""
BODY_SECONDS = 20.0
"""How long a body may take to come in: kube-scheduler waits five seconds for the answer by default."""
LARGE_AT_ONCE = 16
"""So many bodies longer than UNASKED_BYTES are held at once by a process; others wait until one is read."""

_ADDRESS = re.compile(rf"{PREFIX}([0-9]{{1,18}})/([a-z]+)", re.ASCII)
_ALWAYS = [(b"cache-control", b"private, no-store"), (b"x-content-type-options", b"nosniff")]


class ExtenderDoor:
    """ASGI middleware that answers what is asked of extenders; all else goes to the application."""

    def __init__(self, application: ASGI3Application, in_thread: InThread = in_pool) -> None:
        self.application = application
        self._in_thread = in_thread
        self._batches = Batches(in_thread)
        self._large = asyncio.Semaphore(LARGE_AT_ONCE)

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
        authorization = headers.get(b"authorization", b"")
        body = _Body(receive)
        try:
            async with asyncio.timeout(BODY_SECONDS):
                await body.read(UNASKED_BYTES)
        except TimeoutError:
            return _too_slow()
        if not body.has_more:
            return await self._asked(int(address[1]), verb, authorization, body)
        return await self._asked_at_length(int(address[1]), verb, authorization, body)

    async def _asked(
        self, scenario: int, verb: Verb, authorization: bytes, body: "_Body"
    ) -> HttpResponse | None:
        if body.is_cut_off:
            return None
        if body.length > BODY_BYTES:
            return _closing(_too_large())
        request = Request(verb, authorization, body.content(), time.monotonic())
        return await self._batches.answer(scenario, request)

    async def _asked_at_length(
        self, scenario: int, verb: Verb, authorization: bytes, body: "_Body"
    ) -> HttpResponse | None:
        """Answer where the body is long: who sends it must be known, and only so many are held at once."""
        refusal = await self._in_thread(known_asker, authorization)
        if refusal is not None:
            return _closing(refusal)
        try:
            async with asyncio.timeout(BODY_SECONDS) as deadline, self._large:
                await body.read(BODY_BYTES)
                deadline.reschedule(None)  # the answer has limits of its own
                return await self._asked(scenario, verb, authorization, body)
        except TimeoutError:
            return _too_slow()


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
    detail = f"The body may have at most {binary_size(BODY_BYTES)}."
    return problem_response(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, detail)


def _too_slow() -> HttpResponse:
    detail = f"The body was not there within {BODY_SECONDS:.0f} seconds."
    return _closing(problem_response(HTTPStatus.REQUEST_TIMEOUT, detail))


def _closing(answer: HttpResponse) -> HttpResponse:
    """Return the answer to a request whose rest is not read."""
    answer["Connection"] = "close"
    return answer


class _Body:
    """The body of a request, read as far as somebody wants it.

    has_more: whether there is more to read. is_cut_off: whether its sender has gone away.
    """

    def __init__(self, receive: ASGIReceiveCallable) -> None:
        self._receive = receive
        self._parts: list[bytes] = []
        self.length = 0
        self.has_more = True
        self.is_cut_off = False

    async def read(self, most: int) -> None:
        """Read to the end, or until there is more than that."""
        while self.has_more and self.length <= most:
            event = await self._receive()
            if event["type"] != "http.request":
                self.is_cut_off, self.has_more = True, False
                return
            self._parts.append(event["body"])
            self.length += len(event["body"])
            self.has_more = event["more_body"]

    def content(self) -> bytes:
        """Return what was read."""
        return b"".join(self._parts)


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
