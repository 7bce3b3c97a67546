"""Attendance: workers of all queues and the reaper tell the database that they work; `/readyz` asks who does.

The database is what all machines share, whatever the broker. A worker works while the loop that takes its
messages turns: its keeper tells so (`lease_keeper.py`), since that loop must not wait for a database. A
process that is gone from this machine counts no more at once, any other after PRESENT_SECONDS.
"""

import time
from collections import Counter
from collections.abc import Iterable
from datetime import timedelta

from django.db.models.functions import Now

from dashboard.engine import engine_version
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
        self.places = 1
        self._turned_at = 0.0

    def begin(self, queues: Iterable[str], places: int = 1) -> None:
        """Note the queues that the worker reads from now on, and how many processes it has."""
        self.places = places
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


def note_present(parts: Iterable[str], every: float = 0.0, places: int = 1, engine: str = "") -> None:
    """Tell that this process works as these parts, and tells so again within `every` seconds.

    places: how many runs or the like it does at a time; engine: the version of the engine that does them.
    """
    absent_at = Now() + timedelta(seconds=max(PRESENT_SECONDS, 3 * every))
    for name in parts:
        _, is_new = WorkingPart.objects.update_or_create(
            name=name,
            owner=process_name(),
            defaults={"absent_at": absent_at, "places": places, "engine": engine},
        )
        if is_new:
            WorkingPart.objects.filter(absent_at__lt=Now() - timedelta(hours=FORGOTTEN_HOURS)).delete()


def present_parts() -> set[str]:
    """Return the parts that at least one process works as now."""
    return {part.name for part in _present()}


def count_by_part() -> dict[str, int]:
    """Return how many processes work as each part now: those of `PARTS`, also where it is none."""
    present = Counter(part.name for part in _present())
    return {name: present[name] for name in PARTS}


def places_for_runs() -> int:
    """Return how many runs all workers that are present play at a time, 0 where there is none."""
    return sum(part.places for part in _present() if part.name == PART_OF_QUEUE[RUNS])


def is_left_to_others(part: str, engine: str) -> bool:
    """Return whether work is for workers with another engine, as while old and new ones stand side by side.

    That holds as long as one of them is there, and for a newer engine in any case: its workers come yet.
    """
    own = engine_version()
    if engine in ("", own):
        return False
    return is_newer(engine, own) or any(one.name == part and one.engine == engine for one in _present())


def is_newer(engine: str, other: str) -> bool:
    """Return whether an engine's version is surely the newer one: both are numbers."""
    return engine.isdecimal() and other.isdecimal() and int(engine) > int(other)


def _present() -> list[WorkingPart]:
    return [part for part in WorkingPart.objects.filter(absent_at__gt=Now()) if not is_dead(part.owner)]
