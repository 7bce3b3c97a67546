"""Deletes on a full disk, where SQLite has no room to note all of a large deletion at once.

Usually a deletion is one transaction. Only where that fails for want of room, the reserve is given up and
the bulk goes in small steps, each of which uses the room of the one before. Should that be cut short, the
rest of the object is still there to be deleted again.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import DatabaseError, connection
from django.db.models import QuerySet

from dashboard import disk_room
from dashboard.database_faults import is_disk_full
from dashboard.hasty_transactions import busy_timeout

ROWS_A_STEP = 200
CHECKPOINT_MILLISECONDS = 500


def delete_making_room(whole: Callable[[], object], bulk: Callable[[], Iterable[QuerySet[Any]]]) -> None:
    """Do `whole`; if the disk is too full for it, first delete the rows of `bulk` in small steps.

    whole: deletes everything in one transaction, and refuses before it writes. bulk: rows that nothing
    else depends on, which `whole` would delete too.
    """
    try:
        whole()
    except DatabaseError as error:
        if not is_disk_full(error) or connection.vendor != "sqlite" or connection.in_atomic_block:
            raise
        disk_room.give_up_reserve()
        with _sparing_deletion():
            for rows in bulk():
                _delete_in_steps(rows)
            whole()
    disk_room.settle_reserve()


def _delete_in_steps(rows: QuerySet[Any]) -> None:
    everyone = rows.model._base_manager
    while keys := list(rows.values_list("pk", flat=True)[:ROWS_A_STEP]):
        everyone.filter(pk__in=keys).delete()
        _reuse_log()


def _reuse_log() -> None:
    """Let SQLite write its log from the beginning again, unless readers still need it."""
    with busy_timeout(CHECKPOINT_MILLISECONDS):
        connection.connection.execute("PRAGMA wal_checkpoint(RESTART)").fetchone()


@contextmanager
def _sparing_deletion() -> Iterator[None]:
    """Keep SQLite from overwriting what it frees, for which it would need as much room again."""
    _reuse_log()
    driver = connection.connection
    before = driver.execute("PRAGMA secure_delete").fetchone()[0]
    driver.execute("PRAGMA secure_delete = OFF")
    try:
        yield
    finally:
        driver.execute(f"PRAGMA secure_delete = {before}")
