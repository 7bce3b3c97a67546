"""What machines ask: alive, ready, and the figures."""

import threading
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from dashboard import disk_room, health
from dashboard.accounts.tokens import create_token
from dashboard.services.background.attendance import PARTS, note_present
from tests.fixtures.database import only_postgresql, only_sqlite
from tests.hindrances import full_disk, locked_database


def test_healthz_answers_without_a_database(client: Client) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A database that answers late on a busy machine is none that hangs."""
    monkeypatch.setattr(health, "ANSWER_SECONDS", 60)


@pytest.fixture
def roomy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk with room, whatever the one of the tests has."""
    monkeypatch.setattr(disk_room, "LOW_BYTES", 0)


@pytest.fixture
def everybody_works(transactional_db: None) -> None:
    """Somebody takes runs, imports, and brings lost work back."""
    note_present(PARTS)


WORKING = dict.fromkeys(PARTS, "ok")


@pytest.mark.usefixtures("everybody_works", "roomy", "broker")
def test_readyz_is_ok_while_all_parts_work(client: Client) -> None:
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {
        "status": "ok",
        "database": "ok",
        "writing": "ok",
        "broker": "ok",
        **WORKING,
        "space": "ok",
    }


@pytest.mark.usefixtures("transactional_db", "roomy", "broker")
@pytest.mark.parametrize("missing", PARTS)
def test_readyz_says_which_part_nobody_works_as(client: Client, missing: str) -> None:
    note_present(set(PARTS) - {missing})
    answer = client.get("/readyz")
    assert answer.status_code == 503
    words = {name: answer.json()[name] for name in PARTS}
    assert words == WORKING | {missing: "unavailable"}
    note_present([missing])
    assert client.get("/readyz").status_code == 200


@pytest.mark.usefixtures("everybody_works", "roomy")
def test_readyz_names_the_part_that_does_not_answer_and_nothing_more(client: Client, settings: Any) -> None:
    settings.CELERY_BROKER_URL = "redis://:secret@127.0.0.1:1/0"
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json() == {
        "status": "unavailable",
        "database": "ok",
        "writing": "ok",
        "broker": "unavailable",
        **WORKING,
        "space": "ok",
    }


def parts_of(answer: Any) -> tuple[str, str]:
    """What `/readyz` says of reading and of writing."""
    assert answer.status_code == 503
    return answer.json()["database"], answer.json()["writing"]


@only_sqlite
@pytest.mark.usefixtures("everybody_works", "roomy", "broker")
@pytest.mark.parametrize("hindrance", [locked_database, full_disk])
def test_readyz_tells_when_nothing_can_be_written(
    client: Client, monkeypatch: pytest.MonkeyPatch, hindrance: Any
) -> None:
    monkeypatch.setattr(health, "LOCK_SECONDS", 0.01)
    connection.ensure_connection()
    with hindrance():
        assert parts_of(client.get("/readyz")) == ("ok", "unavailable")
    assert client.get("/readyz").status_code == 200


@only_postgresql
@pytest.mark.usefixtures("transactional_db", "roomy", "broker")
def test_readyz_tells_when_the_server_takes_no_changes(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection.ensure_connection()
    monkeypatch.setitem(
        connection.settings_dict, "OPTIONS", {"options": "-c default_transaction_read_only=on"}
    )
    assert parts_of(client.get("/readyz")) == ("ok", "unavailable")


@pytest.mark.usefixtures("transactional_db", "roomy", "broker")
def test_readyz_does_not_hang_with_a_database_that_does(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_go = threading.Event()
    asked: list[int] = []

    def hang() -> None:
        asked.append(1)
        let_go.wait()

    monkeypatch.setattr(health, "ANSWER_SECONDS", 0.01)
    monkeypatch.setattr(health, "_ask_database", hang)
    try:
        for _ in range(10):
            answer = client.get("/readyz")
            assert parts_of(answer) == ("unavailable", "unavailable")
            assert {answer.json()[name] for name in PARTS} == {"unknown"}
        assert len(asked) < 10, "each probe took another thread"
    finally:
        let_go.set()


@pytest.mark.usefixtures("everybody_works", "broker")
def test_readyz_warns_before_the_disk_is_full(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_room, "_free", lambda folder: disk_room.LOW_BYTES - 1)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["space"]) == (200, "low")


def test_metrics_count_runs_decisions_and_waiting_tasks(client: Client, db: None, broker: Any) -> None:
    text = client.get("/metrics", headers={"Host": "localhost"}).content.decode()
    assert 'sandtable_runs{status="queued"} 0.0' in text
    assert "sandtable_decisions 0.0" in text
    assert 'sandtable_queue_length{queue="sandtable.runs"} 0.0' in text
    assert 'sandtable_queue_length{queue="sandtable.imports"} 0.0' in text
    assert "sandtable_stream_lag_decisions 0.0" in text


def test_metrics_say_nothing_of_a_queue_that_does_not_answer(client: Client, db: None, settings: Any) -> None:
    settings.CELERY_BROKER_URL = "redis://127.0.0.1:1/0"
    answer = client.get("/metrics", headers={"Host": "localhost"})
    assert answer.status_code == 200
    assert "sandtable_queue_length" not in answer.content.decode()


def test_metrics_from_elsewhere_need_a_viewer(client: Client, bob: Any, charlie: Any, broker: Any) -> None:
    def status(user: Any) -> int:
        headers = {"Authorization": f"Bearer {create_token(user, 'scraper')[1]}"} if user else {}
        return client.get("/metrics", headers=headers, REMOTE_ADDR="192.0.2.7").status_code

    assert status(None) == 403
    assert status(charlie) == 403
    assert status(bob) == 200


def test_a_broker_that_accepts_connections_and_says_nothing_is_not_waited_for(
    client: Client, db: None, settings: Any, silent_broker: Any
) -> None:
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["broker"]) == (503, "unavailable")
    assert client.get("/metrics", headers={"Host": "localhost"}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Forwarded-For": "192.0.2.7"},
        {"Forwarded": "for=192.0.2.7"},
        {"Via": "1.1 proxy"},
        {"Host": "sandtable.example.com"},
    ],
)
def test_metrics_are_not_open_to_what_a_proxy_on_this_machine_passes_on(
    client: Client, settings: Any, db: None, headers: dict[str, str]
) -> None:
    settings.CELERY_BROKER_URL = "redis://127.0.0.1:1/0"
    settings.ALLOWED_HOSTS = ["sandtable.example.com", "localhost"]
    assert client.get("/metrics", headers={"Host": "localhost:8000"}).status_code == 200
    assert client.get("/metrics", headers={"Host": "localhost:8000", **headers}).status_code == 403


def test_metrics_need_a_viewer_once_a_proxy_is_trusted(client: Client, settings: Any, bob: Any) -> None:
    settings.TRUSTED_PROXIES = ["127.0.0.1"]
    settings.CELERY_BROKER_URL = "redis://127.0.0.1:1/0"
    assert client.get("/metrics", headers={"Host": "localhost"}).status_code == 403
    token = {"Authorization": f"Bearer {create_token(bob, 'scraper')[1]}"}
    assert client.get("/metrics", headers={"Host": "localhost", **token}).status_code == 200


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_machines_may_only_read(client: Client, path: str) -> None:
    assert client.post(path).status_code == 405
