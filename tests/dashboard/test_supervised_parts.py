"""Parts of the running product that die come back, and none is left at its end: several tests share one.

They come in this order, for the last of each product ends it. The supervisor's pauses double from one death
of a part to the next, so that the test that counts them comes first.
"""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from dashboard.supervisor.broker import EmbeddedBroker
from tests.fixtures.database import whichever_database
from tests.fixtures.stack import (
    FORKED,
    PARTS,
    STOP_SECONDS,
    Stack,
    nothing_is_left,
    running_stack,
    wait_until,
)

pytestmark = [pytest.mark.stack, whichever_database]


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A product whose parts may be killed."""
    with running_stack(Path(tmp_path_factory.mktemp("parts"))) as stack:
        yield stack


@pytest.fixture(scope="module")
def without_broker(tmp_path_factory: pytest.TempPathFactory, valkey: EmbeddedBroker) -> Iterator[Stack]:
    """A product that uses a broker from elsewhere."""
    with running_stack(Path(tmp_path_factory.mktemp("external")), SANDTABLE_BROKER_URL=valkey.url) as stack:
        yield stack


@pytest.fixture
def stack(product: Stack) -> Stack:
    """The product, once all parts work; what it printed before is forgotten."""
    wait_until(product.is_ready)
    product.forget_printed()
    return product


def unavailable(stack: Stack) -> set[str]:
    """The parts that `/readyz` names."""
    status, parts = stack.request("GET", "/readyz")
    assert status == (503 if parts["status"] == "unavailable" else 200)
    return {name for name, word in parts.items() if word == "unavailable" and name != "status"}


def reports(stack: Stack, event: str, part: str) -> bool:
    return any(event in line and f"part={part}" in line for line in stack.printed().splitlines())


def test_a_part_whose_log_cannot_be_opened_is_reported_and_tried_again(stack: Stack) -> None:
    log_file = stack.data_folder / "logs" / "broker.log"
    log_file.rename(log_file.with_suffix(".kept"))
    log_file.mkdir()
    os.kill(stack.pids("broker")[0], signal.SIGKILL)
    wait_until(lambda: reports(stack, "trying_again_in=4", "broker"))  # the second failure
    assert "part 'broker' could not be started: [Errno 21] Is a directory" in stack.printed()
    log_file.rmdir()
    wait_until(lambda: reports(stack, "part runs again", "broker"))
    wait_until(stack.is_ready)


def test_a_part_that_is_killed_is_reported_and_comes_back(stack: Stack) -> None:
    os.kill(stack.pids("worker")[0], signal.SIGKILL)
    wait_until(lambda: unavailable(stack) == {"worker"})
    wait_until(stack.is_ready)
    stack.forget_printed()
    before = {part: stack.pids(part) for part in PARTS}
    for part in PARTS:
        os.kill(before[part][0], signal.SIGKILL)
    for part in PARTS:
        wait_until(lambda part=part: set(stack.pids(part)) - set(before[part]))
        wait_until(lambda part=part: reports(stack, "part runs again", part))
        assert reports(stack, "part died", part)
        assert not set(before[part]) & set(stack.pids(part))
    wait_until(stack.is_ready)


def test_parts_come_back_after_the_process_that_forks_them_was_killed(stack: Stack) -> None:
    before = {part: stack.pids(part) for part in FORKED}
    server = int(Path(f"/proc/{before['web'][0]}/stat").read_text().rpartition(")")[2].split()[1])
    os.kill(server, signal.SIGKILL)
    for part in FORKED:
        wait_until(lambda part=part: reports(stack, "part runs again", part))
        assert not set(before[part]) & set(stack.pids(part))
    wait_until(stack.is_ready)


def test_a_killed_supervisor_takes_its_children_along(stack: Stack) -> None:
    stack.process.kill()
    stack.process.wait(STOP_SECONDS)
    wait_until(lambda: nothing_is_left(stack))


def test_an_external_broker_is_used_instead_of_the_embedded_one(
    without_broker: Stack, valkey: EmbeddedBroker
) -> None:
    assert without_broker.pids("broker") == []
    with redis.Redis.from_url(valkey.url) as client:
        names = {connection["lib-name"] for connection in client.client_list()}
    assert "redis-py" in " ".join(names)


def test_a_signal_that_comes_twice_at_once_still_stops_gently(without_broker: Stack) -> None:
    without_broker.process.send_signal(signal.SIGTERM)
    without_broker.process.send_signal(signal.SIGHUP)
    assert without_broker.process.wait(STOP_SECONDS) == 0
    assert "at once" not in without_broker.printed()
    wait_until(lambda: nothing_is_left(without_broker), STOP_SECONDS)
