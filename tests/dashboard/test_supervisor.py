"""``manage.py up``: everything starts, what dies comes back, and nothing is left behind."""

import asyncio
import os
import signal
import socket
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import redis
from structlog.testing import capture_logs

from dashboard.supervisor.children import Child
from dashboard.supervisor.listening import PortUnavailable, is_loopback, take_port
from dashboard.supervisor.parts import Part
from dashboard.supervisor.start import note_broker
from dashboard.supervisor.supervision import SAME_SIGNAL_SECONDS, StartFailed, Supervisor
from tests.fixtures.database import whichever_database
from tests.fixtures.prepared import lend
from tests.fixtures.stack import (
    PARTS,
    START_SECONDS,
    STOP_SECONDS,
    Stack,
    free_port,
    launch,
    nothing_is_left,
    wait_until,
)
from tests.hindrances import full_disk

pytestmark = pytest.mark.stack


@whichever_database
def test_one_ctrl_c_stops_everything(start_stack: Callable[..., Any]) -> None:
    with start_stack() as stack:
        assert all(stack.pids(part) for part in PARTS)
        assert stack.stop(signal.SIGINT) == 0
        wait_until(lambda: nothing_is_left(stack), STOP_SECONDS)
        assert "Stopped." in stack.printed()
        assert "Warning" not in stack.printed()
        assert not (stack.data_folder / "broker_url").exists()


@whichever_database
def test_a_second_signal_after_a_while_ends_what_does_not_end(start_stack: Callable[..., Any]) -> None:
    with start_stack() as stack:
        for part in ("reaper", "broker"):  # hear no SIGTERM any more; the broker is stopped after the others
            (process,) = stack.pids(part)
            os.kill(process, signal.SIGSTOP)
        stack.process.send_signal(signal.SIGTERM)
        wait_until(lambda: "Stopping (SIGTERM)" in stack.printed())
        time.sleep(SAME_SIGNAL_SECONDS)  # what comes within it is taken for the same signal
        stack.process.send_signal(signal.SIGTERM)
        assert stack.process.wait(STOP_SECONDS) == 0
        assert "Ending all parts at once (SIGTERM)" in stack.printed()
        wait_until(lambda: nothing_is_left(stack), STOP_SECONDS)


@whichever_database
def test_a_start_from_nothing_needs_no_room_for_what_is_printed(tmp_path: Path) -> None:
    stack = launch(tmp_path, output=Path("/dev/full"))
    welcome_failed = stack.data_folder / "logs" / "welcome.jsonl"
    wait_until(lambda: welcome_failed.exists() or stack.process.poll() is not None)
    wait_until(lambda: not stack.pids("welcome"))
    wait_until(stack.is_ready)
    assert (stack.data_folder / "static" / ".collected").exists()
    assert not (stack.data_folder / "backups").exists()
    stack.note_broker()
    assert stack.stop() == 0
    wait_until(lambda: nothing_is_left(stack), STOP_SECONDS)


@whichever_database
def test_it_stops_after_its_terminal_was_closed(tmp_path: Path) -> None:
    terminal, other_end = os.openpty()
    lend(tmp_path / "data")
    stack = launch(tmp_path, output=Path(os.ttyname(other_end)))
    os.close(other_end)
    wait_until(stack.is_ready)
    stack.note_broker()
    os.close(terminal)
    assert stack.stop(signal.SIGHUP) == 0
    wait_until(lambda: nothing_is_left(stack), STOP_SECONDS)


@whichever_database
def test_a_signal_during_the_start_leaves_nothing(tmp_path: Path) -> None:
    stack = launch(tmp_path)
    wait_until(lambda: (stack.data_folder / "broker_url").exists())
    stack.note_broker()
    assert stack.pids("broker")
    assert stack.stop() == 0
    wait_until(lambda: nothing_is_left(stack, "prepare"), STOP_SECONDS)


@whichever_database
def test_a_part_that_cannot_start_at_all_is_told_plainly(tmp_path: Path) -> None:
    log_file = tmp_path / "data" / "logs" / "broker.log"
    log_file.mkdir(parents=True)
    stack = launch(tmp_path)
    assert stack.process.wait(START_SECONDS) == 1
    assert "CommandError: The part 'broker' could not be started" in stack.printed()
    assert "Traceback" not in stack.printed()


async def test_a_part_that_ends_at_its_start_stops_the_start_with_its_name() -> None:
    supervisor = Supervisor(say=lambda line: None)
    with pytest.raises(StartFailed, match=r"The part 'short' ended \(exit code 1\)"):
        await supervisor.start(
            Part("long", ["sleep", "60"]), Part("short", ["false"], ready=asyncio.Event().wait)
        )
    await supervisor.stop()
    assert not any(child.is_running for child in supervisor.children)


