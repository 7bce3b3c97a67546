"""How large imports are worked on: what costs time or memory in their size, and what others see meanwhile."""

import gc
import hashlib
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from django.db import OperationalError

from dashboard.errors import LeaseLost
from dashboard.models import Node, Pod, Snapshot
from dashboard.services.background import importing
from dashboard.services.imports import paced_reports, snapshot_rows, upload_files
from dashboard.services.imports.packed_objects import OBJECTS_AT_ONCE
from dashboard.services.imports.stored_rows import insert
from dashboard.services.imports.summary import NewestTime
from dashboard.services.imports.uploaded_cluster import read_picture
from dashboard.services.workspace.snapshots import begin_import, cancel_import, import_snapshot
from tests.dashboard.rows import listing, node, pod

pytestmark = pytest.mark.django_db


def test_the_collector_rests_while_a_worker_imports_and_not_after(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def reading(*arguments: Any, **options: Any) -> Any:
        seen.append(gc.isenabled())
        return read_picture(*arguments, **options)

    monkeypatch.setattr(importing, "read_picture", reading)
    snapshot = begin_import(None, "x", [("", listing(node("node-1"), pod("cart-1")))])
    importing.import_uploads(snapshot.pk)
    snapshot.refresh_from_db()
    assert (snapshot.status, seen, gc.isenabled()) == (Snapshot.Status.READY, [False], True)
    assert snapshot.ended_at > snapshot.created_at


@pytest.fixture
def every_report(monkeypatch: pytest.MonkeyPatch) -> None:
    """Report every object of every file, as of a large one that takes long."""
    monkeypatch.setattr(paced_reports, "REPORT_SECONDS", 0)
    monkeypatch.setattr(upload_files, "LONG_BYTES", 0)


CLUSTER = listing(node("node-1"), pod("cart-1"), pod("cart-2"))


@pytest.mark.usefixtures("every_report")
def test_progress_is_counted_in_objects_while_a_list_is_read_and_checked() -> None:
    told: list[tuple[str, int, int]] = []
    read_picture([("a.json", CLUSTER)], lambda *report: told.append(report))
    for stage in ("reading a.json", "checking"):
        assert [(stage, done, 3) for done in range(3)] == [r for r in told if r[0] == stage and r[2] == 3][:3]


@pytest.mark.usefixtures("every_report")
@pytest.mark.parametrize("stage", ["reading a.json", "checking"])
def test_reading_stops_at_the_object_at_which_it_is_cancelled(stage: str) -> None:
    told: list[tuple[str, int, int]] = []

    def report(*now: Any) -> None:
        told.append(now)
        if now == (stage, 1, 3):
            raise LeaseLost("x")

    with pytest.raises(LeaseLost):
        read_picture([("a.json", CLUSTER)], report)
    assert told[-1] == (stage, 1, 3)


@pytest.mark.usefixtures("every_report")
def test_an_import_is_cancelled_while_its_rows_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot = begin_import(None, "x", [("a.json", CLUSTER)])
    described = importing.describe

    def cancel_first(*arguments: Any) -> Any:
        cancel_import(Snapshot.objects.get(pk=snapshot.pk))
        return described(*arguments)

    monkeypatch.setattr(importing, "describe", cancel_first)
    monkeypatch.setattr(importing, "insert", None)
    importing.import_uploads(snapshot.pk)
    snapshot.refresh_from_db()
    assert [problem["message"] for problem in snapshot.problems] == ["The import was cancelled."]
    assert not Pod.objects.exists()


def test_what_is_stored_of_many_objects_is_one_list_and_a_row_of_each() -> None:
    pods = [pod(f"cart-{number}", node="node-1") for number in range(3 * OBJECTS_AT_ONCE + 1)]
    snapshot = import_snapshot(None, "x", [("", listing(*pods, node("node-1")))])
    text = snapshot.list_json()
    stored = msgspec.json.decode(text)
    assert text == msgspec.json.encode(stored)
    assert list(stored) == ["apiVersion", "kind", "items"]
    assert [item["metadata"]["name"] for item in stored["items"]] == [
        *(made["metadata"]["name"] for made in pods),
        "node-1",
    ]
    assert snapshot.content_hash == hashlib.sha256(text).hexdigest()
    assert [row.object for row in Pod.objects.order_by("position")] == stored["items"][:-1]
    assert Node.objects.get().pods_count == len(pods)


@pytest.mark.parametrize(
    ("metadata", "newest"),
    [
        ({"creationTimestamp": "2026-05-01T10:00:00Z"}, "2026-05-01T10:00:00"),
        ({"a\\deletionTimestamp": "2026-05-01T10:00:00.5Z"}, "2026-05-01T10:00:00"),
        ({',"deletionTimestamp': "2026-05-01T10:00:00Z"}, "2026-05-01T10:00:00"),
        ({"deletionTimestamp": "2026-05-01T10:00:00Z", "startTime": None}, None),
        ({"note": '{"creationTimestamp":"2026-05-01T10:00:00Z"}'}, None),
        ({"time": "2026-05-01T10:00:00Z", "aTime": "2026-05-01T10:00:00+01:00"}, None),
    ],
)
def test_the_newest_time_is_found_in_the_text_under_keys_that_mean_the_past(
    metadata: dict[str, Any], newest: str | None
) -> None:
    found = NewestTime()
    for text in (b"{}", msgspec.json.encode({"metadata": metadata})):
        found.look_at(text)
    assert found.moment() == (None if newest is None else datetime.fromisoformat(newest).replace(tzinfo=UTC))


class Inserting:
    """Inserts a row at a time, and does something else before the second one."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[[], object]) -> None:
        self.calls = 0
        self._meanwhile = meanwhile
        monkeypatch.setattr(snapshot_rows, "ROWS_AT_ONCE", 1)
        monkeypatch.setattr(importing, "insert", self)

    def __call__(self, *arguments: Any) -> None:
        self.calls += 1
        if self.calls == 2:
            self._meanwhile()
        insert(*arguments)


def locked() -> None:
    raise OperationalError("database is locked")


@pytest.mark.usefixtures("every_report")
def test_an_import_is_cancelled_between_its_rows_and_leaves_none(monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot = begin_import(None, "x", [("a.json", CLUSTER)])
    inserting = Inserting(monkeypatch, lambda: cancel_import(Snapshot.objects.get(pk=snapshot.pk)))
    importing.import_uploads(snapshot.pk)
    snapshot.refresh_from_db()
    assert [problem["message"] for problem in snapshot.problems] == ["The import was cancelled."]
    assert (inserting.calls, Pod.objects.count(), Node.objects.count()) == (2, 0, 0)


def test_who_has_lost_the_lease_stores_no_more_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot = begin_import(None, "x", [("a.json", CLUSTER)])
    row = Snapshot.objects.filter(pk=snapshot.pk)
    inserting = Inserting(monkeypatch, lambda: row.update(owner="another"))
    importing.import_uploads(snapshot.pk)
    snapshot.refresh_from_db()
    assert (snapshot.status, snapshot.owner, inserting.calls) == (Snapshot.Status.IMPORTING, "another", 2)


@pytest.mark.django_db(transaction=True)
def test_rows_that_an_import_has_left_are_removed_by_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot = begin_import(None, "x", [("a.json", CLUSTER)])
    with monkeypatch.context() as patched:
        Inserting(patched, locked)
        importing.import_uploads(snapshot.pk)
    assert Pod.objects.count() == 1
    importing.import_uploads(snapshot.pk)
    snapshot.refresh_from_db()
    assert (snapshot.status, Pod.objects.count(), Node.objects.count()) == (Snapshot.Status.READY, 2, 1)
