"""Leases: one worker at a time writes a run or an import, and a lost one is replaced.

A lease is a conditional update of the row: `owner` says which process has it, `heartbeat_at` (the database's
clock) when that was last seen. It is lost when its owner was a process of this machine that is gone, or when
nobody has renewed it for `lease_seconds`. The keeper (`lease_keeper.py`) renews it for as long as
the process lives and moves. Every write names the owner, so a worker that lost its lease writes nothing.
"""

import os
import socket
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from uuid import uuid4

from django.conf import settings
from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from dashboard.models.leased import Leased

STOPPED = set("Tt")
GONE = set("ZX")
Row = TypeVar("Row", bound=Leased)

FREE: dict[str, Any] = {"owner": "", "heartbeat_at": None, "dispatched_at": None}
"""The fields of a row that nobody holds and for which no message is under way."""


class Process(NamedTuple):
    """A process of this machine; a number alone may be that of a later one, so its start belongs to it.

    started: clock ticks since the machine's boot, "" where the system doesn't tell.
    """

    pid: int
    started: str


def lease_seconds() -> float:
    """Return how long a lease that nobody renews is kept."""
    return float(getattr(settings, "LEASE_SECONDS", 15))


def new_owner() -> str:
    """Return a name that no other claim has: machine, process, its start, and a part of chance."""
    return f"{process_name()}:{uuid4().hex}"


def process_name() -> str:
    """Return the name of the present process, by which `is_dead` knows it."""
    pid = os.getpid()
    return f"{machine()}:{pid}:{_stat(pid).started}"


def lost(rows: QuerySet[Row]) -> list[Row]:
    """Return the rows whose owners are gone, or have not been seen for longer than a lease."""
    held = rows.exclude(owner="")
    unseen = Q(heartbeat_at__lt=Now() - timedelta(seconds=lease_seconds()))
    expired = set(held.filter(unseen).values_list("pk", flat=True))
    return [row for row in held if row.pk in expired or is_dead(row.owner)]


def is_dead(owner: str) -> bool:
    """Tell whether the owner surely lives no more; False for owners on other machines."""
    process = process_of(owner)
    return process is not None and not is_alive(process)


def process_of(owner: str) -> Process | None:
    """Return the process of this machine that an owner's name stands for; None for all others."""
    place, _, pid_and_rest = owner.partition(":")
    pid, _, rest = pid_and_rest.partition(":")
    if place != machine() or not pid.isdigit():
        return None
    return Process(int(pid), rest.partition(":")[0])


def is_alive(process: Process) -> bool:
    """Tell whether the process is still there: itself, and not what its end left behind."""
    stat = _stat(process.pid)
    return bool(stat.state) and stat.state not in GONE and stat.started == process.started


def is_stopped(process: Process) -> bool:
    """Tell whether a signal or a debugger holds the process."""
    return _stat(process.pid).state in STOPPED


def is_child(process: Process) -> bool:
    """Tell whether the present process started that one."""
    return _stat(process.pid).parent == str(os.getpid())


def processor_ticks(process: Process) -> int:
    """Return the clock ticks for which the process has computed so far."""
    return _stat(process.pid).ticks


@cache
def machine() -> str:
    """Return the host with its boot and process namespace, in which a process number means one process."""
    marks = [_read("/proc/sys/kernel/random/boot_id")[:8]]
    try:
        marks.append(str(Path("/proc/self/ns/pid").stat().st_ino))
    except OSError:
        marks.append("")
    return f"{socket.gethostname()[:40].replace(':', '-')}/{'/'.join(marks)}"


class _Stat(NamedTuple):
    state: str
    parent: str = ""
    ticks: int = 0
    started: str = ""


def _stat(pid: int) -> _Stat:
    """Read what the system tells of a process; without /proc, only whether there is one."""
    fields = _read(f"/proc/{pid}/stat").rpartition(")")[2].split()
    if len(fields) > 19:
        return _Stat(fields[0], fields[1], int(fields[11]) + int(fields[12]), fields[19])
    if Path("/proc/self/stat").exists():
        return _Stat("")
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return _Stat("")
    except PermissionError:
        pass
    return _Stat("?")


def _read(path: str) -> str:
    try:
        return Path(path).read_text()
    except OSError:
        return ""
