"""Migrations that do more than change columns, from the database of the version before.

A way back to the first of them and up again takes seconds: it is gone once, and what happens at several
versions is told as stories that go on at these.
"""

from collections.abc import Generator
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

SCHEMA_1 = "0004_leases_lost_and_given_back"
BEFORE_VOLCANO = "0008_runs_over_time"
BEFORE_MARKED_SAMPLES = "0019_runs_in_the_background"
BEFORE_GATED = "0020_runs_of_samples_of_before"
NEWEST = "newest"
WAY_UP = (SCHEMA_1, BEFORE_VOLCANO, BEFORE_MARKED_SAMPLES, BEFORE_GATED, NEWEST)

Story = Generator[str, Any, None]
"""Begins at the newest version; each version that it yields is where it goes on, with the models of then."""


@pytest.mark.django_db(transaction=True)
def test_what_is_stored_comes_along_from_version_to_version() -> None:
    newest = MigrationExecutor(connection).loader.graph.leaf_nodes()
    stories: list[Story] = [
        logs_of_the_first_schema_go_and_what_they_were_made_from_stays(),
        volcanos_objects_of_old_snapshots_get_their_rows(),
        gated_pods_of_old_snapshots_are_counted(),
        ended_runs_that_came_with_samples_are_in_the_background(),
    ]
    goes_on = {story: next(story) for story in stories}
    try:
        for version in WAY_UP:
            models = migrate(*(newest if version == NEWEST else [("dashboard", version)]))
            for story in [story for story in stories if goes_on.get(story) == version]:
                goes_on[story] = _told(story, models)
    finally:
        migrate(*newest)
    assert set(goes_on.values()) == {"told"}


def _told(story: Story, models: Any) -> str:
    """Where the story goes on."""
    try:
        return story.send(models)
    except StopIteration:
        return "told"


def migrate(*targets: tuple[str, str]) -> Any:
    """Bring the database there and return the models of that time."""
    executor = MigrationExecutor(connection)
    executor.migrate(list(targets))
    return MigrationExecutor(connection).loader.project_state(list(targets)).apps


def logs_of_the_first_schema_go_and_what_they_were_made_from_stays() -> Story:
    scenario = new_scenario()
    snapshot = scenario.snapshot
    then = yield SCHEMA_1
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

    now = yield BEFORE_MARKED_SAMPLES
    for model in ("Run", *parts):
        assert not now.get_model("dashboard", model).objects.exists()
    yield NEWEST
    assert Scenario.objects.get(pk=scenario.pk).snapshot == snapshot
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


def volcanos_objects_of_old_snapshots_get_their_rows() -> Story:
    snapshot = import_snapshot(None, "gang", volcano_files("gang"))

    def known() -> list[Any]:
        rows = VolcanoObject.objects.filter(snapshot=snapshot.pk)
        pods = Pod.objects.filter(snapshot=snapshot.pk)
        return [
            *rows.values_list("kind", "namespace", "name", "queue", "phase", "minimum"),
            *pods.values_list("name", "group"),
        ]

    before = known()
    yield BEFORE_VOLCANO
    yield NEWEST
    assert known() == before
    assert ("PodGroup.scheduling.volcano.sh", "ml", "bert", "default", "Pending", 4) in before
    assert ("bert-worker-0", "ml/bert") in before


def gated_pods_of_old_snapshots_are_counted() -> Story:
    gates = [{"name": "example.com/quota"}]
    gone = pod("gone", schedulingGates=gates)
    gone["metadata"]["deletionTimestamp"] = "2026-05-01T08:00:00Z"
    pods = [pod("one", schedulingGates=gates), pod("two", schedulingGates=gates), pod("free"), gone]
    mine = [import_snapshot(None, "gated", [("cluster.json", listing(*pods))]).pk, new_snapshot().pk]

    def known() -> list[tuple[int, int]]:
        return list(Snapshot.objects.filter(pk__in=mine).order_by("pk").values_list("pending", "gated"))

    before = known()
    yield BEFORE_GATED
    yield NEWEST
    assert known() == before
    assert before[0] == (3, 2)


def ended_runs_that_came_with_samples_are_in_the_background() -> Story:
    mine = new_scenario()
    sample = new_scenario(snapshot=new_snapshot(name="sample"))
    Snapshot.objects.filter(pk=sample.snapshot_id).update(is_sample=True)
    then = yield BEFORE_MARKED_SAMPLES

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
    yield NEWEST
    assert list(Run.objects.filter(background=True).values_list("pk", flat=True)) == [along]
