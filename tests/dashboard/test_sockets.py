"""Who may open a socket, and what unknown addresses answer, over real connections."""

from contextlib import suppress

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from tests.fixtures.database import whichever_database
from tests.fixtures.stack import Stack

pytestmark = whichever_database

SECONDS = 60
MISSING_RUN = "/ws/runs/999999/"


def close_code(stack: Stack, path: str, origin: str | None = None, **headers: str) -> int | None:
    """Open a socket of the stack; the code with which the server closes it."""
    address = stack.url.replace("http", "ws", 1) + path
    with connect(address, origin=origin, additional_headers=headers, open_timeout=SECONDS) as socket:
        with suppress(ConnectionClosed):
            while True:
                socket.recv(timeout=SECONDS)
        return socket.close_code


def cookie(stack: Stack, name: str) -> str:
    return f"sandtable_session={stack.sessions[name]}"


def test_a_token_needs_no_origin(live_stack: Stack) -> None:
    assert close_code(live_stack, MISSING_RUN, Authorization=f"Bearer {live_stack.token}") == 4404


def test_a_session_counts_from_our_own_origin(live_stack: Stack) -> None:
    assert (
        close_code(live_stack, MISSING_RUN, origin=live_stack.url, Cookie=cookie(live_stack, "bob")) == 4404
    )


def test_an_outsider_is_told_nothing(live_stack: Stack) -> None:
    assert (
        close_code(live_stack, MISSING_RUN, origin=live_stack.url, Cookie=cookie(live_stack, "charlie"))
        == 4404
    )


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer nonsense"}])
def test_nobody_is_closed_with_4401(live_stack: Stack, headers: dict[str, str]) -> None:
    assert close_code(live_stack, MISSING_RUN, origin=live_stack.url, **headers) == 4401


def test_a_program_that_forgot_its_token_is_closed_with_4401(live_stack: Stack) -> None:
    assert close_code(live_stack, MISSING_RUN) == 4401


def test_a_token_in_the_address_does_not_count(live_stack: Stack) -> None:
    assert close_code(live_stack, f"{MISSING_RUN}?token={live_stack.token}", origin=live_stack.url) == 4401


@pytest.mark.parametrize("origin", ["http://evil.example", "http://localhost:1", None])
def test_a_foreign_page_cannot_use_the_session(live_stack: Stack, origin: str | None) -> None:
    with pytest.raises(InvalidStatus) as refused:
        close_code(live_stack, MISSING_RUN, origin=origin, Cookie=cookie(live_stack, "alice"))
    assert refused.value.response.status_code == 403


def test_an_unknown_address_is_closed_with_4404(live_stack: Stack) -> None:
    before = len(live_stack.printed())
    assert close_code(live_stack, "/ws/nothing/", Authorization=f"Bearer {live_stack.token}") == 4404
    assert "Traceback" not in live_stack.printed()[before:]
