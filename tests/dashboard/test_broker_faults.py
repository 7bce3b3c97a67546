"""A broker that dies, or lives and says nothing, stops nobody: what waits is played once it answers again."""

import os
import signal
import socket
import subprocess
from collections.abc import Callable
from typing import Any

import pytest
from amqp.exceptions import NotFound, RecoverableConnectionError

from dashboard.celery import app
from dashboard.services.background import dispatch, execution
from dashboard.services.background.reaping import reap
from dashboard.supervisor import liveness
from dashboard.supervisor.broker import EmbeddedBroker
from tests.dashboard.processes import Processes, wait_until
from tests.dashboard.rows import new_run, node, pod
from tests.fixtures.database import whichever_database
from tests.fixtures.stack import Stack

pytestmark = [pytest.mark.stack, whichever_database]

SECONDS = 120


def start_run(stack: Stack, snapshot: int, **fields: Any) -> int:
    scenario = stack.request("POST", "/api/v1/scenarios/", {"name": "what if", "snapshot": snapshot})[1]["id"]
    status, run = stack.request("POST", "/api/v1/runs/", {"scenario": scenario, **fields})
    assert status == 202
    return int(run["id"])


def run_of(stack: Stack, number: int) -> dict[str, Any]:
    return dict(stack.request("GET", f"/api/v1/runs/{number}/")[1])


def kill_broker(stack: Stack) -> None:
    (broker,) = stack.pids("broker")
    os.kill(broker, signal.SIGKILL)
    wait_until(lambda: stack.pids("broker") not in ([], [broker]), SECONDS)


def messages_of_runs() -> int:
    """How many messages wait, as soon as the broker tells it."""
    told: list[int] = []

    def is_told() -> bool:
        length = dispatch.queue_length(dispatch.RUNS)
        told.extend([] if length is None else [length])
        return bool(told)

    wait_until(is_told, SECONDS)
    return told[0]


def test_a_brokers_death_keeps_no_worker_and_paced_runs_hold_nobody_up(
    start_stack: Callable[..., Any],
) -> None:
    cluster = {"apiVersion": "v1", "kind": "List", "items": [node("node-1"), pod("cart-1"), pod("cart-2")]}
    with start_stack() as stack:
        snapshot = stack.request("POST", "/api/v1/snapshots/?name=prod", cluster)[1]["id"]
        paced = [start_run(stack, snapshot, rate=0.001) for _ in range(2)]
        wait_until(lambda: all(run_of(stack, number)["decisions"] for number in paced), SECONDS)
        kill_broker(stack)
        waiting = [start_run(stack, snapshot) for _ in range(3)]
        wait_until(lambda: all(run_of(stack, number)["status"] == "finished" for number in waiting), SECONDS)
        assert [run_of(stack, number)["status"] for number in paced] == ["running", "running"]
        headers = {"Content-Type": "application/yaml"}
        text = b"apiVersion: v1\nkind: Node\nmetadata: {name: node-1}\n"
        status, imported = stack.request("POST", "/api/v1/snapshots/?name=yaml", text, headers=headers)
        assert status == 202
        address = f"/api/v1/snapshots/{imported['id']}/"
        wait_until(lambda: stack.request("GET", address)[1]["status"] == "ready", SECONDS)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("fake_engine")
def test_a_run_is_stored_while_the_broker_is_silent_and_played_once_later(
    alice: Any, silent_broker: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = new_run(alice, pods=5)
    run.refresh_from_db()
    assert (run.status, run.dispatched_at) == ("queued", None)
    assert reap() == 0
    silent_broker.send_signal(signal.SIGCONT)
    monkeypatch.setattr(dispatch, "_rest_until", 0.0)
    wait_until(lambda: reap() == 1, SECONDS)
    for _ in range(messages_of_runs()):
        execution.execute_run(run.pk)
    run.refresh_from_db()
    assert (run.status, run.attempt) == ("finished", 1)


def test_amqps_own_errors_are_those_of_a_broker_that_is_away(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise RecoverableConnectionError("connection already closed")

    monkeypatch.setattr(app, "send_task", refuse)
    monkeypatch.setattr(dispatch, "asked_broker", refuse)
    assert not dispatch.send_run(1)
    assert dispatch.queue_length(dispatch.RUNS) is None


def test_a_queue_that_amqp_does_not_know_yet_is_empty() -> None:
    class Channel:
        def queue_declare(self, queue: str, passive: bool) -> None:
            raise NotFound(f"no queue {queue}")

    class Broker:
        default_channel = Channel()

    assert dispatch._messages_in(Broker(), dispatch.RUNS) == 0  # type: ignore[arg-type]


def test_after_a_failure_nobody_waits_for_the_broker_for_a_while(
    silent_broker: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch, db: None
) -> None:
    monkeypatch.setattr(dispatch, "REST_SECONDS", 3600.0)
    assert not dispatch.send_run(1)
    monkeypatch.setattr(dispatch, "_send", lambda task, pk: pytest.fail("the broker was asked"))
    assert not dispatch.send_run(1)


async def test_only_a_worker_whose_loop_answers_takes_work(
    processes: Processes, broker: EmbeddedBroker
) -> None:
    host = f"test0@{socket.gethostname()}"
    worker = processes.worker()
    while not await liveness.takes_work(broker.url, host):
        assert worker.poll() is None
    os.kill(worker.pid, signal.SIGSTOP)
    while (answer := await liveness.takes_work(broker.url, host)) is None:
        pass  # the broker did not answer in time
    assert answer is False
    assert await liveness.takes_work("redis://127.0.0.1:1/0", host) is None
