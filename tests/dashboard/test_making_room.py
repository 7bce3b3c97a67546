"""On a full disk things can still be deleted, which makes room; a reserve beside the database helps."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test import Client

from dashboard import disk_room
from dashboard.database_faults import is_disk_full
from dashboard.errors import HasDependents
from dashboard.models import Checkpoint, Chunk, DecisionIndex, Node, Pod, Run, Scenario, Snapshot
from dashboard.services.background import making_room
from dashboard.services.background.execution import execute_run
from dashboard.services.workspace import runs, scenarios, snapshots
from tests.dashboard.rows import new_run
from tests.fixtures.database import only_sqlite
from tests.hindrances import full_disk

pytestmark = [pytest.mark.django_db(transaction=True), only_sqlite]

BULK = (Checkpoint, DecisionIndex, Chunk, Pod, Node)


@pytest.fixture
def played(alice: Any, fake_engine: None) -> Run:
    """A run with a log."""
    run = new_run(alice, pods=60, nodes=7)
    execute_run(run.pk)
    return run


@pytest.fixture
def reserve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the reserve lies, here of one megabyte; beside the database others that test make theirs."""
    monkeypatch.setattr(disk_room, "RESERVE_BYTES", 1024 * 1024)
    monkeypatch.setattr(disk_room, "_database", lambda: tmp_path / "sandtable.sqlite3")
    return tmp_path / "reserve"


def room(monkeypatch: pytest.MonkeyPatch, free: int) -> None:
    monkeypatch.setattr(disk_room, "_free", lambda folder: free)


def failing_while_there_is_bulk(whole: Callable[..., Any]) -> Callable[..., Any]:
    """The deletion in one transaction, on a disk with room for no more than single rows."""

    def fail(*arguments: Any) -> Any:
        if any(model.objects.exists() for model in BULK if model in (Chunk, DecisionIndex, Checkpoint)):
            raise OperationalError("database or disk is full")
        return whole(*arguments)

    return fail


@pytest.mark.parametrize("kind", ["run", "scenario", "snapshot"])
def test_what_is_too_large_to_be_deleted_at_once_goes_in_steps(
    played: Run, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    scenario, snapshot = played.scenario, played.snapshot
    for module, name in (
        (runs, "delete_runs_at_once"),
        (scenarios, "_delete_at_once"),
        (snapshots, "_delete_at_once"),
    ):
        monkeypatch.setattr(module, name, failing_while_there_is_bulk(getattr(module, name)))
    delete = {
        "run": lambda: runs.delete_run(played),
        "scenario": lambda: scenarios.delete_scenario(scenario, cascade=True),
        "snapshot": lambda: snapshots.delete_snapshot(snapshot, cascade=True),
    }
    delete[kind]()
    assert not Run.objects.exists()
    assert not Chunk.objects.exists()
    assert Scenario.objects.exists() == (kind == "run")
    assert Snapshot.objects.exists() == Pod.objects.exists() == (kind != "snapshot")


def test_a_log_that_cannot_grow_is_used_again(
    played: Run, client: Client, reserve: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite's log is as long as the disk lets it be, so the deletion fits only once it begins anew."""
    database = Path(connection.settings_dict["NAME"])
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_autocheckpoint = 0")
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    while (length := os.path.getsize(f"{database}-wal")) < 2 * os.path.getsize(database):
        Run.objects.update(trust={"words": os.urandom(100_000).hex()})
    with full_disk(length):
        with pytest.raises(OperationalError) as caught:
            runs.delete_runs_at_once(Run.objects.all())
        assert is_disk_full(caught.value)
        runs.delete_run(played)
    assert not Run.objects.exists()
    assert not DecisionIndex.objects.exists()


def test_a_refusal_comes_before_anything_is_deleted(played: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making_room, "is_disk_full", lambda error: True)
    with full_disk(), pytest.raises(HasDependents):
        snapshots.delete_snapshot(played.snapshot)
    assert Chunk.objects.exists()


@pytest.mark.parametrize("by", ["page", "rest"])
def test_a_disk_that_takes_nothing_at_all_is_told_and_leaves_everything(
    played: Run, client: Client, alice: Any, by: str
) -> None:
    client.force_login(alice)
    client.raise_request_exception = False
    count = {model: model.objects.count() for model in BULK}
    with full_disk():
        if by == "page":
            answer = client.post(f"/runs/{played.pk}/delete/")
        else:
            answer = client.delete(f"/api/v1/runs/{played.pk}/")
    assert answer.status_code == 507
    assert "no room left" in answer.text
    assert {model: model.objects.count() for model in BULK} == count


def test_a_deletion_leaves_the_connection_as_it_was(played: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def pragmas() -> list[Any]:
        with connection.cursor() as cursor:
            return [cursor.execute(f"PRAGMA {name}").fetchone() for name in ("secure_delete", "busy_timeout")]

    before = pragmas()
    monkeypatch.setattr(runs, "delete_runs_at_once", failing_while_there_is_bulk(runs.delete_runs_at_once))
    runs.delete_run(played)
    assert pragmas() == before


def test_the_reserve_takes_room_is_given_up_for_a_deletion_and_made_again(
    played: Run, reserve: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk_room.settle_reserve()
    assert reserve.stat().st_blocks * 512 >= disk_room.RESERVE_BYTES
    room(monkeypatch, disk_room.SPARE_BYTES)
    monkeypatch.setattr(runs, "delete_runs_at_once", failing_while_there_is_bulk(runs.delete_runs_at_once))
    runs.delete_run(played)
    assert not reserve.exists()
    room(monkeypatch, 2 * disk_room.SPARE_BYTES)
    runs.delete_run(new_run(pods=1), cascade=True)
    assert reserve.exists()


def test_a_start_on_a_full_disk_gets_the_reserve(reserve: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk_room.settle_reserve()
    room(monkeypatch, disk_room.HARDLY_ANY_BYTES - 1)
    disk_room.settle_reserve()
    assert not reserve.exists()


def test_a_reserve_that_does_not_fit_leaves_nothing(reserve: Path) -> None:
    with full_disk():
        disk_room.settle_reserve()
    assert not reserve.exists()


def test_a_database_held_open_keeps_the_files_that_readers_need(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = tmp_path / "one.sqlite3"  # nobody else of this process has it open
    with closing(sqlite3.connect(database)) as first:
        first.executescript("PRAGMA journal_mode = WAL; CREATE TABLE one (number)")
    monkeypatch.setattr(disk_room, "_database", lambda: database)
    log = Path(f"{database}-wal")
    assert not log.exists()
    held = disk_room.hold_database_open()
    assert held is not None
    assert log.exists()
    held.close()
    assert not log.exists()
