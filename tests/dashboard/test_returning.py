"""Faults of the database and the disk end nothing: the lease is given back, and the work goes on later."""

from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test import Client

from dashboard.models import Run, Snapshot, Upload
from dashboard.services.background import execution, importing, recording, returning
from dashboard.services.background.reaping import reap
from dashboard.services.workspace.snapshots import begin_import
from tests.builders import node
from tests.dashboard.rows import listing, new_run, small_cluster, whole_log
from tests.dashboard.test_runs import in_background, undisturbed_log, wait_for
from tests.fixtures.database import only_postgresql, only_sqlite

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("fake_engine", "sent")]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The rows that were sent to the workers, in place of a broker."""
    numbers: list[int] = []
    monkeypatch.setattr(
        "dashboard.services.background.dispatch._send", lambda task, pk: numbers.append(pk) or True
    )
    return numbers


def leave_room(pages: int | None) -> None:
    """Let SQLite find room for so many pages more, each of 4 KiB; None for as many as it likes.

    Pages that deleted rows have left are room too, however many other tests were before.
    """
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
        cursor.execute("PRAGMA page_count")
        limit = cursor.fetchone()[0] + pages if pages is not None else 2**30
        cursor.execute(f"PRAGMA max_page_count = {limit}")


def locked(*_: Any, **__: Any) -> None:
    raise OperationalError("database is locked")


def test_a_run_whose_database_was_locked_goes_on_where_it_was(
    alice: Any, monkeypatch: pytest.MonkeyPatch, sent: list[int]
) -> None:
    expected = undisturbed_log(pods=450)
    run = new_run(alice, pods=450)
    monkeypatch.setattr(execution, "CHUNK_SECONDS", 3600)
    store = recording.append_chunk
    monkeypatch.setattr(
        recording,
        "append_chunk",
        lambda lease, number, *rest: (store if number < 2 else locked)(lease, number, *rest),
    )
    execution.execute_run(run.pk)
    run.refresh_from_db()
    assert (run.status, run.owner, run.decisions, run.error) == ("queued", "", 200, "")
    monkeypatch.setattr(recording, "append_chunk", store)
    sent.clear()
    assert reap() == 1
    assert sent == [run.pk]
    execution.execute_run(run.pk)
    run.refresh_from_db()
    assert (run.status, run.losses) == ("finished", 0)
    assert whole_log(run) == expected


def test_a_lease_is_given_back_as_soon_as_that_works(alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    run = new_run(alice, pods=5)
    tries = iter([locked, locked, recording.give_up])
    monkeypatch.setattr(recording, "give_up", lambda lease: next(tries)(lease))
    monkeypatch.setattr(recording, "append_chunk", locked)
    monkeypatch.setattr(returning, "FIRST_PAUSE_SECONDS", 0.01)
    execution.execute_run(run.pk)
    run.refresh_from_db()
    assert (run.status, run.owner) == ("queued", "")
    assert next(tries, None) is None


@only_sqlite
def test_a_full_disk_ends_no_run(alice: Any) -> None:
    expected = undisturbed_log(pods=2000)
    run = new_run(alice, pods=2000)
    leave_room(8)
    execution.execute_run(run.pk)
    run.refresh_from_db()
    assert (run.status, run.owner, run.error) == ("queued", "", "")
    assert run.decisions < 2000
    leave_room(None)
    execution.execute_run(run.pk)
    run.refresh_from_db()
    assert run.status == "finished"
    assert whole_log(run) == expected


def test_a_locked_database_ends_no_import_and_its_files_stay(
    alice: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot = begin_import(alice, "prod", [("cluster.json", small_cluster())])
    with monkeypatch.context() as patched:
        patched.setattr(importing, "insert", locked)
        importing.import_uploads(snapshot.pk)
    snapshot.refresh_from_db()
    assert (snapshot.status, snapshot.owner) == ("importing", "")
    assert snapshot.progress == {"stage": "waiting for the database"}
    assert Upload.objects.filter(snapshot=snapshot).exists()
    importing.import_uploads(snapshot.pk)
    snapshot.refresh_from_db()
    assert snapshot.status == Snapshot.Status.READY


def test_a_fault_of_the_program_still_fails_an_import(alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("a fault of ours")

    snapshot = begin_import(alice, "prod", [("cluster.json", small_cluster())])
    monkeypatch.setattr(importing, "read_picture", broken)
    importing.import_uploads(snapshot.pk)
    snapshot.refresh_from_db()
    assert snapshot.status == "failed"
    assert "a fault of ours" in snapshot.problems[0]["message"]


@only_postgresql
def test_a_terminated_connection_ends_no_run(alice: Any) -> None:
    expected = undisturbed_log(pods=600)
    run = new_run(alice, pods=600, seconds=0.002)
    with connection.cursor() as cursor:
        # Threads of earlier tests may hold connections that later tests use again.
        cursor.execute("SELECT pid FROM pg_stat_activity WHERE datname = current_database()")
        older = [pid for (pid,) in cursor.fetchall()]
    while Run.objects.get(pk=run.pk).status != "finished":
        before = Run.objects.get(pk=run.pk).decisions
        worker = in_background(run)
        wait_for(run, lambda row, before=before: row.decisions > before or row.has_ended)
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND NOT pid = ANY(%s)",
                [older],
            )
        worker.join(30)
        assert Run.objects.get(pk=run.pk).status in ("queued", "finished")
    assert whole_log(run) == expected


@only_sqlite
def test_an_import_says_that_it_waits_for_room_on_the_disk(alice: Any, client: Client) -> None:
    snapshot = begin_import(
        alice, "prod", [("cluster.json", listing(*(node(f"node-{number}") for number in range(400))))]
    )
    leave_room(0)
    importing.import_uploads(snapshot.pk)
    snapshot.refresh_from_db()
    assert snapshot.progress == {"stage": "waiting for room on the disk"}
    client.force_login(alice)
    page = client.get(f"/snapshots/{snapshot.pk}/").content.decode()
    assert "Importing: waiting for room on the disk" in page
    leave_room(None)
    importing.import_uploads(snapshot.pk)
    snapshot.refresh_from_db()
    assert (snapshot.status, snapshot.progress) == (Snapshot.Status.READY, {})
