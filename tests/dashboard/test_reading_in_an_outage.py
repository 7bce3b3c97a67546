"""Reading goes on while nothing can be written: neither a token nor a session needs a write of its own."""

from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test import Client

from dashboard.accounts.tokens import create_token, user_of_token
from dashboard.database_faults import is_disk_full, is_lock
from dashboard.hasty_transactions import hasty_transaction
from dashboard.models import ApiToken
from tests.dashboard.rows import new_snapshot
from tests.fixtures.database import only_sqlite
from tests.hindrances import full_disk, locked_database

pytestmark = pytest.mark.django_db(transaction=True)

PAGES = ["/", "/snapshots/", "/scenarios/", "/runs/", "/accounts/"]
LISTS = ["snapshots/", "scenarios/", "runs/"]
HINDRANCES = [locked_database, pytest.param(full_disk, marks=only_sqlite)]


@pytest.fixture
def by_token(bob: Any) -> dict[str, str]:
    """The headers of a script whose token was not used yet, so that its use is to be noted."""
    new_snapshot()
    return {"Authorization": f"Bearer {create_token(bob, 'script')[1]}"}


@pytest.mark.parametrize("hindrance", HINDRANCES)
def test_a_token_reads(client: Client, by_token: dict[str, str], hindrance: Any) -> None:
    connection.ensure_connection()
    with hindrance():
        statuses = {path: client.get(f"/api/v1/{path}", headers=by_token).status_code for path in LISTS}
    assert set(statuses.values()) == {200}, statuses
    assert ApiToken.objects.get().last_used_at is None
    assert client.get("/api/v1/runs/", headers=by_token).status_code == 200
    assert ApiToken.objects.get().last_used_at is not None


@pytest.mark.parametrize("hindrance", HINDRANCES)
def test_a_session_reads(client: Client, bob: Any, hindrance: Any) -> None:
    new_snapshot()
    client.force_login(bob)
    with hindrance():
        statuses = {path: client.get(path, follow=True).status_code for path in PAGES}
    assert set(statuses.values()) == {200}, statuses


def test_a_fault_of_the_program_in_the_note_is_not_hidden(bob: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    token = create_token(bob, "script")[1]
    monkeypatch.setattr("dashboard.accounts.tokens.is_passing", lambda error: False)
    with locked_database(), pytest.raises(OperationalError):
        user_of_token(token)


def test_a_hasty_transaction_does_not_wait_for_a_lock(bob: Any) -> None:
    create_token(bob, "script")
    with locked_database(), pytest.raises(OperationalError) as caught, hasty_transaction(0.01):
        ApiToken.objects.update(name="other")
    assert is_lock(caught.value)


@only_sqlite
def test_a_hasty_transaction_leaves_the_patience_of_others_as_it_was(bob: Any) -> None:
    with connection.cursor() as cursor:
        before = cursor.execute("PRAGMA busy_timeout").fetchone()
        with hasty_transaction(0.01):
            assert cursor.execute("PRAGMA busy_timeout").fetchone() == (10,)
        assert cursor.execute("PRAGMA busy_timeout").fetchone() == before


@only_sqlite
def test_a_disk_that_takes_nothing_is_known_as_full(bob: Any) -> None:
    with full_disk(), pytest.raises(OperationalError) as caught:
        create_token(bob, "script")
    assert is_disk_full(caught.value)
