"""Attendance: workers of all queues and the reaper tell the database that they work; `/readyz` asks who does.

The database is what all machines share, whatever the broker. A worker works while the loop that takes its
messages turns: its keeper tells so (`lease_keeper.py`), since that loop must not wait for a database. A
process that is gone from this machine counts no more at once, any other after PRESENT_SECONDS.
"""

import time
from collections.abc import Iterable
from datetime import timedelta

from django.db.models.functions import Now

from dashboard.models import WorkingPart
from dashboard.services.background.dispatch import ANSWERS, IMPORTS, RUNS
from dashboard.services.background.leases import is_dead, process_name

ANSWERER = "answerer"
PART_OF_QUEUE = {RUNS: "worker", IMPORTS: "importer", ANSWERS: ANSWERER}
REAPER = "reaper"
SAMPLES = "samples"
"""Who loads the samples after the start; nobody misses that part once it is done."""
PARTS = (*PART_OF_QUEUE.values(), REAPER)
PRESENT_SECONDS = 45.0
TURN_SECONDS = 2.0
FORGOTTEN_HOURS = 1


class Loop:
    """A worker's loop: of which queues it takes messages, and when it last turned (monotonic seconds)."""

    def __init__(self) -> None:
        self.parts: tuple[str, ...] = ()
        self._turned_at = 0.0

    def begin(self, queues: Iterable[str]) -> None:
        """Note the queues that the worker reads from now on."""
        self.parts = tuple(PART_OF_QUEUE[name] for name in queues if name in PART_OF_QUEUE)
        self.turn()

    def turn(self) -> None:
        """Note that the loop turns; called from the loop itself."""
        self._turned_at = time.monotonic()

    def working_parts(self) -> tuple[str, ...]:
        """Return what the worker works as; nothing while its loop stands still."""
        return self.parts if time.monotonic() - self._turned_at < PRESENT_SECONDS else ()


loop = Loop()
"""That of this process, if it is a worker."""


def note_present(parts: Iterable[str], every: float = 0.0) -> None:
    """Tell that this process works as these parts, and tells so again within `every` seconds."""
    absent_at = Now() + timedelta(seconds=max(PRESENT_SECONDS, 3 * every))
    for name in parts:
        _, is_new = WorkingPart.objects.update_or_create(
            name=name, owner=process_name(), defaults={"absent_at": absent_at}
        )
        if is_new:
            WorkingPart.objects.filter(absent_at__lt=Now() - timedelta(hours=FORGOTTEN_HOURS)).delete()


def present_parts() -> set[str]:
    """Return the parts that at least one process works as now."""
    present = WorkingPart.objects.filter(absent_at__gt=Now()).values_list("name", "owner")
    return {name for name, owner in present if not is_dead(owner)}
