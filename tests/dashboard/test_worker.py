"""Real Celery workers are killed with SIGKILL at the worst points; the log is that of an undisturbed run."""

from typing import Any

import pytest

from dashboard.models import Run
from dashboard.services.background.reaping import reap
from dashboard.services.workspace import runs
from scheduler_core.events.decisions import encoder
from tests.dashboard.processes import Processes, wait_until
from tests.dashboard.rows import new_run, whole_log
from tests.fakes import FakeSimulation

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.stack]

SECONDS = 120
POINTS = [("ring", 2), ("step", 350), ("chunk", 2), ("finish", 1)]


def expected_log(run: Run) -> bytes:
    """What the engine decides when nothing interferes."""
    return b"\n".join(encoder.encode(decision) for decision in FakeSimulation(run))


def status_of(run: Run) -> str:
    return Run.objects.values_list("status", flat=True).get(pk=run.pk)


@pytest.mark.parametrize("whole", [True, False], ids=["the whole worker", "a pool process"])
@pytest.mark.parametrize(("point", "count"), POINTS, ids=[point for point, _ in POINTS])
def test_a_worker_killed_at_any_point_is_replaced_and_nothing_is_lost_or_repeated(
    processes: Processes, alice: Any, point: str, count: int, whole: bool
) -> None:
    run = new_run(alice, pods=600, seconds=0.0005)
    processes.worker(death={"point": point, "count": count, "whole": whole})
    wait_until(processes.died, SECONDS)
    if whole:
        processes.worker()

    def finished() -> bool:
        reap()
        return status_of(run) == "finished"

    wait_until(finished, SECONDS)
    run.refresh_from_db()
    assert run.decisions == 600
    assert whole_log(run) == expected_log(run)
    assert run.index.count() == 600
    assert run.outcome["decisions"] == 600
    assert run.attempt == (1 if point == "finish" else 2)


def test_a_queued_run_whose_message_the_broker_lost_is_sent_again_at_start(
    processes: Processes, alice: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dashboard.services.background.dispatch._send", lambda task, pk: True)
    run = new_run(alice, pods=10)
    monkeypatch.undo()
    processes.worker()
    assert status_of(run) == "queued"
    reap(at_start=True)
    wait_until(lambda: status_of(run) == "finished", SECONDS)


def test_a_worker_obeys_pause_resume_and_cancel(processes: Processes, alice: Any) -> None:
    run = new_run(alice, rate=50, pods=5000)
    processes.worker()
    wait_until(lambda: Run.objects.get(pk=run.pk).decisions > 5, SECONDS)
    runs.request_pause(run)
    wait_until(lambda: status_of(run) == "paused", SECONDS)
    stored = Run.objects.get(pk=run.pk).decisions
    runs.request_resume(run)
    wait_until(lambda: Run.objects.get(pk=run.pk).decisions > stored, SECONDS)
    runs.request_cancel(run)
    wait_until(lambda: status_of(run) == "cancelled", SECONDS)
    run.refresh_from_db()
    assert whole_log(run) == b"\n".join(expected_log(run).split(b"\n")[: run.decisions])
