"""Room on the disk: how much is left, and what SQLite needs of it to read and to delete when there is none.

To delete is to write: SQLite notes every change in its log (`-wal`) first. So a file of some megabytes lies
beside the database, is given up when the disk is full, and is made again once there is room to spare. To
read, SQLite needs `-wal` and `-shm`, which it makes for the first who comes and removes with the last who
goes; so the web process stays. On PostgreSQL all of this is the server's own affair.
"""

import logging
import shutil
import sqlite3
from contextlib import suppress
from pathlib import Path

from django.conf import settings
from django.db import connection

from dashboard.database_faults import is_disk_full
from dashboard.environment import MEGABYTE

logger = logging.getLogger(__name__)

RESERVE_BYTES = 16 * MEGABYTE
SPARE_BYTES = 64 * MEGABYTE
"""Left to others when a reserve is made."""

HARDLY_ANY_BYTES = 4 * MEGABYTE
"""Less than that does not even suffice for a start."""

LOW_BYTES = 256 * MEGABYTE


def is_low() -> bool:
    """Tell whether the disk of the data folder will soon be full."""
    return free_bytes() < LOW_BYTES


def free_bytes() -> int:
    """Return the room on the data folder's disk."""
    return _free(settings.DATA_DIR)


def database_bytes() -> int:
    """Return what the database takes: on SQLite its file and its log, on PostgreSQL what the server says."""
    path = _database()
    if path is None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_database_size(current_database())")
            return int(cursor.fetchone()[0])
    files = (path, path.with_name(f"{path.name}-wal"))
    return sum(file.stat().st_size for file in files if file.exists())


def settle_reserve() -> None:
    """Make the reserve if there is room to spare; give it up if there is hardly any room."""
    path = _reserve()
    if path is None:
        return
    free = _free(path.parent)
    if free < HARDLY_ANY_BYTES:
        give_up_reserve()
    elif free > RESERVE_BYTES + SPARE_BYTES and not path.exists():
        _make(path)


def give_up_reserve() -> None:
    """Turn the reserve, if there is one, into room."""
    path = _reserve()
    if path is not None and path.exists():
        path.unlink(missing_ok=True)
        logger.warning("The disk is full, so its reserve of %s bytes was given up.", RESERVE_BYTES)


def hold_database_open() -> sqlite3.Connection | None:
    """Return a connection that keeps the files beside SQLite's database there as long as it is kept.

    None where there are no such files, or they cannot be made even with the room of the reserve.
    """
    if _database() is None:
        return None
    try:
        return _opened()
    except sqlite3.Error as error:
        logger.warning("The database could not be held open: %s", error)
        if not is_disk_full(error):
            return None
    give_up_reserve()
    with suppress(sqlite3.Error):
        return _opened()
    return None


def _opened() -> sqlite3.Connection:
    database = sqlite3.connect(str(_database()), check_same_thread=False)
    database.execute("SELECT 1 FROM sqlite_master").fetchall()  # only a reader makes the files
    return database


def _database() -> Path | None:
    return Path(connection.settings_dict["NAME"]) if connection.vendor == "sqlite" else None


def _reserve() -> Path | None:
    database = _database()
    return None if database is None else database.with_name("reserve")


def _make(path: Path) -> None:
    """Fill it really: a file with holes would take no room."""
    try:
        with path.open("wb") as file:
            path.chmod(0o600)
            for _ in range(RESERVE_BYTES // MEGABYTE):
                file.write(bytes(MEGABYTE))
    except OSError as error:
        path.unlink(missing_ok=True)
        logger.warning("No reserve could be made on the disk: %s", error)


def _free(folder: Path) -> int:
    return shutil.disk_usage(folder).free
