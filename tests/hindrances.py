"""What stands in the way of writing: somebody else's lock, and a disk that takes nothing any more."""

import resource
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

import psycopg
from django.db import connection

from dashboard.models import ApiToken


@contextmanager
def locked_database() -> Iterator[None]:
    """Somebody else writes all the while: to the whole of SQLite, to the tokens on PostgreSQL."""
    if connection.vendor == "sqlite":
        name = connection.settings_dict["NAME"]
        with closing(sqlite3.connect(name, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
    else:
        parameters = {**connection.get_connection_params(), "cursor_factory": psycopg.Cursor}
        with psycopg.connect(**parameters) as other:
            other.execute(f"LOCK TABLE {ApiToken._meta.db_table} IN EXCLUSIVE MODE")
            yield


@contextmanager
def full_disk(length: int = 0) -> Iterator[None]:
    """No file of this process grows beyond a length in bytes, which needs neither rights nor a mount."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (length, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
