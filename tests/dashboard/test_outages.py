"""While database or disk fail, a page and REST say which, and never call it a fault of the program."""

import errno
from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.db import IntegrityError, OperationalError, connection
from django.test import Client

from dashboard.models import Snapshot
from dashboard.services.workspace import scenarios
from dashboard.services.workspace.snapshots import QUICK_BYTES
from dashboard.views import home
from tests.dashboard.rows import new_scenario, small_cluster
from tests.fixtures.database import only_sqlite
from tests.hindrances import locked_database

pytestmark = pytest.mark.django_db

FULL = OperationalError("database or disk is full")
LOCKED = OperationalError("database is locked")
GONE = psycopg.OperationalError("server closed the connection unexpectedly")
OUTAGES = [
    (FULL, 507, "The disk is full", None),
    (OSError(errno.EDQUOT, "Disk quota exceeded"), 507, "The disk is full", None),
    (LOCKED, 503, "The database is busy", "5"),
    (GONE, 503, "The database does not answer", "5"),
]


def failing(error: Exception) -> Callable[..., Any]:
    def fail(*arguments: Any, **named: Any) -> Any:
        raise error

    return fail


@pytest.fixture
def at_home(client: Client, alice: Any) -> Client:
    client.force_login(alice)
    client.raise_request_exception = False
    return client


@pytest.mark.parametrize(("error", "status", "title", "retry"), OUTAGES, ids=str)
def test_a_page_says_what_fails(
    at_home: Client, monkeypatch: pytest.MonkeyPatch, error: Exception, status: int, title: str, retry: Any
) -> None:
    monkeypatch.setattr(home, "data_size", failing(error))
    answer = at_home.get("/")
    assert (answer.status_code, answer.headers.get("Retry-After")) == (status, retry)
    assert f"<h1>{title}</h1>" in answer.text
    assert 'href="/runs/"' in answer.text


@pytest.mark.parametrize(("error", "status", "title", "retry"), OUTAGES, ids=str)
def test_rest_says_what_fails(
    at_home: Client,
    alice: Any,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    status: int,
    title: str,
    retry: Any,
) -> None:
    monkeypatch.setattr(scenarios, "delete_scenario", failing(error))
    answer = at_home.delete(f"/api/v1/scenarios/{new_scenario(alice).pk}/")
    assert (answer.status_code, answer.headers.get("Retry-After")) == (status, retry)
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["errors"][0]["message"] == answer.json()["detail"]


def test_a_session_that_cannot_be_read_is_told_in_the_readers_own_form(
    at_home: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SessionStore, "load", failing(LOCKED))
    page, problem = at_home.get("/runs/"), at_home.get("/api/v1/runs/")
    assert (page.status_code, problem.status_code) == (503, 503)
    assert page["Content-Type"].startswith("text/html")
    assert problem["Content-Type"] == "application/problem+json"


def test_a_sign_in_that_cannot_be_stored_is_told_on_a_page(
    client: Client, alice: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.raise_request_exception = False
    monkeypatch.setattr(SessionStore, "save", failing(FULL))
    form = {"username": "alice", "password": "alice has a long password"}
    answer = client.post("/accounts/sign-in/", form)
    assert answer.status_code == 507
    assert "The disk is full" in answer.text


@pytest.mark.parametrize("path", ["/", "/api/v1/runs/"])
def test_a_fault_of_the_program_stays_one(
    at_home: Client, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr(
        "dashboard.queries.access.visible_runs", failing(IntegrityError("database is locked?"))
    )
    assert at_home.get(path).status_code == 500


@only_sqlite
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", ["read at once", "left to a worker"])
def test_an_import_that_waited_for_a_lock_in_vain_is_told_to_come_again(at_home: Client, kind: str) -> None:
    body = small_cluster() + (b"" if kind == "read at once" else b" " * QUICK_BYTES)
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 0")  # instead of 20 s
    with locked_database():
        answer = at_home.post("/api/v1/snapshots/", body, content_type="application/json")
    assert (answer.status_code, answer.headers.get("Retry-After")) == (503, "5")
    assert "busy with other changes" in answer.json()["detail"]
    assert not Snapshot.objects.exists()
