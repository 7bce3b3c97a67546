"""Leases: one worker at a time writes a run or an import, and a dead one is replaced.

A lease is a conditional update of the row: `owner` says who, `heartbeat_at` (the database's clock) when it
was last seen. It may be taken when nobody has it, when it has run out, or when its owner was a process of
this machine that is gone. Every write names the owner, so a worker that lost its lease writes nothing.
"""

import logging
import os
import socket
import threading
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from types import TracebackType
from typing import Self
from uuid import uuid4

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import Q
from django.db.models.functions import Now

logger = logging.getLogger(__name__)

HEARTBEATS_PER_LEASE = 5


def lease_seconds() -> float:
    """Return how long a silent owner keeps its lease."""
    return float(getattr(settings, "LEASE_SECONDS", 15))


def new_owner() -> str:
    """Return a name that no other claim has: machine, process, and a part of chance."""
    return f"{_machine()}:{os.getpid()}:{uuid4().hex}"


def free_or_expired() -> Q:
    """Return the condition under which anybody may claim a row."""
    return Q(owner="") | Q(heartbeat_at__lt=Now() - timedelta(seconds=lease_seconds()))


def is_dead(owner: str) -> bool:
    """Tell whether the owner surely lives no more; False for owners on other machines."""
    machine, _, rest = owner.rpartition(":")[0].rpartition(":")
    if machine != _machine() or not rest.isdigit():
        return False
    try:
        os.kill(int(rest), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return _is_zombie(int(rest))


def _machine() -> str:
    """Return the host with its boot and process namespace, in which a process number means one process."""
    marks = [_read("/proc/sys/kernel/random/boot_id")[:8]]
    try:
        marks.append(str(Path("/proc/self/ns/pid").stat().st_ino))
    except OSError:
        marks.append("")
    return f"{socket.gethostname()[:40]}/{'/'.join(marks)}"


def _is_zombie(pid: int) -> bool:
    status = _read(f"/proc/{pid}/stat")
    return status.rpartition(")")[2].split()[:1] == ["Z"]


def _read(path: str) -> str:
    try:
        return Path(path).read_text()
    except OSError:
        return ""


class Heartbeat:
    """Keeps a lease alive from a thread while the worker computes; stops when the block is left.

    beat: renews the lease and returns whether it was still held.
    """

    def __init__(self, beat: Callable[[], bool]) -> None:
        self._beat = beat
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._keep_beating, name="heartbeat", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()

    def _keep_beating(self) -> None:
        try:
            while not self._stop.wait(lease_seconds() / HEARTBEATS_PER_LEASE):
                if not self._held():
                    return
        finally:
            connection.close()

    def _held(self) -> bool:
        try:
            return self._beat()
        except DatabaseError as error:
            logger.warning("A heartbeat was missed: %s", error)
            return True
