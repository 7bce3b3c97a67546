"""Which errors of a database or a disk pass: the drivers' own errors wherever they can be provoked."""

import errno
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from django.db import DataError, IntegrityError, OperationalError, ProgrammingError
from django.db import InterfaceError as DjangoInterfaceError

from dashboard.database_faults import is_disk_full, is_lock, is_passing
from tests.fixtures.stack import free_port


def wrapped(cause: Exception, kind: type[Exception] = OperationalError) -> Exception:
    """The cause as Django's wrapper hands it on."""
    try:
        raise kind(*cause.args) from cause
    except kind as error:
        return error


def of_state(state: str) -> Exception:
    """What psycopg raises for a SQLSTATE, in Django's wrapping."""
    return wrapped(psycopg.errors.lookup(state)("words of the server"))


def provoked(act: Callable[[], object]) -> Exception:
    with pytest.raises(Exception) as caught:  # noqa: PT011  the kind is what is to be judged
        act()
    return caught.value


def sqlite_locked(folder: Path) -> Exception:
    with sqlite3.connect(folder / "a", isolation_level=None) as one:
        one.execute("CREATE TABLE t (x)")
        one.execute("BEGIN IMMEDIATE")
        two = sqlite3.connect(folder / "a", timeout=0, isolation_level=None)
        error = provoked(lambda: two.execute("BEGIN IMMEDIATE"))
        two.close()
    one.close()
    return error


def sqlite_full(folder: Path) -> Exception:
    database = sqlite3.connect(folder / "b")
    database.execute("CREATE TABLE t (x)")
    database.execute("PRAGMA max_page_count = 1")
    error = provoked(lambda: database.execute("INSERT INTO t VALUES (zeroblob(1000000))"))
    database.close()
    return error


@pytest.mark.parametrize("state", ["40001", "40P01", "55P03"])
def test_locks_and_conflicts_of_postgresql(state: str) -> None:
    error = of_state(state)
    assert (is_lock(error), is_disk_full(error), is_passing(error)) == (True, False, True)


@pytest.mark.parametrize(
    "state", ["08006", "53000", "53200", "53300", "57P01", "57P02", "57P03", "58030", "25P03", "25006"]
)
def test_other_faults_of_postgresql_that_pass(state: str) -> None:
    error = of_state(state)
    assert (is_lock(error), is_disk_full(error), is_passing(error)) == (False, False, True)


def test_a_full_disk_of_postgresql() -> None:
    error = of_state("53100")
    assert (is_lock(error), is_disk_full(error), is_passing(error)) == (False, True, True)


def test_a_server_that_is_not_there() -> None:
    error = provoked(lambda: psycopg.connect(f"postgres://a:b@127.0.0.1:{free_port()}/c"))
    assert is_passing(wrapped(error))
    assert not is_lock(error)
    assert not is_disk_full(error)


def test_a_lock_of_sqlite(tmp_path: Path) -> None:
    error = sqlite_locked(tmp_path)
    for seen in (error, wrapped(error), OperationalError(str(error))):
        assert (is_lock(seen), is_disk_full(seen), is_passing(seen)) == (True, False, True)


def test_a_full_disk_of_sqlite(tmp_path: Path) -> None:
    error = sqlite_full(tmp_path)
    for seen in (error, wrapped(error), OperationalError("disk I/O error")):
        assert (is_lock(seen), is_disk_full(seen), is_passing(seen)) == (False, True, True)


def test_a_file_that_cannot_be_opened(tmp_path: Path) -> None:
    error = provoked(lambda: sqlite3.connect(tmp_path / "missing" / "file"))
    assert is_passing(wrapped(error))
    assert is_passing(OperationalError("attempt to write a readonly database"))


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_of_the_system(number: int) -> None:
    error = OSError(number, os.strerror(number))
    assert (is_lock(error), is_disk_full(error), is_passing(error)) == (False, True, True)


def test_a_cause_further_down_counts() -> None:
    inner = wrapped(psycopg.errors.lookup("40P01")("deadlock detected"))
    assert is_lock(wrapped(inner, RuntimeError))


def test_a_chain_of_causes_that_closes_on_itself_ends() -> None:
    one, two = ValueError("one"), ValueError("two")
    one.__cause__, two.__cause__ = two, one
    assert not is_passing(one)


@pytest.mark.parametrize(
    "error",
    [
        wrapped(sqlite3.IntegrityError("UNIQUE constraint failed: t.x"), IntegrityError),
        IntegrityError("database is locked, wrote somebody"),
        wrapped(sqlite3.OperationalError("no such table: t")),
        wrapped(sqlite3.DatabaseError("database disk image is malformed")),
        wrapped(psycopg.errors.lookup("23505")("duplicate key"), IntegrityError),
        wrapped(psycopg.errors.lookup("22001")("value too long"), DataError),
        wrapped(psycopg.errors.lookup("42P01")("no such table"), ProgrammingError),
        wrapped(psycopg.errors.lookup("57014")("canceled")),
        wrapped(psycopg.InterfaceError("bad parameter"), DjangoInterfaceError),
        OSError(errno.ENOENT, "no such file"),
        ConnectionRefusedError(errno.ECONNREFUSED, "the broker's, perhaps"),
        ValueError("database is locked"),
    ],
    ids=str,
)
def test_faults_of_a_program_do_not_pass(error: Exception) -> None:
    assert not is_lock(error)
    assert not is_disk_full(error)
    assert not is_passing(error)
