"""The stream: every decision exactly once and in order, whatever happens to sockets and bells."""

import asyncio
import json
import random
import time
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import AnonymousUser
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from dashboard import consumers
from dashboard.accounts.sessions import SessionStore
from dashboard.accounts.tokens import create_token
from dashboard.models import Run
from dashboard.services.background import bell, execution
from dashboard.services.workspace import runs
from scheduler_core.events.decisions import encoder
from tests.dashboard.processes import Processes
from tests.dashboard.rows import new_run
from tests.dashboard.sockets import Socket
from tests.fakes import FakeSimulation

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("fake_engine")]

SECONDS = 60
DECISIONS = 8000
"""As they are, some 7 MB: more than sockets keep for who doesn't read."""

new_run_async = sync_to_async(new_run)
play = sync_to_async(execution.execute_run)


@pytest.fixture(autouse=True)
def no_broker(settings: Any, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Without real processes a run is played by the test itself, and bells stay within the process."""
    if "processes" not in request.fixturenames:
        monkeypatch.setattr("dashboard.services.background.dispatch._send", lambda task, pk: True)
        settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}


async def conversation(user: Any, address: str) -> list[dict[str, Any]]:
    """Connect and listen until the socket closes."""
    socket = Socket(user, address)
    await socket.connect()
    return [message async for message in socket.hear_all()]


def numbers_in(messages: list[dict[str, Any]]) -> list[int]:
    """The numbers of all decisions in the messages, each checked against where its message says it begins."""
    numbers = []
    for message in messages:
        if message["type"] == "decisions":
            found = [item["seq"] for item in message["items"]]
            assert found[0] == message["from"]
            numbers.extend(found)
    return numbers


async def test_a_finished_run_is_sent_from_the_named_number_to_its_end(alice: Any) -> None:
    run = await new_run_async(alice, pods=1234)
    await play(run.pk)
    for after in (0, 1, 200, 777, 1233):
        heard = await conversation(alice, f"/ws/runs/{run.pk}/?after={after}")
        assert heard[0]["type"] == "hello"
        assert (heard[0]["run"], heard[0]["status"], heard[0]["decisions"]) == (run.pk, "finished", 1234)
        assert numbers_in(heard) == list(range(after + 1, 1235))
        assert (heard[-2]["type"], heard[-2]["status"], heard[-2]["decisions"]) == ("end", "finished", 1234)
        assert heard[-1] == {"type": "closed", "code": 1000}


async def test_small_chunks_are_sent_together(alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(execution, "CHUNK_DECISIONS", 7)
    run = await new_run_async(alice, pods=600)
    await play(run.pk)
    messages = await conversation(alice, f"/ws/runs/{run.pk}/?after=3")
    batches = [numbers_in([message]) for message in messages if message["type"] == "decisions"]
    assert batches == [list(range(4, 504)), list(range(504, 601))]


async def test_items_are_the_engines_decisions_to_the_byte(alice: Any) -> None:
    run = await new_run_async(alice, pods=30)
    await play(run.pk)
    socket = Socket(alice, f"/ws/runs/{run.pk}/")
    await socket.connect()
    texts = [await socket.hear_text() for _ in range(2)]
    expected = ",".join(encoder.encode(decision).decode() for decision in FakeSimulation(run))
    assert texts[1] == '{"type":"decisions","from":1,"items":[' + expected + "]}"


@pytest.mark.parametrize("after", ["99", "31"])
async def test_a_client_that_is_ahead_of_a_finished_log_just_hears_its_end(alice: Any, after: str) -> None:
    run = await new_run_async(alice, pods=30)
    await play(run.pk)
    heard = await conversation(alice, f"/ws/runs/{run.pk}/?after={after}")
    assert [message["type"] for message in heard] == ["hello", "end", "closed"]


async def test_strangers_outsiders_and_wrong_numbers_are_told_by_the_closing_code(
    alice: Any, bob: Any, charlie: Any
) -> None:
    run = await new_run_async(alice, pods=3)
    await play(run.pk)
    expected = [
        (AnonymousUser(), run.pk, 4401),
        (charlie, run.pk, 4404),
        (charlie, run.pk + 1, 4404),
        (alice, run.pk + 1, 4404),
        (bob, run.pk, 1000),
    ]
    for user, number, code in expected:
        heard = await conversation(user, f"/ws/runs/{number}/")
        assert heard[-1]["code"] == code
        assert ("hello" in [message["type"] for message in heard]) == (code == 1000)


@pytest.mark.parametrize("after", ["-1", "x", "1e3", "9" * 30])
async def test_a_number_that_is_none_is_refused(alice: Any, after: str) -> None:
    run = await new_run_async(alice, pods=3)
    heard = await conversation(alice, f"/ws/runs/{run.pk}/?after={after}")
    assert [heard[0]["type"], heard[-1]["code"]] == ["error", 4400]


@pytest.mark.parametrize("window", ["0", "2001", "x", ""])
async def test_a_window_that_is_none_is_refused(alice: Any, window: str) -> None:
    run = await new_run_async(alice, pods=3)
    heard = await conversation(alice, f"/ws/runs/{run.pk}/?window={window}")
    assert [heard[0]["type"], heard[-1]["code"]] == ["error", 4400]


async def test_a_window_that_the_address_names_counts_from_the_start(alice: Any) -> None:
    run = await new_run_async(alice, pods=50)
    await play(run.pk)
    socket = Socket(alice, f"/ws/runs/{run.pk}/?after=5&window=20")
    await socket.connect()
    assert (await socket.hear())["type"] == "hello"
    for last in (25, 45, 50):
        assert (await socket.hear())["items"][-1]["seq"] == last
        if last < 50:
            assert await socket.receive_nothing(timeout=0.3)
            await socket.acknowledge(last)
    await socket.disconnect()


async def test_nothing_is_sent_beyond_the_window_until_it_is_acknowledged(
    alice: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consumers, "WINDOW", 100)
    monkeypatch.setattr(consumers, "BATCH_DECISIONS", 40)
    run = await new_run_async(alice, pods=350)
    socket = Socket(alice, f"/ws/runs/{run.pk}/")
    await socket.connect()
    assert (await socket.hear())["type"] == "hello"
    await socket.acknowledge(0)
    await play(run.pk)
    received: list[int] = []
    while received[-1:] != [350]:
        message = await socket.hear()
        if message["type"] != "decisions":
            continue
        received.extend(item["seq"] for item in message["items"])
        if received[-1] % 100 == 0:
            assert await socket.receive_nothing(timeout=0.3)
            await socket.acknowledge(received[-1])
    assert received == list(range(1, 351))
    await socket.disconnect()


async def test_who_lets_the_stream_wait_hears_how_far_the_run_is(
    alice: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consumers, "WINDOW", 10)
    monkeypatch.setattr(consumers, "POLL_SECONDS", 0.05)
    run = await new_run_async(alice, pods=300)
    await play(run.pk)
    going = {"status": "running", "finished_at": None}
    await Run.objects.filter(pk=run.pk).aupdate(decisions=100, **going)
    socket = Socket(alice, f"/ws/runs/{run.pk}/")
    await socket.connect()
    assert (await socket.hear())["decisions"] == 100
    await socket.acknowledge(0)
    while (message := await socket.hear())["type"] == "decisions":
        await Run.objects.filter(pk=run.pk).aupdate(decisions=200)
    assert (message["type"], message["status"], message["decisions"]) == ("status", "running", 200)
    await socket.disconnect()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hi",
        "[]",
        "{}",
        '{"type":"ack"}',
        '{"type":"ack","seq":true}',
        '{"type":"ack","seq":[1]}',
        "[" * 5000,
    ],
)
async def test_a_message_that_is_no_acknowledgement_is_answered_with_an_error(alice: Any, text: str) -> None:
    run = await new_run_async(alice, pods=3)
    socket = Socket(alice, f"/ws/runs/{run.pk}/")
    await socket.connect()
    assert (await socket.hear())["type"] == "hello"
    await socket.send_text(text)
    assert (await socket.hear())["type"] == "error"
    await socket.disconnect()


async def test_a_change_of_status_is_told(alice: Any) -> None:
    run = await new_run_async(alice, pods=3)
    socket = Socket(alice, f"/ws/runs/{run.pk}/")
    await socket.connect()
    assert (await socket.hear())["status"] == "queued"
    await sync_to_async(runs.request_pause)(run)
    told = await socket.hear()
    assert (told["type"], told["status"]) == ("status", "paused")
    await sync_to_async(runs.request_cancel)(run)
    assert (await socket.hear())["status"] == "cancelled"
    assert (await socket.hear())["type"] == "end"
    await socket.disconnect()


async def test_a_run_that_is_deleted_closes_its_streams(alice: Any) -> None:
    run = await new_run_async(alice, pods=3)
    socket = Socket(alice, f"/ws/runs/{run.pk}/")
    await socket.connect()
    await sync_to_async(runs.delete_run)(run, cascade=True)
    heard = [message async for message in socket.hear_all()]
    assert heard[-1]["code"] == 4404


async def test_a_reader_who_loses_access_is_closed_out(alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consumers, "ACCESS_SECONDS", 0)
    monkeypatch.setattr(consumers, "POLL_SECONDS", 0.05)
    run = await new_run_async(alice, pods=3)
    socket = Socket(alice, f"/ws/runs/{run.pk}/")
    await socket.connect()
    await alice.groups.aclear()
    heard = [message async for message in socket.hear_all()]
    assert heard[-1]["code"] == 4404


@pytest.mark.parametrize("loss", ["user", "session", "token"])
async def test_a_reader_whose_sign_in_ends_is_closed_out_with_4401(
    alice: Any, monkeypatch: pytest.MonkeyPatch, loss: str
) -> None:
    monkeypatch.setattr(consumers, "ACCESS_SECONDS", 0)
    monkeypatch.setattr(consumers, "POLL_SECONDS", 0.05)
    run = await new_run_async(alice, pods=3)
    session = SessionStore()
    await session.acreate()
    token, plain = await sync_to_async(create_token)(alice, "mine")
    signed_in_by = {"session": {"session": session}, "token": {"token": plain}}.get(loss, {})
    socket = Socket(alice, f"/ws/runs/{run.pk}/", **signed_in_by)
    await socket.connect()
    assert (await socket.hear())["type"] == "hello"
    if loss == "user":
        alice.is_active = False
        await alice.asave()
    elif loss == "session":
        await SessionStore(session.session_key).adelete()
    else:
        await token.adelete()
    heard = [message async for message in socket.hear_all()]
    assert heard[-1]["code"] == 4401


async def test_a_dead_channel_layer_delays_a_decision_by_a_poll_and_no_more(
    alice: Any, settings: Any
) -> None:
    settings.CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": ["redis://127.0.0.1:1/0"]},
        }
    }
    run = await new_run_async(alice, pods=20)
    socket = Socket(alice, f"/ws/runs/{run.pk}/")
    await socket.connect()
    assert (await socket.hear())["type"] == "hello"
    await play(run.pk)
    heard = [message async for message in socket.hear_all()]
    assert numbers_in(heard) == list(range(1, 21))


def test_a_worker_that_cannot_ring_goes_on_deciding(
    alice: Any, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": ["redis://127.0.0.1:1/0"]},
        }
    }
    tried: list[int] = []
    send = bell._send

    async def count(run_id: int) -> None:
        tried.append(run_id)
        await send(run_id)

    monkeypatch.setattr(bell, "_send", count)
    monkeypatch.setattr(bell, "REST_SECONDS", 3600.0)
    run = new_run(alice, pods=600)
    execution.execute_run(run.pk)
    assert Run.objects.get(pk=run.pk).status == "finished"
    assert tried == [run.pk], "after the first failure nobody waits for the bell"


@pytest.mark.stack
async def test_a_client_that_comes_and_goes_behind_a_lossy_bell_gets_every_decision_once_and_in_order(
    processes: Processes, alice: Any
) -> None:
    run = await new_run_async(alice, pods=3000, seconds=0.001)
    token = (await sync_to_async(create_token)(alice, "test"))[1]
    lossy = {"SANDTABLE_TEST_LAYER": "tests.faults.LossyLayer"}
    port = await sync_to_async(processes.web)(**lossy)
    patient = {"max_size": None, "open_timeout": SECONDS}
    dice = random.Random(7)
    received: list[int] = []
    connections, end = 0, None
    deadline = time.monotonic() + SECONDS
    while end is None:
        assert time.monotonic() < deadline
        address = f"ws://127.0.0.1:{port}/ws/runs/{run.pk}/?after={len(received)}"
        headers = {"Authorization": f"Bearer {token}"}
        async with connect(address, additional_headers=headers, **patient) as socket:
            connections += 1
            if connections == 3:  # late, so that the run does not end before it was left and found again
                processes.worker(**lossy)
            leave_at = time.monotonic() + dice.uniform(0.02, 0.7)
            while end is None and time.monotonic() < leave_at:
                try:
                    message = json.loads(await asyncio.wait_for(socket.recv(), 0.1))
                except TimeoutError:
                    continue
                except ConnectionClosed:
                    break
                if message["type"] == "decisions":
                    received.extend(item["seq"] for item in message["items"])
                    deadline = time.monotonic() + SECONDS
                elif message["type"] == "end":
                    end = message
    assert received == list(range(1, 3001))
    assert (end["status"], end["decisions"]) == ("finished", 3000)
    assert connections > 3


@pytest.mark.stack
async def test_a_reader_that_stops_reading_slows_nobody(processes: Processes, alice: Any) -> None:
    run = await new_run_async(alice, pods=DECISIONS)
    token = (await sync_to_async(create_token)(alice, "test"))[1]
    port = await sync_to_async(processes.web)()
    headers = {"Authorization": f"Bearer {token}"}
    address = f"ws://127.0.0.1:{port}/ws/runs/{run.pk}/"
    patient = {"max_size": None, "open_timeout": SECONDS}
    async with connect(address, additional_headers=headers, max_queue=1, compression=None, **patient):
        processes.worker()
        await _until_finished(run)
        quick = await _read_all(address, headers)
    assert quick == list(range(1, DECISIONS + 1))


async def _until_finished(run: Run) -> None:
    """Wait for a run's end for as long as it goes on, however slowly."""
    decisions, deadline = 0, time.monotonic() + SECONDS
    while (now := await Run.objects.aget(pk=run.pk)).status != "finished":
        if now.decisions > decisions:
            decisions, deadline = now.decisions, time.monotonic() + SECONDS
        assert time.monotonic() < deadline, f"no decision after {decisions}"
        await asyncio.sleep(0.2)


async def _read_all(address: str, headers: dict[str, str]) -> list[int]:
    received: list[int] = []
    async with connect(address, additional_headers=headers, max_size=None, open_timeout=SECONDS) as socket:
        async for text in socket:
            message = json.loads(text)
            if message["type"] == "decisions":
                received.extend(item["seq"] for item in message["items"])
    return received
