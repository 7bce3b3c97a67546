"""What the whole product knows at a scrape: health, work that waits, is held and has ended, room, clusters.

Every web process says the same of these, so dashboards take the largest and never the sum. What is away
costs its own figures alone. Nothing counts upwards, since rows are deleted: what ended lately is told.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from statistics import fmean
from typing import Any

import structlog
from django.db import DatabaseError
from django.db.models import Count, Min, Q, Sum
from django.utils import timezone
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from dashboard import disk_room, health
from dashboard.models import Question, Run, Snapshot
from dashboard.models.runs import ENDED
from dashboard.queries import clusters
from dashboard.services.background import attendance
from dashboard.services.background.dispatch import ANSWERS, IMPORTS, RUNS, queue_length

log = structlog.get_logger(__name__)

LATELY = timedelta(minutes=5)
LOOKED_BACK = timedelta(days=1)
"""Of runs that were begun earlier it is not told when they end: all of them would have to be looked at."""

NOTHING = math.nan
"""The value of a figure that there is none of now; alerts never hold for it."""

WAITING: dict[str, tuple[Any, Q, str]] = {
    "runs": (Run, Q(status=Run.Status.QUEUED, background=False), "created_at"),
    "imports": (Snapshot, Q(status=Snapshot.Status.IMPORTING), "created_at"),
    "questions": (Question, Q(status=Question.Status.ASKED), "asked_at"),
}
"""By kind of work: its rows, which have not ended, and since when they wait while nobody holds them."""


class StoredFigures(Collector):
    """Asked at each scrape, within some seconds whatever is away."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield what can be told now; a database that fails on the way ends it with a word in the log."""
        words = health.ask_all()
        known = {part: word == "ok" for part, word in words.items() if word != "unknown"}
        yield _gauges("sandtable_ready", "Whether the part works, as /readyz has it", "part", known)
        yield _gauge(
            "sandtable_disk_free_bytes", "Room on the disk of the data folder", disk_room.free_bytes()
        )
        if words["broker"] == "ok":
            yield from _queues()
        if words["database"] == "ok":
            try:
                yield from _of_database(timezone.now())
            except DatabaseError as error:
                log.warning("no figures of the database", error=str(error))


def _of_database(now: datetime) -> Iterator[GaugeMetricFamily]:
    yield _gauge("sandtable_database_bytes", "What the database takes", disk_room.database_bytes())
    present = attendance.count_by_part()
    yield _gauges("sandtable_processes", "Processes that work, on whatever machine", "part", present)
    places = attendance.places_for_runs()
    yield _gauge("sandtable_run_places", "Runs that all workers play at a time", places)
    runs = _by_status(Run.objects, Run.Status.values)
    yield _gauges("sandtable_runs", "Runs by status", "status", runs)
    decisions = Run.objects.aggregate(total=Sum("decisions"))["total"] or 0
    yield _gauge("sandtable_decisions", "Decisions stored in all runs", decisions)
    snapshots = _by_status(Snapshot.objects, Snapshot.Status.values)
    yield _gauges("sandtable_snapshots", "Snapshots by status", "status", snapshots)
    questions = _by_status(Question.objects, Question.Status.values)
    yield _gauges("sandtable_questions", "Questions to workers by status", "status", questions)
    yield from _waiting_and_held(now)
    yield from _ended_lately(now)
    yield from _clusters(now)


def _queues() -> Iterator[GaugeMetricFamily]:
    lengths = {queue: queue_length(queue) for queue in (RUNS, IMPORTS, ANSWERS)}
    told = {queue: length for queue, length in lengths.items() if length is not None}
    yield _gauges("sandtable_queue_length", "Tasks waiting in the broker by queue", "queue", told)


