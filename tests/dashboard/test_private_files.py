"""The data folder is its owner's alone, also one that was there before; of sessions digests are stored."""

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.test import Client

from dashboard import private_files
from dashboard.accounts.sessions import SessionStore, stored_key
from dashboard.private_files import OpenToOthers, close_to_others, keep_files_private
from tests.fixtures.database import only_sqlite
from tests.fixtures.prepared import PROJECT, prepared


@pytest.fixture(autouse=True)
def same_umask() -> Any:
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One that somebody has made as folders are made."""
    path = tmp_path / "data"
    path.mkdir()
    path.chmod(0o755)
    return path


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def at_home(client: Client, alice: Any) -> Client:
    client.force_login(alice)
    return client


def prepare(folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], "DATA_DIR": str(folder)}
    command = [sys.executable, str(PROJECT / "manage.py"), "prepare"]
    return subprocess.run(command, env=environment, cwd=PROJECT, capture_output=True, text=True)


@only_sqlite
def test_a_folder_and_files_that_others_could_read_are_closed_with_a_word(folder: Path) -> None:
    (folder / "token").write_text("withdrawn\n")
    (folder / "token").chmod(0o644)
    shutil.copytree(prepared() / "static", folder / "static")  # they are served to everybody
    done = prepare(folder)
    assert done.returncode == 0, done.stderr
    assert f"{folder} could be entered by other users of this machine" in done.stderr
    assert "closed now: token" in done.stderr
    assert mode(folder) == 0o700
    files = [path for path in folder.rglob("*") if path.is_file() and "static" not in path.parts]
    assert {"sandtable.sqlite3", "secret_key", "token"} <= {path.name for path in files}
    assert {str(path): oct(mode(path)) for path in files if mode(path) != 0o600} == {}
    assert "could be entered" not in prepare(folder).stderr


def test_a_folder_with_other_things_is_refused_and_left_as_it_is(folder: Path) -> None:
    (folder / "holiday.jpg").touch()
    done = prepare(folder)
    assert done.returncode != 0
    assert "holds other things (holiday.jpg)" in done.stderr
    assert f"chmod 700 {folder}" in done.stderr
    assert mode(folder) == 0o755
    assert [path.name for path in folder.iterdir()] == ["holiday.jpg"]


def test_a_closed_folder_may_hold_other_things(folder: Path) -> None:
    (folder / "holiday.jpg").touch()
    folder.chmod(0o700)
    assert not close_to_others(folder)
    assert keep_files_private(folder) == []


def test_a_folder_of_somebody_else_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(private_files.os, "geteuid", lambda: folder.stat().st_uid + 1)
    with pytest.raises(OpenToOthers, match="belongs to another one"):
        close_to_others(folder)
    assert mode(folder) == 0o755


def test_what_is_written_afterwards_is_private(folder: Path) -> None:
    assert close_to_others(folder)
    (folder / "sandtable.sqlite3-wal").touch()
    assert mode(folder / "sandtable.sqlite3-wal") == 0o600


def test_a_link_out_of_the_folder_is_not_followed(folder: Path, tmp_path: Path) -> None:
    (outside := tmp_path / "outside").touch()
    outside.chmod(0o644)
    (folder / "token").symlink_to(outside)
    assert keep_files_private(folder) == []
    assert mode(outside) == 0o644


def test_the_database_does_not_hold_the_key_of_a_session(at_home: Client) -> None:
    key = at_home.cookies["sandtable_session"].value
    assert at_home.get("/accounts/").status_code == 200
    (row,) = Session.objects.all()
    assert row.session_key == stored_key(key) != key
    at_home.cookies["sandtable_session"] = row.session_key
    assert at_home.get("/accounts/").status_code == 302


def test_a_session_lives_and_ends_by_its_key(db: None) -> None:
    session = SessionStore()
    session["what"] = "kept"
    session.save()
    key = str(session.session_key)
    assert session.exists(key)
    assert not session.exists(stored_key(key))
    assert SessionStore(key)["what"] == "kept"
    session["what"] = "changed"
    session.save()
    assert SessionStore(key)["what"] == "changed"
    session.cycle_key()
    assert not session.exists(key)
    assert SessionStore(session.session_key)["what"] == "changed"
    session.flush()
    assert not Session.objects.exists()


@pytest.mark.django_db(transaction=True)
async def test_a_session_lives_and_ends_by_its_key_where_sockets_ask() -> None:
    session = SessionStore()
    await session.aset("what", "kept")
    await session.asave()
    key = str(session.session_key)
    assert await session.aexists(key)
    assert not await session.aexists(stored_key(key))
    assert await SessionStore(key).aget("what") == "kept"
    await SessionStore().adelete(key)
    assert await SessionStore(key).aget("what") is None


@pytest.mark.django_db(transaction=True)
def test_who_is_signed_in_stays_so_when_keys_become_digests() -> None:
    session = SessionStore()
    session["what"] = "kept"
    session.save()
    newest = MigrationExecutor(connection).loader.graph.leaf_nodes()
    MigrationExecutor(connection).migrate([("dashboard", "0016_working_parts")])
    Session.objects.update(session_key=session.session_key)
    try:
        MigrationExecutor(connection).migrate(newest)
        assert SessionStore(session.session_key)["what"] == "kept"
    finally:
        MigrationExecutor(connection).migrate(newest)
