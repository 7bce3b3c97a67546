"""Migrations that do more than change columns, from the database of the version before."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from dashboard.models import DecisionIndex, Pod, Run, Scenario, Snapshot, VolcanoObject
from dashboard.services.workspace.snapshots import import_snapshot
from samples.volcano.sample import volcano_files
from tests.dashboard.rows import listing, new_scenario, new_snapshot, pod

pytestmark = pytest.mark.django_db(transaction=True)

BEFORE_VOLCANO = ("dashboard", "0008_runs_over_time")
BEFORE_GATED = ("dashboard", "0020_runs_of_samples_of_before")
BEFORE_MARKED_SAMPLES = ("dashboard", "0019_runs_in_the_background")
SCHEMA_1 = ("dashboard", "0004_leases_lost_and_given_back")


def migrate(*targets: tuple[str, str | None]) -> Any:
    """Bring the database there and return the models of that time."""
    executor = MigrationExecutor(connection)
    executor.migrate(list(targets))
    return MigrationExecutor(connection).loader.project_state(list(targets)).apps


@pytest.fixture
def newest() -> Iterator[list[tuple[str, str]]]:
    """The newest migrations, to which the database is brought whatever the test leaves behind."""
    targets = MigrationExecutor(connection).loader.graph.leaf_nodes()
    yield targets
    migrate(*targets)


def test_logs_of_the_first_schema_go_and_what_they_were_made_from_stays(newest: Any) -> None:
    scenario = new_scenario()
    snapshot = scenario.snapshot
    then = migrate(SCHEMA_1)
    run = then.get_model("dashboard", "Run").objects.create(
        snapshot_id=snapshot.pk, scenario_id=scenario.pk, profile="kube-1.36", driver="instant",
        controllers="none", engine_version="1", schema_version=1, status="finished",
        finished_at=timezone.now(), decisions=1, base=b"{}",
    )  # fmt: skip
    parts = {
        "Chunk": {"number": 1, "first_seq": 1, "last_seq": 1, "data": b""},
        "DecisionIndex": {
            "seq": 1, "kind": "attempt", "outcome": "scheduled", "pod_uid": "u", "namespace": "shop",
            "pod_name": "cart", "priority": 0,
        },
        "Checkpoint": {"seq": 1, "data": b""},
    }  # fmt: skip
    for model, fields in parts.items():
        then.get_model("dashboard", model).objects.create(run=run, **fields)

    now = migrate(*newest)
    for model in ("Run", *parts):
        assert not now.get_model("dashboard", model).objects.exists()
    assert Scenario.objects.get().snapshot == snapshot
    assert snapshot.nodes.exists()
    assert_later_words_are_kept(snapshot)


def assert_later_words_are_kept(snapshot: Snapshot) -> None:
    """Kinds and outcomes that come later have room in the columns that were made wider."""
    run = Run.objects.create(
        snapshot=snapshot, profile="kube-1.36", driver="instant", controllers="none",
        engine_version="1", schema_version=2,
    )  # fmt: skip
    word = "w" * 64
    DecisionIndex.objects.create(
        run=run, seq=1, kind=word, outcome=word, pod_uid="u", namespace="n", pod_name="p", priority=0
    )
    assert DecisionIndex.objects.filter(kind=word, outcome=word).count() == 1


def test_volcanos_objects_of_old_snapshots_get_their_rows(newest: Any) -> None:
    import_snapshot(None, "gang", volcano_files("gang"))

    def known() -> list[Any]:
        rows = VolcanoObject.objects.values_list("kind", "namespace", "name", "queue", "phase", "minimum")
        return [*rows, *Pod.objects.values_list("name", "group")]

    before = known()
    migrate(BEFORE_VOLCANO)
    migrate(*newest)
    assert known() == before
    assert ("PodGroup.scheduling.volcano.sh", "ml", "bert", "default", "Pending", 4) in before
    assert ("bert-worker-0", "ml/bert") in before


def test_gated_pods_of_old_snapshots_are_counted(newest: Any) -> None:
    gates = [{"name": "example.com/quota"}]
    gone = pod("gone", schedulingGates=gates)
    gone["metadata"]["deletionTimestamp"] = "2026-05-01T08:00:00Z"
    pods = [pod("one", schedulingGates=gates), pod("two", schedulingGates=gates), pod("free"), gone]
    import_snapshot(None, "gated", [("cluster.json", listing(*pods))])
    new_snapshot()

    def known() -> list[tuple[int, int]]:
        return list(Snapshot.objects.order_by("pk").values_list("pending", "gated"))

    before = known()
    migrate(BEFORE_GATED)
    migrate(*newest)
    assert known() == before
    assert before[0] == (3, 2)


def test_ended_runs_that_came_with_samples_are_in_the_background(newest: Any) -> None:
    mine = new_scenario()
    sample = new_scenario(snapshot=new_snapshot(name="sample"))
    Snapshot.objects.filter(pk=sample.snapshot_id).update(is_sample=True)
    then = migrate(BEFORE_MARKED_SAMPLES)

    def run_of(scenario: Scenario, *, ended: bool = True, later: timedelta = timedelta()) -> int:
        runs = then.get_model("dashboard", "Run").objects
        run = runs.create(
            snapshot_id=scenario.snapshot_id, scenario_id=scenario.pk, profile="kube-1.36", driver="instant",
            controllers="none", engine_version="1", schema_version=2,
            status="finished" if ended else "queued", finished_at=timezone.now() if ended else None,
        )  # fmt: skip
        runs.filter(pk=run.pk).update(created_at=scenario.created_at + later)
        return int(run.pk)

    along = run_of(sample)
    run_of(mine)
    run_of(sample, ended=False)
    run_of(sample, later=timedelta(minutes=1))
    migrate(*newest)
    assert list(Run.objects.filter(background=True).values_list("pk", flat=True)) == [along]