def _waiting_and_held(now: datetime) -> Iterator[GaugeMetricFamily]:
    waiting, held, silent = {}, {}, {}
    for work, (model, unfinished, since) in WAITING.items():
        rows = model.objects.order_by()
        oldest = rows.filter(unfinished, owner="").aggregate(at=Min(since))["at"]
        waiting[work] = _seconds_since(oldest, now)
        leases = rows.exclude(owner="").aggregate(count=Count("id"), seen=Min("heartbeat_at"))
        held[work] = leases["count"]
        silent[work] = _seconds_since(leases["seen"], now)
    yield _gauges(
        "sandtable_oldest_waiting_seconds", "Age of what waits longest for a worker", "work", waiting
    )
    yield _gauges("sandtable_leases", "Work that a worker holds now", "work", held)
    yield _gauges(
        "sandtable_lease_silence_seconds", "Since the most silent holder of a lease was seen", "work", silent
    )


def _ended_lately(now: datetime) -> Iterator[GaugeMetricFamily]:
    """The runs, imports and answers that ended in the last minutes, and the imports that began then."""
    recent = Run.objects.filter(created_at__gte=now - LOOKED_BACK, finished_at__gte=now - LATELY).order_by()
    # Once for all: in SQLite these columns lie behind long ones.
    runs = list(recent.values_list("status", "created_at", "started_at", "finished_at"))
    ended = Counter(status for status, *_ in runs)
    told = {status: ended[status] for status in ENDED}
    yield _gauges("sandtable_recent_runs", "Runs that ended in the last five minutes", "status", told)
    begun = Snapshot.objects.filter(created_at__gte=now - LATELY)
    imports = _by_status(begun, Snapshot.Status.values)
    yield _gauges(
        "sandtable_recent_imports", "Imports that began in the last five minutes", "status", imports
    )
    started = [times for _, *times in runs if times[1] is not None]
    family = GaugeMetricFamily(
        "sandtable_recent_run_seconds",
        "How long the runs that ended in the last five minutes waited and were played",
        labels=["stage", "statistic"],
    )
    for place, stage in enumerate(("waiting", "playing")):
        spans = [(times[place + 1] - times[place]).total_seconds() for times in started]
        family.add_metric([stage, "mean"], fmean(spans) if spans else NOTHING)
        family.add_metric([stage, "max"], max(spans, default=NOTHING))
    yield family
    imports_since = Snapshot.objects.filter(created_at__gte=now - LOOKED_BACK)
    yield _spans("import", "imports", imports_since, "created_at", "ended_at", now)
    yield _spans("answer", "answers to questions", Question.objects, "asked_at", "answered_at", now)


def _spans(work: str, says: str, rows: Any, began: str, ended: str, now: datetime) -> GaugeMetricFamily:
    """Return how long work took that ended in the last minutes, its waiting for a worker included."""
    times = rows.filter(**{f"{ended}__gte": now - LATELY}).order_by().values_list(began, ended)
    spans = [(end - begin).total_seconds() for begin, end in times]
    told = {"mean": fmean(spans) if spans else NOTHING, "max": max(spans, default=NOTHING)}
    name = f"sandtable_recent_{work}_seconds"
    return _gauges(name, f"How long {says} took that ended in the last five minutes", "statistic", told)


def _clusters(now: datetime) -> Iterator[GaugeMetricFamily]:
    late, fresh, oldest = clusters.late_fresh_oldest(now)
    states = {"late": late, "fresh": fresh}
    yield _gauges("sandtable_clusters", "Connected clusters by how old their readings are", "state", states)
    yield _gauge(
        "sandtable_cluster_reading_age_seconds",
        "Since the connected cluster that waits longest was read",
        NOTHING if oldest is None else oldest,
    )


def _by_status(rows: Any, statuses: Iterable[str]) -> dict[str, int]:
    counts = dict(rows.order_by().values_list("status").annotate(count=Count("id")))
    return {status: counts.get(status, 0) for status in statuses}


def _gauge(name: str, says: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, says, value=value)


def _gauges(name: str, says: str, label: str, values: Mapping[str, float]) -> GaugeMetricFamily:
    """Return a gauge with a value for each word of the label."""
    family = GaugeMetricFamily(name, says, labels=[label])
    for word, value in values.items():
        family.add_metric([word], value)
    return family


def _seconds_since(past: datetime | None, now: datetime) -> float:
    """Return the seconds since then, 0 where there is no such time."""
    return 0.0 if past is None else (now - past).total_seconds()
