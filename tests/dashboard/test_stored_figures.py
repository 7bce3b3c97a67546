"""What a scrape tells of the whole product: who works, what waits, is held and ended, late clusters."""

import math
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError
from django.utils import timezone

from dashboard import health, stored_figures
from dashboard.models import Cluster, Question, Snapshot
from dashboard.request_figures import KINDS, REGISTRY, MeasuredRequests, kind_of
from dashboard.services.background.attendance import PARTS, note_present
from tests.dashboard.rows import new_run


@pytest.fixture(autouse=True)
def well(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """All parts as they are told; how they are asked is `test_health`'s."""
    words = dict.fromkeys(("database", "writing", *PARTS), "ok") | {"broker": "unavailable"}
    monkeypatch.setattr(health, "ask_all", lambda: words)
    return words


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.services.background.dispatch._send", lambda task, pk: True)


def told() -> dict[tuple[str, ...], float]:
    """Each figure by its name without ``sandtable_`` and the values of its labels."""
    return {
        (sample.name.removeprefix("sandtable_"), *sample.labels.values()): sample.value
        for family in stored_figures.StoredFigures().collect()
        for sample in family.samples
    }


def change(row: Any, **fields: Any) -> None:
    type(row).objects.filter(pk=row.pk).update(**fields)


def ago(**span: float) -> Any:
    return timezone.now() - timedelta(**span)


@pytest.mark.usefixtures("fake_engine")
def test_what_waits_is_held_and_has_ended_is_told_apart(alice: Any) -> None:
    queued, sample, held, ended, earlier = (new_run(alice) for _ in range(5))
    change(queued, created_at=ago(minutes=10))
    change(sample, created_at=ago(days=3), background=True)
    change(
        held, status="running", owner="elsewhere:1:1", heartbeat_at=ago(seconds=90), created_at=ago(hours=9)
    )
    for run, minutes in ((ended, 1), (earlier, 20)):
        change(
            run,
            status="failed",
            created_at=ago(minutes=minutes + 3),
            started_at=ago(minutes=minutes + 2),
            finished_at=ago(minutes=minutes),
        )
    figures = told()
    assert figures["oldest_waiting_seconds", "runs"] == pytest.approx(600, abs=60)
    assert figures["oldest_waiting_seconds", "questions"] == 0
    assert (figures["leases", "runs"], figures["leases", "imports"]) == (1, 0)
    assert figures["lease_silence_seconds", "runs"] == pytest.approx(90, abs=60)
    assert (figures["runs", "failed"], figures["recent_runs", "failed"]) == (2, 1)
    assert figures["recent_run_seconds", "waiting", "mean"] == pytest.approx(60, abs=1)
    assert figures["recent_run_seconds", "playing", "max"] == pytest.approx(120, abs=1)
    assert figures["recent_imports", "ready"] == Snapshot.objects.count() == figures["snapshots", "ready"]


@pytest.mark.usefixtures("fake_engine")
def test_a_question_waits_until_a_worker_holds_it(alice: Any) -> None:
    asked = {"snapshot": new_run(alice).snapshot, "used_at": timezone.now(), "asked_at": ago(minutes=5)}
    question = Question.objects.create(key="1", **asked)
    assert told()["oldest_waiting_seconds", "questions"] == pytest.approx(300, abs=60)
    change(question, owner="elsewhere:1:1", heartbeat_at=timezone.now())
    figures = told()
    assert (figures["oldest_waiting_seconds", "questions"], figures["leases", "questions"]) == (0, 1)
    assert math.isnan(figures["recent_answer_seconds", "mean"])
    change(question, answered_at=ago(minutes=3))
    assert told()["recent_answer_seconds", "max"] == pytest.approx(120, abs=5)


def test_imports_tell_how_long_they_took_with_their_waiting(db: None) -> None:
    for minutes in (4, 2):
        snapshot = Snapshot.objects.create(name="one", status="failed")
        change(snapshot, created_at=ago(minutes=minutes), ended_at=ago(minutes=1))
    figures = told()
    assert figures["recent_import_seconds", "mean"] == pytest.approx(120, abs=1)
    assert figures["recent_import_seconds", "max"] == pytest.approx(180, abs=1)


def test_nothing_is_told_as_such_and_who_works_is_counted(db: None) -> None:
    note_present(["worker"], places=3)
    figures = told()
    assert math.isnan(figures["recent_run_seconds", "waiting", "mean"])
    assert math.isnan(figures["cluster_reading_age_seconds",])
    assert {part: figures["processes", part] for part in PARTS} == dict.fromkeys(PARTS, 0) | {"worker": 1}
    assert (figures["run_places",], figures["ready", "worker"], figures["ready", "broker"]) == (3, 1, 0)
    assert figures["database_bytes",] > 0
    assert figures["disk_free_bytes",] > 0


def test_a_cluster_is_late_by_its_schedule_and_by_its_last_whole_reading(alice: Any) -> None:
    rare = Cluster.objects.create(name="rare", in_cluster=True)
    often = Cluster.objects.create(name="often", in_cluster=True, every=10)
    for cluster in (rare, often):
        reading = Snapshot.objects.create(
            name=cluster.name, cluster=cluster, content_hash="x", status="ready"
        )
        change(reading, created_at=ago(minutes=30))
        Snapshot.objects.create(name="failed", cluster=cluster, status="failed")
    figures = told()
    assert (figures["clusters", "late"], figures["clusters", "fresh"]) == (1, 1)
    assert figures["cluster_reading_age_seconds",] == pytest.approx(1800, abs=60)
    change(Cluster.objects.create(name="never", in_cluster=True), created_at=ago(hours=2))
    figures = told()
    assert (figures["clusters", "late"], figures["clusters", "fresh"]) == (2, 1)
    assert figures["cluster_reading_age_seconds",] == pytest.approx(7200, abs=60)


def test_a_database_that_is_away_costs_its_own_figures_alone(
    db: None, well: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(now: Any) -> Iterator[Any]:
        yield from ()
        raise DatabaseError

    monkeypatch.setattr(stored_figures, "_ended_lately", fail)
    assert ("runs", "failed") in told()
    well.update(dict.fromkeys(PARTS, "unknown"), database="unavailable")
    figures = told()
    assert figures.keys() == {("ready", name) for name in ("database", "writing", "broker")} | {
        ("disk_free_bytes",)
    }
    assert figures["ready", "database"] == 0


def counted(kind: str, method: str, status: str) -> float:
    labels = {"kind": kind, "method": method, "status": status}
    return REGISTRY.get_sample_value("sandtable_requests_total", labels) or 0.0


async def test_requests_are_counted_by_what_they_are_for_and_end_with() -> None:
    async def application(scope: Any, receive: Any, send: Any) -> None:
        if scope["path"] == "/broken":
            raise RuntimeError
        await send({"type": "http.response.start", "status": 207, "headers": []})

    async def send(event: Any) -> None:
        assert event["status"] == 207

    measured: Any = MeasuredRequests(application)
    before = counted("rest", "GET", "207"), counted("page", "other", "500")
    await measured({"type": "http", "path": "/api/v1/runs/7/", "method": "GET"}, None, send)
    with pytest.raises(RuntimeError):
        await measured({"type": "http", "path": "/broken", "method": "BREW"}, None, send)
    after = counted("rest", "GET", "207"), counted("page", "other", "500")
    assert after == (before[0] + 1, before[1] + 1)
    assert REGISTRY.get_sample_value("sandtable_requests_open") == 0
    assert {kind_of(f"{start}x") for start in KINDS} == set(KINDS.values())
