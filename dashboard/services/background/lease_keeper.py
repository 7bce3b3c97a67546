"""The keeper: renews the leases that processes of this machine hold, for as long as they live and move.

It runs in a thread of the worker's main process, which computes nothing. So a lease is kept too while its
owner holds the interpreter for longer than a lease (a large document being parsed), and a process that is
stopped or stuck loses it. Such a process is ended if this worker started it, since it takes up a place.
"""

import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Collection

from django.db import connection
from django.db.models.functions import Now

from dashboard.database_faults import is_passing
from dashboard.engine import engine_version
from dashboard.models import Question, Run, Snapshot
from dashboard.services.background import attendance
from dashboard.services.background.leases import (
    Process,
    is_alive,
    is_child,
    is_stopped,
    lease_seconds,
    machine,
    process_of,
    processor_ticks,
)

logger = logging.getLogger(__name__)

ROUNDS_PER_LEASE = 5
STUCK_SECONDS = 60.0
LEASED: tuple[type[Run | Snapshot | Question], ...] = (Run, Snapshot, Question)


class Keeper:
    """Remembers of each process when it was last seen to move.

    stuck_seconds: how long a process may go without computing; waiting for the database is shorter.
    """

    def __init__(
        self, stuck_seconds: float = STUCK_SECONDS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._stuck_seconds = stuck_seconds
        self._clock = clock
        self._moved: dict[Process, tuple[int, float]] = {}

    def keep(self) -> int:
        """Renew every lease of a living, moving process of this machine; return how many."""
        kept = 0
        seen: dict[Process, tuple[int, float]] = {}
        for model in LEASED:
            held = model.objects.filter(owner__startswith=f"{machine()}:")
            for owner in held.values_list("owner", flat=True):
                process = process_of(owner)
                if process is None or not is_alive(process):
                    continue
                seen[process] = self._last_move(process)
                if self._is_stuck(*seen[process]):
                    _end(process)
                elif not is_stopped(process):
                    kept += model.objects.filter(owner=owner).update(heartbeat_at=Now())
        self._moved = seen | self._stopped_without_lease(seen)
        return kept

    def _stopped_without_lease(self, seen: Collection[Process]) -> dict[Process, tuple[int, float]]:
        """Go on watching stopped processes after others have taken their leases over; idle ones may rest."""
        known = {process: moved for process, moved in self._moved.items() if process not in seen}
        stopped = {process: moved for process, moved in known.items() if is_stopped(process)}
        for process, moved in stopped.items():
            if self._is_stuck(*moved):
                _end(process)
        return stopped

    def _last_move(self, process: Process) -> tuple[int, float]:
        ticks = processor_ticks(process)
        known = self._moved.get(process)
        return known if known is not None and known[0] == ticks else (ticks, self._clock())

    def _is_stuck(self, _ticks: int, moved_at: float) -> bool:
        return self._clock() - moved_at > self._stuck_seconds


def _end(process: Process) -> None:
    if is_child(process):
        logger.error("Process %s has not moved for long and is ended.", process.pid)
        os.kill(process.pid, signal.SIGKILL)


_one_at_a_time = threading.Lock()
"""Held while the keeper uses the database: a process forked meanwhile would inherit an open connection."""

os.register_at_fork(
    before=_one_at_a_time.acquire,
    after_in_parent=_one_at_a_time.release,
    after_in_child=_one_at_a_time.release,
)


def start_keeping() -> None:
    """Keep leases, and tell that this worker works, from a thread until this process ends."""
    threading.Thread(target=_keep_on, args=(Keeper(),), name="keeper", daemon=True).start()


def _keep_on(keeper: Keeper) -> None:
    while True:
        with _one_at_a_time:
            try:
                keeper.keep()
                loop = attendance.loop
                attendance.note_present(loop.working_parts(), _round_seconds(), loop.places, engine_version())
            except Exception as error:
                if not is_passing(error):
                    logger.exception("The keeper failed")
                else:
                    logger.warning("Leases could not be renewed: %s", error)
            finally:
                connection.close()
        time.sleep(_round_seconds())


def _round_seconds() -> float:
    return lease_seconds() / ROUNDS_PER_LEASE
