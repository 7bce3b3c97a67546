"""Before migrations the database is backed up; without a backup that worked, nothing is migrated.

A database that newer code has migrated is refused.
"""

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.fixtures.database import database_for, only_postgresql
from tests.fixtures.prepared import PROJECT, lend

OLDER = (
    "DELETE FROM django_migrations WHERE app = 'axes' AND name LIKE '0010%'",
    "DROP TABLE axes_accessattemptexpiration",
)
NEWER = "INSERT INTO django_migrations (app, name, applied) VALUES ('{}', '{}', CURRENT_TIMESTAMP)"
DUE = "SELECT COUNT(*) FROM django_migrations WHERE app = 'axes' AND name LIKE '0010%'"
NAMES = "SELECT username FROM auth_user"


def manage(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A management command of the product on the data and the database of this folder."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("SANDTABLE_")}
    settings = {"DJANGO_SETTINGS_MODULE": "dashboard.settings", "DATA_DIR": str(folder / "data")}
    return subprocess.run(
        [sys.executable, str(PROJECT / "manage.py"), *arguments],
        env={**inherited, **database_for(folder), **settings, **environment},
        cwd=PROJECT,
        capture_output=True,
        text=True,
    )


def ask(folder: Path, *statements: str) -> list[tuple[Any, ...]]:
    """What the folder's database answers to the last of these."""
    url = database_for(folder).get("DATABASE_URL")
    connect = partial(psycopg.connect, url) if url else partial(sqlite3.connect, database_file(folder))
    connection: Any = connect()
    with closing(connection), connection:
        for statement in statements:
            answer = connection.execute(statement)
        return list(answer.fetchall()) if answer.description else []


def database_file(folder: Path) -> Path:
    return folder / "data" / "sandtable.sqlite3"


@pytest.fixture
def older(tmp_path: Path) -> Path:
    """A folder whose database is that of an older release: one migration is due."""
    lend(tmp_path / "data")
    assert manage(tmp_path, "prepare").returncode == 0
    assert not (tmp_path / "data" / "backups").exists()
    ask(tmp_path, *OLDER)
    return tmp_path


def is_due(folder: Path) -> bool:
    return ask(folder, DUE) == [(0,)]


def put_back(backup: Path, folder: Path) -> None:
    """Go back to a backup, as docs/operations.md says."""
    if backup.suffix == ".sqlite3":
        for name in ("sandtable.sqlite3-wal", "sandtable.sqlite3-shm"):
            (folder / "data" / name).unlink(missing_ok=True)
        shutil.copy(backup, database_file(folder))
        return
    url = database_for(folder)["DATABASE_URL"]
    with psycopg.connect(url) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    command = ["pg_restore", "--no-owner", "--exit-on-error", "--dbname", url, str(backup)]
    subprocess.run(command, check=True)


def test_the_database_is_backed_up_before_a_migration_and_the_token_stays(older: Path) -> None:
    # What an app that is gone has applied is no sign of newer code.
    ask(older, NEWER.format("gone", "0001_initial"))
    token = (older / "data" / "token").read_text()
    done = manage(older, "prepare")
    assert done.returncode == 0, done.stderr
    assert "1 migrations are due; the database was backed up to" in done.stdout
    assert not is_due(older)
    assert (older / "data" / "token").read_text() == token
    (backup,) = (older / "data" / "backups").iterdir()
    assert backup.stat().st_mode & 0o777 == 0o600
    put_back(backup, older)
    assert is_due(older)
    assert ask(older, NAMES) == [("admin",)]


@only_postgresql
def test_a_dump_that_fails_stops_the_start_before_anything_is_migrated(older: Path) -> None:
    programs = older / "programs"
    programs.mkdir()
    (programs / "pg_dump").write_text("#!/bin/sh\necho server version mismatch >&2\nexit 1\n")
    (programs / "pg_dump").chmod(0o755)
    refused = manage(older, "prepare", PATH=f"{programs}:{os.environ['PATH']}")
    assert refused.returncode == 1
    assert "Nothing was migrated" in refused.stderr
    assert "server version mismatch" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert is_due(older)
    assert list((older / "data" / "backups").iterdir()) == []


@only_postgresql
def test_without_pg_dump_the_migration_goes_on_and_says_that_nothing_was_backed_up(older: Path) -> None:
    done = manage(older, "prepare", PATH=str(older))
    assert done.returncode == 0, done.stderr
    assert "no backup was made, because pg_dump is not installed here" in done.stdout
    assert not is_due(older)


def test_a_database_of_newer_code_is_refused_with_what_to_do(older: Path) -> None:
    ask(older, NEWER.format("dashboard", "9999_of_tomorrow"), NEWER.format("gone", "0001_initial"))
    refused = manage(older, "prepare")
    assert refused.returncode == 1
    assert "made by a newer Sandtable" in refused.stderr
    assert "does not know dashboard.9999_of_tomorrow." in refused.stderr
    assert "docs/operations.md" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert is_due(older)
    assert not (older / "data" / "backups").exists()
