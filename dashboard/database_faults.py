"""What an error of the database or the disk means: a lock, a full disk, or another fault that passes.

The drivers name them differently: psycopg by SQLSTATE, SQLite by its sentence. Django wraps both and keeps
the driver's error as the cause, so every error is judged with all its causes. Where nobody has loaded psycopg
no error is its own, and it is not loaded for that.
"""

import errno
import sqlite3
import sys
from collections.abc import Iterator

from django.db import InterfaceError, OperationalError

from dashboard.environment import value
from dashboard.masking import masked

_LOCK_STATES = ("40001", "40P01", "55P03")
"""Serialization failure, deadlock, lock not available (as by lock_timeout)."""

_FULL_STATES = ("53100",)

_REFERENCE_STATES, _REFERENCE_SENTENCE = ("23503",), "FOREIGN KEY constraint failed"

_PASSING_STATES = ("08", "53", "57P", "58", "25P03", "25006")
"""Beginnings of SQLSTATEs: connection lost, no resources, shutdown, the server's own system, a session that
waited too long, and a server that takes no writes while another is made the first."""

_LOCK_SENTENCES = ("database is locked", "database table is locked", "database schema is locked")
_FULL_SENTENCES = ("database or disk is full", "disk i/o error")
_PASSING_SENTENCES = (
    "unable to open database file",
    "locking protocol",
    "attempt to write a readonly database",
    "connection already closed",
)

_FULL_NUMBERS = {errno.ENOSPC, errno.EDQUOT}
_PASSING_NUMBERS = {errno.EIO, errno.EROFS}


def names_what_is_gone(error: BaseException) -> bool:
    """Tell whether a row was to be stored that names one which somebody has deleted meanwhile."""
    return any(
        _has_state(cause, _REFERENCE_STATES)
        or (isinstance(cause, sqlite3.IntegrityError) and str(cause).startswith(_REFERENCE_SENTENCE))
        for cause in _causes(error)
    )


def is_lock(error: BaseException) -> bool:
    """Tell whether someone else held what the statement needed: a lock, a deadlock, a conflict of two."""
    return any(_has_state(cause, _LOCK_STATES) or _says(cause, _LOCK_SENTENCES) for cause in _causes(error))


def is_disk_full(error: BaseException) -> bool:
    """Tell whether there was no room to write. SQLite calls some of these "disk I/O error"."""
    return any(
        _has_state(cause, _FULL_STATES) or _says(cause, _FULL_SENTENCES) or _has_number(cause, _FULL_NUMBERS)
        for cause in _causes(error)
    )


def is_without_server(error: BaseException) -> bool:
    """Tell whether no database server answered: refused, lost, closed, or not let in."""
    return any(map(_is_unanswered, _causes(error)))


def sentence_without_server(error: BaseException) -> str:
    """Say for a command that DATABASE_URL, without its password, leads to no server that answers, and why."""
    reason = str(error).partition("\n")[0]
    return masked(f"DATABASE_URL={value('DATABASE_URL')} leads to no database that answers: {reason}")


def is_passing(error: BaseException) -> bool:
    """Tell whether the same may succeed later, since the database or the disk failed and not the program."""
    return is_lock(error) or is_disk_full(error) or any(map(_is_other_passing, _causes(error)))


def _is_other_passing(error: BaseException) -> bool:
    return (
        _has_state(error, _PASSING_STATES)
        or _is_unanswered(error)
        or _says(error, _PASSING_SENTENCES)
        or _has_number(error, _PASSING_NUMBERS)
    )


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield the error and what it was raised from, each once."""
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        yield cause
        cause = cause.__cause__


def _has_state(error: BaseException, states: tuple[str, ...]) -> bool:
    return _is_of_psycopg(error, "Error") and (getattr(error, "sqlstate", "") or "").startswith(states)


def _is_unanswered(error: BaseException) -> bool:
    """psycopg gives no SQLSTATE where no server answered: refused, lost, closed, or not let in."""
    return _is_of_psycopg(error, "OperationalError") and getattr(error, "sqlstate", None) is None


def _is_of_psycopg(error: BaseException, kind: str) -> bool:
    psycopg = sys.modules.get("psycopg")
    return psycopg is not None and isinstance(error, getattr(psycopg, kind))


def _says(error: BaseException, sentences: tuple[str, ...]) -> bool:
    """The kind is asked too, since an error of another kind may quote what somebody sent."""
    kinds = (sqlite3.OperationalError, OperationalError, InterfaceError)
    return isinstance(error, kinds) and str(error).lower().startswith(sentences)


def _has_number(error: BaseException, numbers: set[int]) -> bool:
    return isinstance(error, OSError) and error.errno in numbers