async def test_a_watcher_that_ends_by_a_fault_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(child: Child) -> None:
        raise RuntimeError("a fault of ours")

    supervisor = Supervisor(say=lambda line: None)
    with capture_logs() as logs:
        await supervisor.start(Part("short", ["sleep", "60"]))
        monkeypatch.setattr(Child, "kill", broken)
        supervisor.children[0].process.terminate()
        await asyncio.wait(supervisor.watchers, timeout=START_SECONDS)
        await asyncio.sleep(0)  # callbacks of a task run after those who wait for it
    monkeypatch.undo()
    await supervisor.stop()
    assert [(entry["event"], entry["part"]) for entry in logs] == [("part is watched no longer", "short")]
    assert "a fault of ours" in str(logs[0]["exc_info"])


@whichever_database
def test_a_taken_port_is_told_plainly_before_anything_starts(tmp_path: Path) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as other:
        port = other.getsockname()[1]
        stack = launch(tmp_path, port=port)
        assert stack.process.wait(START_SECONDS) == 1
    assert f"Port {port} is taken by another program" in stack.printed()
    assert f"PORT={port + 1} make run" in stack.printed()
    assert "Traceback" not in stack.printed()
    assert "broker" not in stack.printed()
    assert not stack.data_folder.exists()


@whichever_database
def test_a_taken_port_leaves_a_folder_that_was_there_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    with closing(socket.create_server(("127.0.0.1", 0))) as other:
        stack = launch(tmp_path, port=other.getsockname()[1])
        assert stack.process.wait(START_SECONDS) == 1
    assert list(stack.data_folder.iterdir()) == []


@whichever_database
def test_a_value_that_cannot_be_read_is_told_plainly_and_leaves_nothing(tmp_path: Path) -> None:
    stack = launch(tmp_path, HOST="127.0.0.1", PORT="eight")
    assert stack.process.wait(START_SECONDS) == 1
    assert "PORT='eight' cannot be read" in stack.printed()
    assert "Traceback" not in stack.printed()
    assert not stack.data_folder.exists()


@whichever_database
def test_a_folder_that_cannot_be_made_is_told_plainly(tmp_path: Path) -> None:
    (tmp_path / "data").touch()
    stack = launch(tmp_path)
    assert stack.process.wait(START_SECONDS) == 1
    assert f"DATA_DIR={stack.data_folder} cannot be used: [Errno 17] File exists" in stack.printed()
    assert "Traceback" not in stack.printed()


def test_a_disk_without_any_room_is_told_plainly(tmp_path: Path) -> None:
    with (
        full_disk(),
        pytest.raises(StartFailed, match=f"Nothing can be written to {tmp_path}: File too large"),
    ):
        note_broker(tmp_path, "redis://somewhere")
    assert list(tmp_path.iterdir()) == []


@whichever_database
def test_a_second_start_on_the_same_folder_is_refused_whatever_its_port(
    live_stack: Stack, tmp_path: Path
) -> None:
    port = int(live_stack.url.rpartition(":")[2])
    for name, wanted in (("same", {"port": port}), ("other", {})):
        folder = tmp_path / name
        folder.mkdir()
        refused = launch(folder, **wanted, DATA_DIR=str(live_stack.data_folder))
        assert refused.process.wait(START_SECONDS) == 1
        assert "is in use by another start" in refused.printed()
    wait_until(live_stack.is_ready)


def test_the_token_and_link_that_are_printed_work_and_are_private(live_stack: Stack) -> None:
    assert live_stack.token in live_stack.printed()
    link = f"{live_stack.url}/accounts/link/"
    assert link in live_stack.printed()
    assert live_stack.request("GET", "/api/v1/snapshots/")[0] == 200
    assert (live_stack.data_folder / "token").stat().st_mode & 0o777 == 0o600
    assert live_stack.data_folder.stat().st_mode & 0o777 == 0o700


@whichever_database
def test_beyond_loopback_a_password_and_hosts_come_first(tmp_path: Path) -> None:
    lend(tmp_path / "data")
    refused = launch(tmp_path, HOST="0.0.0.0", SANDTABLE_ALLOWED_HOSTS="sandtable.example")
    assert refused.process.wait(START_SECONDS) == 1
    assert "an administrator must have a password first" in refused.printed()
    refused.manage(
        "shell",
        stdin="from dashboard.accounts.first_admin import first_administrator as first\n"
        "user = first()\nuser.set_password('a good long one')\nuser.save()\n",
    )
    refused = launch(tmp_path, HOST="0.0.0.0")
    assert refused.process.wait(START_SECONDS) == 1
    assert "SANDTABLE_ALLOWED_HOSTS" in refused.printed()


@whichever_database
def test_the_embedded_broker_asks_for_its_password(live_stack: Stack) -> None:
    url = (live_stack.data_folder / "broker_url").read_text()
    with redis.Redis.from_url(url) as client:
        assert client.ping()
    bare = "redis://" + url.split("@")[1]
    with redis.Redis.from_url(bare) as client, pytest.raises(redis.AuthenticationError):
        client.ping()


@pytest.mark.parametrize(
    ("host", "answer"),
    [("127.0.0.1", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("192.0.2.1", False)],
)
def test_only_loopback_is_loopback(host: str, answer: bool) -> None:
    assert is_loopback(host) is answer


def test_a_host_that_is_not_ours_is_told_plainly() -> None:
    with pytest.raises(PortUnavailable, match=r"192\.0\.2\.1"):
        take_port("192.0.2.1", free_port())
