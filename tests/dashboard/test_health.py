"""What machines ask: alive, ready, and the figures."""

from typing import Any

import pytest
from django.test import Client

from dashboard.accounts.tokens import create_token


def test_healthz_answers_without_a_database(client: Client) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}


def test_readyz_is_ok_while_database_and_broker_answer(client: Client, db: None, broker: Any) -> None:
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {"status": "ok", "database": "ok", "broker": "ok"}


def test_readyz_names_the_part_that_does_not_answer_and_nothing_more(
    client: Client, db: None, settings: Any
) -> None:
    settings.CELERY_BROKER_URL = "redis://:secret@127.0.0.1:1/0"
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json() == {"status": "unavailable", "database": "ok", "broker": "unavailable"}


def test_metrics_count_runs_decisions_and_waiting_tasks(client: Client, db: None, broker: Any) -> None:
    text = client.get("/metrics").content.decode()
    assert 'sandtable_runs{status="queued"} 0.0' in text
    assert "sandtable_decisions 0.0" in text
    assert 'sandtable_queue_length{queue="sandtable.runs"} 0.0' in text
    assert 'sandtable_queue_length{queue="sandtable.imports"} 0.0' in text
    assert "sandtable_stream_lag_decisions 0.0" in text


def test_metrics_say_nothing_of_a_queue_that_does_not_answer(client: Client, db: None, settings: Any) -> None:
    settings.CELERY_BROKER_URL = "redis://127.0.0.1:1/0"
    answer = client.get("/metrics")
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
    assert client.get("/metrics").status_code == 200


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_machines_may_only_read(client: Client, path: str) -> None:
    assert client.post(path).status_code == 405
