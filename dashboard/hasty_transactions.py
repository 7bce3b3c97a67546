"""Transactions that rather fail than wait: for what is only a note, and for probes that must answer soon."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def hasty_transaction(seconds: float) -> Iterator[None]:
    """A transaction that waits for other people's locks at most this long. Raises OperationalError."""
    milliseconds = int(seconds * 1000)
    if connection.vendor == "sqlite":
        with busy_timeout(milliseconds), transaction.atomic():
            yield
    else:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT set_config('lock_timeout', %s, true)", [f"{milliseconds}ms"])
            yield


@contextmanager
def busy_timeout(milliseconds: int) -> Iterator[None]:
    """SQLite's own waiting, which belongs to the connection: it is as before afterwards."""
    connection.ensure_connection()
    driver = connection.connection  # by itself, since Django takes no statement in a transaction that failed
    before = driver.execute("PRAGMA busy_timeout").fetchone()[0]
    driver.execute(f"PRAGMA busy_timeout = {milliseconds}")
    try:
        yield
    finally:
        driver.execute(f"PRAGMA busy_timeout = {before}")
