"""docs/rest.md tells what the live stream says, and its client follows a run to the end."""

import json
import os
import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from websockets.sync.server import ServerConnection, serve

from dashboard import consumers
from dashboard.services.background import execution
from dashboard.services.workspace import runs
from tests.dashboard.rows import listing, new_run, node, pod
from tests.dashboard.sockets import Socket
from tests.fixtures.database import whichever_database
from tests.fixtures.stack import Stack

DOCUMENTATION = Path(__file__).parents[2] / "docs" / "rest.md"
SECONDS = 300
HELD = {"status": "finished", "decisions": 3, "want": "", "rate": None, "error": ""}


def section() -> str:
    """What the documentation says of the stream."""
    return DOCUMENTATION.read_text().partition("\n## Live\n")[2].partition("\n## ")[0]


def code_of_client() -> str:
    """The client in it."""
    return section().partition("```python\n")[2].partition("```")[0]


def follow(server: str, run: int, token: str) -> subprocess.CompletedProcess[str]:
    """Run the client until it ends."""
    return subprocess.run(
        [sys.executable, "-c", code_of_client(), server, str(run)],
        env={**os.environ, "TOKEN": token, "NO_PROXY": "127.0.0.1"},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


def test_the_client_has_twenty_lines() -> None:
    lines = [line for line in code_of_client().splitlines() if line]
    assert len(lines) <= 20


@whichever_database
def test_the_client_follows_a_run_to_its_end(live_stack: Stack) -> None:
    cluster = listing(node("node-1"), *[pod(f"cart-{number}", cpu="1m") for number in range(20)])
    snapshot = live_stack.request("POST", "/api/v1/snapshots/", cluster, who="alice")[1]
    scenario = live_stack.request("POST", "/api/v1/scenarios/", {"snapshot": snapshot["id"]}, who="alice")[1]
    run = live_stack.request("POST", "/api/v1/runs/", {"scenario": scenario["id"]}, who="alice")[1]["id"]
    server = live_stack.url.replace("http", "ws", 1)
    followed = follow(server, run, live_stack.tokens["bob"])
    assert (followed.returncode, followed.stderr) == (0, "")
    log = live_stack.request("GET", f"/api/v1/runs/{run}/decisions/", who="bob")[1]["results"]
    assert len(log) == 20
    assert followed.stdout.splitlines() == [f"{one['seq']} {one['kind']} {one['outcome']}" for one in log]


@whichever_database
def test_the_client_is_told_why_it_may_not_follow(live_stack: Stack) -> None:
    server = live_stack.url.replace("http", "ws", 1)
    nothing = follow(server, 999_999, live_stack.tokens["bob"])
    assert (nothing.returncode, nothing.stderr) == (1, "There is no such run.\n")
    stranger = follow(server, 999_999, "nonsense")
    assert (stranger.returncode, stranger.stderr) == (1, "Sign in to follow this run.\n")


def test_the_client_goes_on_after_a_break_where_it_was() -> None:
    asked, acknowledged = [], []

    def decisions(first: int, last: int) -> str:
        numbers = range(first, last + 1)
        items = [{"seq": seq, "kind": "attempt", "outcome": "scheduled"} for seq in numbers]
        return json.dumps({"type": "decisions", "from": first, "items": items})

    def answer(socket: ServerConnection) -> None:
        assert socket.request is not None
        asked.append(socket.request.path)
        socket.send(json.dumps({"type": "hello", "run": 7, **HELD}))
        if len(asked) == 1:
            socket.send(decisions(1, 2))
            acknowledged.append(json.loads(socket.recv()))
            socket.socket.close()
        else:
            socket.send(decisions(3, 3))
            acknowledged.append(json.loads(socket.recv()))
            socket.send(json.dumps({"type": "end", **HELD}))

    with serve(answer, "127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        followed = follow(f"ws://127.0.0.1:{server.socket.getsockname()[1]}", 7, "token")
        server.shutdown()
        thread.join()
    assert (followed.returncode, followed.stderr) == (0, "")
    assert followed.stdout == "".join(f"{seq} attempt scheduled\n" for seq in (1, 2, 3))
    assert asked == ["/ws/runs/7/?after=0", "/ws/runs/7/?after=2"]
    assert acknowledged == [{"type": "ack", "seq": 2}, {"type": "ack", "seq": 3}]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("fake_engine")
async def test_every_message_is_documented_with_its_fields(
    alice: Any, monkeypatch: Any, settings: Any
) -> None:
    monkeypatch.setattr("dashboard.services.background.dispatch._send", lambda task, pk: True)
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    run = await sync_to_async(new_run)(alice, pods=3)
    socket = Socket(alice, f"/ws/runs/{run.pk}/")
    await socket.connect()
    heard = [await socket.hear()]
    await socket.send_text("hi")
    heard.append(await socket.hear())
    await sync_to_async(runs.request_pause)(run)
    heard.append(await socket.hear())
    await sync_to_async(runs.request_resume)(run)
    await sync_to_async(execution.execute_run)(run.pk)
    heard += [message async for message in socket.hear_all()]
    seen = {message["type"]: set(message) - {"type"} for message in heard if message["type"] != "closed"}
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \|", section(), re.MULTILINE)
    assert {name: set(re.findall(r"`(\w+)`", fields)) for name, fields in rows} == seen
    assert len(seen) == 5


def test_every_close_code_and_bound_is_documented() -> None:
    codes = {int(code) for code in re.findall(r"^\| (\d+) \|", section(), re.MULTILINE)}
    assert codes == {
        consumers.DONE, consumers.FAILED, consumers.BAD_REQUEST, consumers.NOT_SIGNED_IN, consumers.NOT_FOUND,
    }  # fmt: skip
    assert f"at most {consumers.BATCH_DECISIONS}," in section()
    assert f"no more than {consumers.WINDOW:,} decisions" in section()
