"""What goes wrong in a soak: now and then a process is killed, or the database cut or blocked."""

import random
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing
from http.client import HTTPException

import psycopg

from benchmarks.soak.findings import Findings
from benchmarks.soak.processes import Process, processes_of
from tests.fixtures.stack import Stack

KILLED = (
    *("broker", "web", "worker", "pool of worker", "importer", "pool of importer"),
    *("answerer", "pool of answerer", "reaper"),
)
BACK_SECONDS = 150
BLOCKED_SECONDS = (2.0, 8.0)  # others wait up to 20 s for SQLite's lock
LOOK_SECONDS = 0.1


class Faults:
    """Breaks one thing after another and waits until the product has recovered from it."""

    def __init__(self, stack: Stack, findings: Findings, seed: int) -> None:
        self.stack = stack
        self.findings = findings
        self.chance = random.Random(f"{seed}/faults")

    def go_on_until(self, stop: threading.Event, every: float) -> None:
        """One fault every so many seconds."""
        while not stop.wait(every):
            name = self.chance.choice([*KILLED, "database"])
            if name == "database":
                self._trouble_database()
            else:
                self._kill(name)

    def _kill(self, name: str) -> None:
        supervisor = self.stack.process.pid
        found = [one for one in processes_of(supervisor) if one.part == name]
        victim = self.chance.choice(found) if found else None
        if victim is None or not victim.kill():
            self.findings.count(f"fault: {name} was not there to be killed")
            return
        began = time.monotonic()
        wanted = len(found)
        if self._comes_true(lambda: self._is_back(victim, wanted)) and self._comes_true(self._is_ready):
            self.findings.took(f"fault: {name} killed, back again", time.monotonic() - began)
        else:
            self.findings.broke("part did not come back", f"{name}, killed {BACK_SECONDS} s before")

    def _is_back(self, victim: Process, wanted: int) -> bool:
        present = [one.pid for one in processes_of(self.stack.process.pid) if one.part == victim.part]
        return victim.pid not in present and len(present) >= wanted

    def _is_ready(self) -> bool:
        try:
            return self.stack.request("GET", "/readyz")[0] == 200
        except (OSError, HTTPException):
            return False

    def _comes_true(self, condition: Callable[[], bool]) -> bool:
        deadline = time.monotonic() + BACK_SECONDS
        while time.monotonic() < deadline:
            if condition():
                return True
            time.sleep(LOOK_SECONDS)
        return False

    def _trouble_database(self) -> None:
        url = self.stack.environment.get("DATABASE_URL")
        if url:
            self._end_connection(url)
        else:
            self._hold_lock()

    def _end_connection(self, url: str) -> None:
        """End a connection of the product's to PostgreSQL, whichever."""
        others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        with psycopg.connect(url, autocommit=True) as connection:
            pids = [pid for (pid,) in connection.execute(f"SELECT pid {others} ORDER BY pid").fetchall()]
            if pids:
                connection.execute("SELECT pg_terminate_backend(%s)", [self.chance.choice(pids)])
        self.findings.count("fault: a database connection ended" if pids else "fault: no connection to end")
        if not self._comes_true(self._is_ready):
            self.findings.broke("not ready", f"{BACK_SECONDS} s after a database connection was ended")

    def _hold_lock(self) -> None:
        """Write to SQLite for some seconds, so that nobody else can."""
        path = self.stack.data_folder / "sandtable.sqlite3"
        seconds = self.chance.uniform(*BLOCKED_SECONDS)
        with closing(sqlite3.connect(path, timeout=BACK_SECONDS, isolation_level=None)) as database:
            database.execute("BEGIN IMMEDIATE")
            time.sleep(seconds)
            database.execute("ROLLBACK")
        self.findings.took("fault: database locked", seconds)
