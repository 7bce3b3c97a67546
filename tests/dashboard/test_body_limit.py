"""Bodies beyond the limit are refused before Django stores them, however they arrive."""

import errno
import http.client
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest

from dashboard.body_limit import BodyLimit
from tests.fixtures.database import whichever_database
from tests.fixtures.stack import Stack

LIMIT = 1000


class Reader:
    """An application that reads the whole body and answers 200 with its length."""

    def __init__(self) -> None:
        self.called = False

    async def __call__(self, scope: Any, receive: Callable[[], Any], send: Callable[[Any], Any]) -> None:
        self.called = True
        length, more = 0, True
        while more:
            event = await receive()
            length += len(event.get("body", b""))
            more = event.get("more_body", False)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": str(length).encode()})


async def answer(reader: Reader, chunks: list[bytes], declared: int | None) -> tuple[int, bytes]:
    """Send the chunks through the limit; the status and body of the answer."""
    headers = [] if declared is None else [(b"content-length", str(declared).encode())]
    events = [
        {"type": "http.request", "body": chunk, "more_body": number < len(chunks)}
        for number, chunk in enumerate(chunks, 1)
    ]
    sent: list[Any] = []

    async def receive() -> Any:
        return events.pop(0)

    async def send(event: Any) -> None:
        sent.append(event)

    await BodyLimit(reader, LIMIT)({"type": "http", "headers": headers}, receive, send)
    return sent[0]["status"], sent[1]["body"]


async def test_a_body_of_exactly_the_limit_passes() -> None:
    assert await answer(Reader(), [b"x" * 600, b"x" * 400], None) == (200, b"1000")


async def test_a_declared_length_beyond_the_limit_never_reaches_the_application() -> None:
    reader = Reader()
    status, _ = await answer(reader, [b"x"], LIMIT + 1)
    assert (status, reader.called) == (413, False)


async def test_a_chunked_body_is_refused_once_it_goes_beyond() -> None:
    status, body = await answer(Reader(), [b"x" * 600, b"x" * 401], None)
    assert status == 413
    assert json.loads(body)["title"] == "The request is too large"


async def test_a_length_that_lies_is_counted() -> None:
    assert (await answer(Reader(), [b"x" * 600, b"x" * 600], 10))[0] == 413


async def test_a_body_that_the_disk_has_no_room_for_is_507() -> None:
    class Full(Reader):
        async def __call__(self, scope: Any, receive: Callable[[], Any], send: Callable[[Any], Any]) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

    status, body = await answer(Full(), [b"x"], None)
    assert status == 507
    assert json.loads(body)["detail"].startswith("There is no room left on the server's disk")


async def test_another_fault_of_the_system_is_not_called_a_full_disk() -> None:
    class Broken(Reader):
        async def __call__(self, scope: Any, receive: Callable[[], Any], send: Callable[[Any], Any]) -> None:
            raise OSError(errno.EBADF, "Bad file descriptor")

    with pytest.raises(OSError, match="Bad file"):
        await answer(Broken(), [b"x"], None)


@whichever_database
@pytest.mark.parametrize("chunked", [False, True])
def test_the_server_answers_413_as_a_problem(live_stack: Stack, chunked: bool) -> None:
    address = urlsplit(live_stack.url)
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=60)
    try:
        connection.putrequest("POST", "/api/v1/snapshots/")
        connection.putheader("Authorization", f"Bearer {live_stack.token}")
        connection.putheader("Content-Type", "application/json")
        if chunked:
            connection.putheader("Transfer-Encoding", "chunked")
            connection.endheaders()
            block = b"x" * 1024 * 1024
            for _ in range(202):
                try:
                    connection.send(b"100000\r\n" + block + b"\r\n")
                except OSError:  # the server answers before we are through, as it should
                    break
        else:
            connection.putheader("Content-Length", str(201 * 1024 * 1024))
            connection.endheaders()
        response = connection.getresponse()
        assert response.status == 413
        assert response.headers["Content-Type"] == "application/problem+json"
        told = "The body, unpacked, may have at most 200 MiB. SANDTABLE_BODY_LIMIT_MB raises the limit."
        assert json.loads(response.read())["detail"] == told
    finally:
        connection.close()
