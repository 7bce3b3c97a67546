"""However many imports come in at once, the web process takes in only so many of them at a time."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import pytest
from django.conf import settings
from django.db import connections
from rest_framework.test import APIClient

from api import import_slots
from api.views import snapshots as view
from dashboard.models import Snapshot
from dashboard.services.workspace import snapshots as service
from tests.api.conftest import client_of
from tests.api.test_problems import assert_problem
from tests.dashboard.rows import small_cluster
from tests.fixtures.stack import wait_until

URL = "/api/v1/snapshots/"
SENDERS = 8


def send(client: APIClient) -> Any:
    return client.generic("POST", URL, small_cluster(), "application/json")


class Crowd:
    """Stands in for the reading of uploads; each reader stays until it is let go."""

    def __init__(self, read: Any) -> None:
        self.read = read
        self.most = 0
        self.go = threading.Event()
        self._inside = 0
        self._lock = threading.Lock()

    @property
    def inside(self) -> int:
        return self._inside

    def __call__(self, request: Any) -> Any:
        self._count(1)
        try:
            assert self.go.wait(60)
            return self.read(request)
        finally:
            self._count(-1)

    def _count(self, change: int) -> None:
        with self._lock:
            self._inside += change
            self.most = max(self.most, self._inside)


@pytest.mark.django_db(transaction=True)
def test_imports_at_once_wait_for_each_other(alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    crowd = Crowd(view.read_upload)
    monkeypatch.setattr(view, "read_upload", crowd)
    clients = [client_of(alice) for _ in range(SENDERS)]

    def status(client: APIClient) -> int:
        try:
            return int(send(client).status_code)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(SENDERS) as pool:
        answers = [pool.submit(status, client) for client in clients]
        wait_until(lambda: crowd.inside >= import_slots.SLOTS)
        crowd.go.set()
        assert [answer.result() for answer in answers] == [201] * SENDERS
    assert crowd.most == import_slots.SLOTS
    assert Snapshot.objects.count() == SENDERS


def test_an_import_that_finds_no_slot_in_time_is_told_to_come_again(
    as_alice: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_slots, "WAIT_SECONDS", 0)
    with ExitStack() as others:
        for _ in range(import_slots.SLOTS):
            others.enter_context(import_slots.import_slot())
        answer = send(as_alice)
        assert "Too many imports" in assert_problem(answer, 503)["detail"]
        assert answer["Retry-After"] == "5"
        assert as_alice.get(URL).json()["results"] == []
    assert send(as_alice).status_code == 201


def test_a_failed_import_gives_its_slot_back(as_alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_slots, "WAIT_SECONDS", 0)
    for _ in range(import_slots.SLOTS + 1):
        assert as_alice.generic("POST", URL, b"{", "application/json").status_code == 400


def test_the_body_is_in_memory_only_within_a_slot(as_alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check for CSRF reads it, which comes before the view's own code."""
    seen: list[bool] = []

    def watched(stream: Any, limit: int, sentence: Any) -> bytes:
        seen.append(import_slots._slots._value < import_slots.SLOTS)
        return bytes(stream.read(limit + 1))

    monkeypatch.setattr("api.parsers.read_bounded", watched)
    client = APIClient(enforce_csrf_checks=True)
    client.cookies = as_alice.cookies
    client.cookies[settings.CSRF_COOKIE_NAME] = "a" * 32
    assert send(client).status_code == 403
    assert seen == [True]


def test_the_web_process_reads_much_less_than_a_large_cluster_by_itself() -> None:
    assert service.QUICK_BYTES <= 1024 * 1024
