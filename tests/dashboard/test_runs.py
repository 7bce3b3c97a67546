"""Runs: frozen when they start, played by one worker at a time, obeying their readers, folded as stored."""

import os
import threading
import time
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from django.db import connection
from django.db.models.functions import Now

from dashboard.errors import HasDependents, LeaseLost, NotPossibleNow
from dashboard.models import Checkpoint, Chunk, DecisionIndex, Run, Scenario, WorkingPart
from dashboard.services.background import execution, recording
from dashboard.services.background.leases import machine, new_owner
from dashboard.services.background.reaping import reap
from dashboard.services.workspace import runs
from scheduler_core.events.decisions import SCHEMA_VERSION, decision_decoder
from scheduler_core.events.fold import Fold
from scheduler_core.events.state import RunState
from tests.dashboard.rows import new_run, new_scenario, whole_log
from tests.fakes import FakeSimulation

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("fake_engine")]

SECONDS = 60


@pytest.fixture(autouse=True)
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the runs that were sent to the workers, in place of a broker."""
    numbers: list[int] = []
    monkeypatch.setattr(
        "dashboard.services.background.dispatch._send", lambda task, pk: numbers.append(pk) or True
    )
    return numbers


@pytest.fixture(autouse=True)
def quiet_bell(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How often each run's bell was rung."""
    rung: list[int] = []
    monkeypatch.setattr("dashboard.services.background.bell.ring", rung.append)
    return rung


@pytest.fixture
def counted_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks end by their count alone: by the clock, a busy machine would cut them anywhere."""
    monkeypatch.setattr(execution, "CHUNK_SECONDS", 3600)


def undisturbed_log(**script: Any) -> bytes:
    """The log that the script gives when nothing interferes."""
    run = new_run(**script)
    execution.execute_run(run.pk)
    return whole_log(run)


def in_background(run: Run) -> threading.Thread:
    """Play a run in another thread, as a worker would."""

    def play() -> None:
        try:
            execution.execute_run(run.pk)
        finally:
            connection.close()

    thread = threading.Thread(target=play)
    thread.start()
    return thread


def wait_for(run: Run, condition: Any, seconds: float = SECONDS) -> Run:
    """Wait until the run's row meets the condition."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        run.refresh_from_db()
        if condition(run):
            return run
        time.sleep(0.01)
    raise AssertionError(f"run stayed {run.status} at {run.decisions}")


def test_a_run_freezes_its_scenario_and_is_sent_once_committed(alice: Any, sent: list[int]) -> None:
    scenario = new_scenario(alice, pods=3)
    run = runs.start_run(alice, scenario)
    Scenario.objects.update(config={"pods": 99}, seed=7)
    run.refresh_from_db()
    assert (run.config, run.seed, run.status, run.engine_version) == ({"pods": 3}, None, "queued", "fake-1")
    assert sent == [run.pk]


@pytest.mark.usefixtures("counted_chunks")
def test_a_played_run_is_stored_whole_and_folds_to_the_engines_state(
    alice: Any, quiet_bell: list[int]
) -> None:
    run = new_run(alice, pods=450)
    execution.execute_run(run.pk)
    run.refresh_from_db()
    assert (run.status, run.decisions, run.owner, run.error) == ("finished", 450, "", "")
    assert run.finished_at >= run.started_at
    assert [(c.first_seq, c.last_seq) for c in run.chunks.order_by("number")][:2] == [(1, 200), (201, 400)]
    assert DecisionIndex.objects.filter(run=run).count() == 450
    fold = Fold(msgspec.json.decode(run.base_json(), type=RunState))
    for line in whole_log(run).split(b"\n"):
        fold.apply(decision_decoder.decode(line))
    engine = FakeSimulation(run)
    for _ in engine:
        pass
    assert fold.state() == engine.state()
    assert run.outcome["decisions"] == 450
    assert len(quiet_bell) >= 4


def test_a_second_task_for_the_same_run_does_nothing(alice: Any) -> None:
    run = new_run(alice, pods=5)
    execution.execute_run(run.pk)
    execution.execute_run(run.pk)
    run.refresh_from_db()
    assert (run.attempt, run.decisions) == (1, 5)


