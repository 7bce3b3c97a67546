"""The run without the edits: made once for each question, shared, in no list, and gone with the last run."""

from typing import Any

import pytest
from django.test import Client

from dashboard.models import Run, Scenario
from dashboard.models.runs import NOT_BASELINE
from dashboard.queries import access
from dashboard.services.background.reaping import reap
from dashboard.services.workspace import runs
from dashboard.services.workspace.snapshots import delete_snapshot
from tests.dashboard.rows import new_snapshot

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("sent")]

CORDON = {"op": "cordon", "node": "node-1"}
DRAIN = {"op": "drain", "node": "node-1"}


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    numbers: list[int] = []
    monkeypatch.setattr(
        "dashboard.services.background.dispatch._send", lambda task, pk: numbers.append(pk) or True
    )
    return numbers


def start(user: Any, snapshot: Any, *edits: Any, schedule: Any = None, **fields: Any) -> Run:
    scenario = Scenario.objects.create(
        name="what if", snapshot=snapshot, edits=list(edits), created_by=user, **fields
    )
    return runs.start_run(user, scenario, schedule=schedule)


def test_runs_of_one_cluster_and_configuration_share_one_without_edits(alice: Any) -> None:
    snapshot = new_snapshot(alice)
    first, second = start(alice, snapshot, CORDON), start(alice, snapshot, DRAIN)
    seeded = start(alice, snapshot, DRAIN, seed=7)
    elsewhere = start(alice, new_snapshot(alice), DRAIN)
    assert first.baseline is not None
    assert first.baseline == second.baseline
    assert len({first.baseline, seeded.baseline, elsewhere.baseline}) == 3
    assert (first.baseline.edits, seeded.baseline.seed, first.baseline.created_by) == ([], 7, None)


def test_all_that_decides_is_asked_of_it_too(alice: Any) -> None:
    run = start(alice, new_snapshot(alice), CORDON, driver="timed", until=60.0, seed=3, ready_seconds=7.0)
    given = {
        "edits",
        "schedule",
        "scenario",
        "created_by",
        "created_at",
        "background",
        "baseline",
        "baseline_key",
    }
    fields = {field.name for field in Run._meta.concrete_fields} - given - {"id", "dispatched_at"}
    assert {name: getattr(run, name) for name in fields} == {
        name: getattr(run.baseline, name) for name in fields
    }


def test_it_waits_for_everybody_elses_runs(alice: Any, sent: list[int]) -> None:
    run = start(alice, new_snapshot(alice), CORDON)
    assert run.baseline is not None
    assert run.baseline.background
    assert sent == [run.pk]


def test_a_run_without_edits_or_in_a_given_order_is_held_against_none(alice: Any) -> None:
    snapshot = new_snapshot(alice)
    assert start(alice, snapshot).baseline is None
    assert start(alice, snapshot, CORDON, schedule=["shop/cart-2"]).baseline is None


def test_one_that_failed_is_made_again(alice: Any) -> None:
    snapshot = new_snapshot(alice)
    failed = start(alice, snapshot, CORDON).baseline
    assert failed is not None
    runs.request_cancel(failed)
    assert start(alice, snapshot, CORDON).baseline not in (None, failed)


def test_a_clock_without_an_end_ends_where_that_of_the_edits_does(alice: Any) -> None:
    run = start(alice, new_snapshot(alice), {**CORDON, "at": 90}, driver="timed")
    assert run.baseline is not None
    assert run.baseline.until == 690


def test_it_is_in_no_list_and_seen_by_whom_runs_may_be(alice: Any) -> None:
    run = start(alice, new_snapshot(alice), CORDON)
    assert list(access.visible_runs(alice)) == [run]
    assert access.get_run_or_404(alice, run.baseline_id) == run.baseline


def test_it_goes_with_the_last_run_that_needs_it_and_is_not_too_old_before(alice: Any, settings: Any) -> None:
    settings.RETENTION_DAYS = 30
    snapshot = new_snapshot(alice)
    first, second = start(alice, snapshot, CORDON), start(alice, snapshot, DRAIN)
    runs.request_cancel(first.baseline)
    Run.objects.filter(pk=first.baseline_id).update(finished_at="2020-01-01T00:00:00Z")
    runs.delete_run(first, cascade=True)
    reap()
    assert set(Run.objects.all()) == {second, second.baseline}
    runs.delete_run(second, cascade=True)
    reap()
    assert not Run.objects.exists()


def test_a_snapshot_with_nothing_but_it_is_deleted_without_a_question(alice: Any) -> None:
    snapshot = new_snapshot(alice)
    run = start(alice, snapshot, CORDON)
    runs.delete_run(run, cascade=True)
    Scenario.objects.all().delete()
    delete_snapshot(snapshot)
    assert not Run.objects.exists()


def test_pages_and_lists_count_runs_that_people_asked_for(client: Client, alice: Any) -> None:
    run = start(alice, new_snapshot(alice), CORDON)
    assert Run.objects.filter(NOT_BASELINE).get() == run
    client.force_login(alice)
    page = client.get("/runs/").content.decode()
    assert f"/runs/{run.pk}/" in page
    assert f"/runs/{run.baseline_id}/" not in page
