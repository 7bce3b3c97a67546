"""A run that waits gives its worker back to others that wait, and goes on in time with the same log."""

from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now

from dashboard.models import Run
from dashboard.services.background import execution, recording
from dashboard.services.background.interrupting import Interrupter
from dashboard.services.background.pacing import Pace
from dashboard.services.background.reaping import reap, send_due_runs
from dashboard.services.workspace import runs
from tests.dashboard.rows import new_run, whole_log
from tests.dashboard.test_runs import in_background, undisturbed_log, wait_for
from tests.fakes import FakeSimulation

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("fake_engine")]


@pytest.fixture(autouse=True)
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The runs that were sent to the workers, in place of a broker."""
    numbers: list[int] = []
    monkeypatch.setattr(
        "dashboard.services.background.dispatch._send", lambda task, pk: numbers.append(pk) or True
    )
    monkeypatch.setattr("dashboard.services.background.bell.ring", lambda run_id: None)
    return numbers


def waiting_run(user: Any, pods: int = 50) -> Run:
    """A run at a decision in a hundred seconds that has given its worker back to another run."""
    paced = new_run(user, rate=0.01, pods=pods)
    worker = in_background(paced)
    wait_for(paced, lambda row: row.decisions == 1)
    other = new_run(user, pods=3)
    worker.join(30)
    assert not worker.is_alive()
    execution.execute_run(other.pk)
    assert Run.objects.get(pk=other.pk).status == "finished"
    paced.refresh_from_db()
    return paced


def share_is_over_after(decisions: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run's share of time ends at this decision, however fast the machine decides."""
    step = FakeSimulation.step

    def last_of_share(simulation: FakeSimulation) -> Any:
        decision = step(simulation)
        if simulation.seq == decisions:
            monkeypatch.setattr(execution, "SHARE_SECONDS", 0.0)
        return decision

    monkeypatch.setattr(execution, "SHARE_OPENINGS", 0)
    monkeypatch.setattr(execution, "SHARE_SECONDS", 3600.0)
    monkeypatch.setattr(FakeSimulation, "step", last_of_share)


def test_a_paced_run_gives_its_worker_to_another_run_and_still_runs(alice: Any, sent: list[int]) -> None:
    run = waiting_run(alice)
    assert (run.status, run.owner, run.decisions) == ("running", "", 1)
    assert Run.objects.filter(pk=run.pk, due_at__gt=Now()).exists()
    sent.clear()
    assert reap() == send_due_runs() == 0
    execution.execute_run(run.pk)
    assert Run.objects.get(pk=run.pk).attempt == 1


def test_while_nobody_waits_the_database_is_asked_once(django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(1):
        assert send_due_runs() == 0


def test_it_goes_on_when_it_is_due_with_the_log_of_an_undisturbed_run(alice: Any, sent: list[int]) -> None:
    expected = undisturbed_log(pods=50)
    run = waiting_run(alice)
    sent.clear()
    runs.set_rate(run, None)
    assert send_due_runs() == 1
    assert send_due_runs() == 0
    assert sent == [run.pk]
    execution.execute_run(run.pk)
    run.refresh_from_db()
    assert (run.status, run.due_at) == ("finished", None)
    assert whole_log(run) == expected


def test_a_long_wait_is_not_sat_out_while_others_wait(alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(execution, "WAITING_SHARE_SECONDS", 60.0)  # waiting_run is patient for 30 s
    assert waiting_run(alice).attempt == 1


def test_a_slower_rate_puts_nothing_off(alice: Any) -> None:
    run = waiting_run(alice)
    runs.set_rate(run, 0.001)
    run.refresh_from_db()
    due_at = run.due_at
    runs.set_rate(run, 0.1)
    run.refresh_from_db()
    assert run.due_at < due_at


def test_a_run_that_gave_its_worker_back_obeys_at_once(alice: Any) -> None:
    cancelled, paused = waiting_run(alice), waiting_run(alice)
    assert runs.request_cancel(cancelled).status == "cancelled"
    assert runs.request_pause(paused).status == "paused"
    assert runs.request_resume(paused).status == "queued"


def test_a_long_run_lets_others_have_a_share(alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = undisturbed_log(pods=300)
    share_is_over_after(50, monkeypatch)
    run = new_run(alice, pods=300)
    other = new_run(alice, pods=3)
    execution.execute_run(run.pk)
    run.refresh_from_db()
    assert (run.status, run.owner) == ("running", "")
    assert run.decisions == 50
    monkeypatch.setattr(execution, "SHARE_SECONDS", 3600.0)
    execution.execute_run(other.pk)
    assert send_due_runs() == 1
    execution.execute_run(run.pk)
    run.refresh_from_db()
    assert run.status == "finished"
    assert whole_log(run) == expected


def test_turns_missed_while_others_had_the_worker_are_made_up_for() -> None:
    now = 100.0
    pace = Pace(2, late=3, clock=lambda: now)
    taken = 0
    while not pace.seconds_to_wait():
        pace.take_turn()
        taken += 1
    assert taken == 2 * 3 + 1
    assert pace.seconds_to_wait() == 0.5


def test_of_turns_that_others_had_the_last_thirty_seconds_are_made_up_for() -> None:
    pace = Pace(2, late=3600, clock=lambda: 100.0)
    taken = 0
    while not pace.seconds_to_wait():
        pace.take_turn()
        taken += 1
    assert taken == 2 * 30 + 1


def test_a_run_that_comes_late_to_its_worker_makes_up_for_its_turns(alice: Any) -> None:
    run = waiting_run(alice)
    Run.objects.filter(pk=run.pk).update(rate=0.5, due_at=Now() - timedelta(seconds=20))
    lease = recording.claim(run.pk, "elsewhere:1:1:x")
    assert lease is not None
    pace = execution.Player(lease, Interrupter(lambda: False)).pace
    for _ in range(10):
        assert pace.seconds_to_wait() == 0
        pace.take_turn()


def test_turns_missed_for_another_reason_are_not_made_up_for() -> None:
    now = 100.0
    pace = Pace(2, clock=lambda: now)
    pace.take_turn()
    now += 60
    pace.take_turn()
    assert pace.seconds_to_wait() == 0
    pace.take_turn()
    assert pace.seconds_to_wait() == 0.5


def test_a_claim_tells_how_late_a_due_run_is(alice: Any) -> None:
    run = waiting_run(alice)
    Run.objects.filter(pk=run.pk).update(due_at=Now() - timedelta(seconds=7))
    lease = recording.claim(run.pk, "elsewhere:1:1:x")
    assert lease is not None
    assert 7 <= lease.late < 60