def test_a_lease_is_held_by_one_owner_until_it_runs_out(alice: Any) -> None:
    run = new_run(alice)
    first = recording.claim(run.pk, "elsewhere:1:a")
    assert first is not None
    assert recording.claim(run.pk, "elsewhere:2:b") is None
    Run.objects.filter(pk=run.pk).update(heartbeat_at="2020-01-01T00:00:00Z")
    second = recording.claim(run.pk, "elsewhere:2:b")
    assert second is not None
    assert second.attempt == first.attempt + 1
    with pytest.raises(LeaseLost):
        recording.finish(first, "finished")
    recording.finish(second, "finished")


def test_the_lease_of_a_dead_process_of_this_machine_is_free_at_once(alice: Any) -> None:
    run = new_run(alice)
    assert recording.claim(run.pk, f"{machine()}:{2**22 + 1}:1:dead")
    assert recording.claim(run.pk, new_owner())


def test_a_later_process_with_the_same_number_is_not_the_owner(alice: Any) -> None:
    run = new_run(alice)
    assert recording.claim(run.pk, f"{machine()}:{os.getpid()}:1:earlier")
    assert recording.claim(run.pk, new_owner())


def test_chunks_are_refused_from_a_worker_that_lost_its_lease_or_its_place(alice: Any) -> None:
    run = new_run(alice)
    old = recording.claim(run.pk, "elsewhere:1:a")
    Run.objects.filter(pk=run.pk).update(heartbeat_at="2020-01-01T00:00:00Z", base=b"x")
    new = recording.claim(run.pk, "elsewhere:2:b")
    decisions = list(FakeSimulation(run))
    recording.append_chunk(new, 1, decisions[:10])
    for lease, number, part in (
        (old, 2, decisions[10:20]),
        (new, 1, decisions[:10]),
        (new, 2, decisions[11:]),
    ):
        with pytest.raises(LeaseLost):
            recording.append_chunk(lease, number, part)
    assert Chunk.objects.count() == 1
    assert DecisionIndex.objects.count() == 10


