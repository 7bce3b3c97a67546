"""The database itself refuses what must not be."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from dashboard.models import Checkpoint, Chunk, DecisionIndex, Node, Run, Scenario, Snapshot
from tests.dashboard.rows import new_scenario, new_snapshot

pytestmark = pytest.mark.django_db


def run_fields(**changed: Any) -> dict[str, Any]:
    scenario = Scenario.objects.first() or new_scenario()
    return {
        "snapshot": scenario.snapshot, "profile": "kube-1.36", "driver": "instant", "controllers": "none",
        "engine_version": "1", "schema_version": 1, **changed,
    }  # fmt: skip


NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    "faulty",
    [
        {"status": "sleeping"},
        {"driver": "warp"},
        {"controllers": "maybe"},
        {"want": "coffee"},
        {"rate": 0},
        {"rate": -1},
        {"attempt_limit": 0},
        {"until": 0},
        {"until": 400_000_000},
        {"attempt_seconds": 0},
        {"attempt_seconds": 61},
        {"ready_seconds": 0},
        {"owner": "worker", "status": "queued", "heartbeat_at": NOON},
        {"owner": "worker", "status": "running"},
        {"status": "finished"},
        {"finished_at": NOON},
        {"decisions": 3},
        {"decisions": -1},
    ],
    ids=str,
)
def test_a_run_that_contradicts_itself_is_refused(faulty: dict[str, Any]) -> None:
    fields = run_fields(**faulty)
    with pytest.raises(IntegrityError), transaction.atomic():
        Run.objects.create(**fields)


@pytest.mark.parametrize(
    "faulty",
    [
        {"driver": "warp"}, {"controllers": "x"}, {"version": 0}, {"profile": ""}, {"until": 0},
        {"until": 400_000_000}, {"attempt_seconds": 0}, {"attempt_seconds": 61}, {"ready_seconds": 0},
    ],
)  # fmt: skip
def test_a_scenario_that_no_engine_knows_is_refused(faulty: dict[str, Any]) -> None:
    snapshot = new_snapshot()
    with pytest.raises(IntegrityError), transaction.atomic():
        Scenario.objects.create(name="x", snapshot=snapshot, **faulty)


def test_chunks_of_a_run_cannot_repeat_or_overlap_at_their_ends() -> None:
    run = Run.objects.create(**run_fields())
    Chunk.objects.create(run=run, number=1, first_seq=1, last_seq=10, data=b"")
    for number, first, last in [(1, 11, 20), (2, 1, 5), (2, 5, 10), (2, 12, 11), (0, 11, 12), (2, 0, 12)]:
        with pytest.raises(IntegrityError), transaction.atomic():
            Chunk.objects.create(run=run, number=number, first_seq=first, last_seq=last, data=b"")


def test_a_decision_is_indexed_once_whatever_its_kind_and_outcome() -> None:
    run = Run.objects.create(**run_fields())
    good = {
        "run": run, "seq": 1, "kind": "attempt", "pod_uid": "u", "namespace": "n", "pod_name": "p",
        "outcome": "scheduled", "priority": 0,
    }  # fmt: skip
    DecisionIndex.objects.create(**good)
    DecisionIndex.objects.create(**{**good, "seq": 2, "kind": "scale-down-of-a-node", "outcome": "removed"})
    for faulty in ({}, {"seq": 0}):
        with pytest.raises(IntegrityError), transaction.atomic():
            DecisionIndex.objects.create(**{**good, **faulty})


def test_a_checkpoint_is_kept_once_for_a_number() -> None:
    run = Run.objects.create(**run_fields())
    Checkpoint.objects.create(run=run, seq=5, data=b"")
    with pytest.raises(IntegrityError), transaction.atomic():
        Checkpoint.objects.create(run=run, seq=5, data=b"")


def test_a_ready_snapshot_has_content_and_names_its_nodes_once() -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Snapshot.objects.create(name="empty", status="ready")
    snapshot = new_snapshot()
    with pytest.raises(IntegrityError), transaction.atomic():
        Node.objects.create(snapshot=snapshot, position=99, name="node-1", object={})