@pytest.mark.usefixtures("counted_chunks")
def test_a_taken_over_run_goes_on_from_the_last_stored_decision(
    alice: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = undisturbed_log(pods=300)
    run = new_run(alice, pods=300)
    monkeypatch.setattr(execution, "CHUNK_DECISIONS", 50)
    store = recording.append_chunk

    def store_three_chunks(lease: Any, number: int, *rest: Any) -> None:
        if number > 3:
            raise LeaseLost("killed")
        store(lease, number, *rest)

    monkeypatch.setattr(recording, "append_chunk", store_three_chunks)
    execution.execute_run(run.pk)
    run.refresh_from_db()
    assert (run.status, run.decisions) == ("running", 150)
    monkeypatch.setattr(recording, "append_chunk", store)
    Run.objects.filter(pk=run.pk).update(heartbeat_at="2020-01-01T00:00:00Z")
    execution.execute_run(run.pk)
    run.refresh_from_db()
    assert (run.status, run.attempt) == ("finished", 2)
    assert whole_log(run) == expected


@pytest.mark.parametrize("begun", [{"base": b"begun"}, {"baseline_key": "the run without the edits"}])
def test_a_run_of_an_engine_that_is_gone_fails_and_says_so_if_begun_or_held_against_others(
    alice: Any, begun: dict[str, Any]
) -> None:
    run = new_run(alice)
    Run.objects.filter(pk=run.pk).update(engine_version="fake-0", **begun)
    execution.execute_run(run.pk)
    run.refresh_from_db()
    assert run.status == "failed"
    assert "Recorded by engine fake-0" in run.error
    assert "run again" in run.error


def test_a_run_that_waits_for_an_engine_that_is_gone_is_played_by_todays(alice: Any) -> None:
    run = new_run(alice)
    Run.objects.filter(pk=run.pk).update(engine_version="fake-0", schema_version=1)
    execution.execute_run(run.pk)
    run.refresh_from_db()
    assert (run.status, run.engine_version, run.schema_version) == ("finished", "fake-1", SCHEMA_VERSION)


def test_a_run_is_left_to_workers_with_the_engine_that_it_was_asked_of(alice: Any) -> None:
    run = new_run(alice)
    Run.objects.filter(pk=run.pk).update(engine_version="fake-0")
    WorkingPart.objects.create(
        name="worker", owner="elsewhere:1:1", absent_at=Now() + timedelta(seconds=30), engine="fake-0"
    )
    execution.execute_run(run.pk)
    run.refresh_from_db()
    assert (run.status, run.attempt, run.engine_version) == ("queued", 0, "fake-0")


def test_a_worker_leaves_runs_of_newer_engines_alone(alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.fakes.FakeSimulation.ENGINE_VERSION", "13")
    run = new_run(alice)
    Run.objects.filter(pk=run.pk).update(engine_version="14")
    execution.execute_run(run.pk)
    run.refresh_from_db()
    assert (run.status, run.attempt, run.engine_version) == ("queued", 0, "14")


@pytest.mark.usefixtures("counted_chunks")
def test_a_replay_that_differs_from_the_log_fails_the_run(
    alice: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = new_run(alice, pods=60, differs=True)
    monkeypatch.setattr(execution, "CHUNK_DECISIONS", 10)
    monkeypatch.setattr(execution, "CHECKPOINT_SECONDS", 0)
    store = recording.append_chunk

    def store_two_chunks(lease: Any, number: int, *rest: Any) -> None:
        if number > 2:
            raise LeaseLost("killed")
        store(lease, number, *rest)

    monkeypatch.setattr(recording, "append_chunk", store_two_chunks)
    execution.execute_run(run.pk)
    assert Checkpoint.objects.filter(run=run).exists()
    Checkpoint.objects.filter(run=run).exclude(seq=10).delete()
    monkeypatch.setattr(recording, "append_chunk", store)
    Run.objects.filter(pk=run.pk).update(heartbeat_at="2020-01-01T00:00:00Z")
    execution.execute_run(run.pk)
    run.refresh_from_db()
    assert (run.status, run.decisions) == ("failed", 20)


def test_an_engine_that_breaks_fails_the_run_and_keeps_what_was_decided(alice: Any) -> None:
    run = new_run(alice, pods=300, fail_at=250)
    execution.execute_run(run.pk)
    run.refresh_from_db()
    assert (run.status, run.decisions) == ("failed", 249)
    assert "the script says so" in run.error


def test_a_queued_run_is_cancelled_at_once_and_never_played(alice: Any) -> None:
    run = runs.request_cancel(new_run(alice))
    assert run.status == "cancelled"
    execution.execute_run(run.pk)
    run.refresh_from_db()
    assert (run.status, run.decisions) == ("cancelled", 0)
    with pytest.raises(NotPossibleNow):
        runs.request_cancel(run)


def test_a_running_run_is_cancelled_between_two_decisions(alice: Any) -> None:
    run = new_run(alice, pods=5000, seconds=0.005)
    worker = in_background(run)
    wait_for(run, lambda row: row.decisions > 0)
    runs.request_cancel(run)
    worker.join(SECONDS)
    run.refresh_from_db()
    assert run.status == "cancelled"
    assert 0 < run.decisions < 5000
    assert run.outcome["decisions"] == run.decisions


def test_a_paused_run_holds_no_worker_and_resumes_to_the_same_log(alice: Any, sent: list[int]) -> None:
    expected = undisturbed_log(pods=200)
    run = new_run(alice, rate=1, pods=200)
    worker = in_background(run)
    wait_for(run, lambda row: row.decisions > 0)
    runs.request_pause(run)
    worker.join(SECONDS)
    wait_for(run, lambda row: row.status == "paused")
    stored = run.decisions
    assert 0 < stored < 200
    assert Checkpoint.objects.filter(run=run, seq=stored).exists()
    runs.set_rate(run, None)
    runs.request_resume(run)
    assert run.status == "queued"
    assert sent[-1] == run.pk
    execution.execute_run(run.pk)
    assert whole_log(run) == expected


def test_a_pause_that_is_taken_back_in_time_is_none(alice: Any) -> None:
    run = new_run(alice)
    lease = recording.claim(run.pk, new_owner())
    runs.request_pause(run)
    assert run.want == "pause"
    runs.request_resume(run)
    assert not recording.pause(lease)
    run.refresh_from_db()
    assert (run.status, run.want) == ("running", "")


def test_the_rate_bounds_decisions_a_second_and_may_be_lifted(alice: Any) -> None:
    run = new_run(alice, rate=20, pods=500)
    start = time.monotonic()
    worker = in_background(run)
    wait_for(run, lambda row: row.decisions >= 10)
    seconds = time.monotonic() - start
    assert seconds > 0.4
    assert run.decisions < 20 * (seconds + 0.5)
    runs.set_rate(run, None)
    worker.join(SECONDS)
    run.refresh_from_db()
    assert (run.status, run.decisions) == ("finished", 500)


@pytest.mark.parametrize("rate", [0, -1, float("nan"), float("inf"), True, "4"])
def test_a_rate_that_is_none_is_refused(alice: Any, rate: Any) -> None:
    with pytest.raises(ValueError, match="rate must be"):
        runs.set_rate(new_run(alice), rate)


def test_the_reaper_sends_abandoned_runs_and_lost_messages_again(
    alice: Any, sent: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    abandoned, alive, unsent, fresh = (new_run(alice) for _ in range(4))
    recording.claim(abandoned.pk, "elsewhere:1:a")
    recording.claim(alive.pk, "elsewhere:1:b")
    Run.objects.filter(pk=abandoned.pk).update(heartbeat_at="2020-01-01T00:00:00Z")
    Run.objects.filter(pk=unsent.pk).update(dispatched_at=None)
    sent.clear()
    assert reap() == 2
    assert sorted(sent) == [abandoned.pk, unsent.pk]
    assert reap() == 0
    sent.clear()
    reap(at_start=True)
    assert sorted(sent) == [abandoned.pk, unsent.pk, fresh.pk]
    alive.refresh_from_db()
    assert alive.status == "running"


@pytest.mark.parametrize(("messages", "sent_again"), [(3, 0), (2, 3), (0, 3), (None, 0)])
def test_what_waits_is_sent_again_when_the_broker_has_forgotten_messages(
    alice: Any, sent: list[int], monkeypatch: pytest.MonkeyPatch, messages: int | None, sent_again: int
) -> None:
    monkeypatch.setattr("dashboard.services.background.dispatch.queue_length", lambda queue: messages)
    monkeypatch.setattr("dashboard.services.background.reaping.UNDER_WAY_SECONDS", 3600)
    for _ in range(3):
        new_run(alice)
    Run.objects.update(dispatched_at="2020-01-01T00:00:00Z")
    sent.clear()
    assert reap() == sent_again
    assert len(sent) == sent_again
    assert reap() == 0


def test_the_reaper_carries_out_what_a_dead_worker_was_asked(alice: Any) -> None:
    cancelled, paused = new_run(alice), new_run(alice)
    for run, want in ((cancelled, "cancel"), (paused, "pause")):
        recording.claim(run.pk, "elsewhere:1:a")
        Run.objects.filter(pk=run.pk).update(want=want, heartbeat_at="2020-01-01T00:00:00Z")
    reap()
    assert [Run.objects.get(pk=run.pk).status for run in (cancelled, paused)] == ["cancelled", "paused"]


def test_a_run_that_goes_on_is_deleted_only_with_cascade_and_its_worker_stops(alice: Any) -> None:
    run = new_run(alice, pods=5000, seconds=0.005)
    worker = in_background(run)
    wait_for(run, lambda row: row.decisions > 0)
    with pytest.raises(HasDependents):
        runs.delete_run(run)
    runs.delete_run(run, cascade=True)
    worker.join(SECONDS)
    assert not worker.is_alive()
    assert not Chunk.objects.exists()
    assert not Run.objects.exists()


def test_old_runs_are_pruned_unless_pinned_and_only_if_asked(alice: Any, settings: Any) -> None:
    old, pinned, recent = (runs.request_cancel(new_run(alice)) for _ in range(3))
    going = new_run(alice)
    Run.objects.filter(pk__in=[old.pk, pinned.pk]).update(finished_at="2020-01-01T00:00:00Z")
    runs.pin_run(pinned, True)
    reap()
    assert Run.objects.count() == 4
    settings.RETENTION_DAYS = 30
    reap()
    assert list(Run.objects.order_by("pk")) == [pinned, recent, going]
