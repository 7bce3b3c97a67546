"""A lease is held as long as its owner's process lives and moves, whatever that process computes."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now

from dashboard.models import Run
from dashboard.services.background import recording
from dashboard.services.background.lease_keeper import Keeper
from dashboard.services.background.leases import lease_seconds, lost, machine, new_owner
from dashboard.services.background.reaping import reap
from tests.dashboard.processes import Processes, wait_until
from tests.dashboard.rows import new_run
from tests.faults import HoldingSimulation

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.stack]

SECONDS = 60
LONG_AGO = "2020-01-01T00:00:00Z"


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    """A process that lives and does nothing."""
    process = subprocess.Popen([sys.executable, "-c", "import sys; print(1, flush=True); sys.stdin.read()"],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # fmt: skip
    assert process.stdout is not None
    process.stdout.readline()
    yield process
    process.kill()
    process.wait()


def owner_of(process: subprocess.Popen[bytes]) -> str:
    with open(f"/proc/{process.pid}/stat") as file:
        started = file.read().rpartition(")")[2].split()[19]
    return f"{machine()}:{process.pid}:{started}:x"


def held_by(owner: str, user: Any) -> Run:
    run = new_run(user)
    assert recording.claim(run.pk, owner)
    Run.objects.filter(pk=run.pk).update(heartbeat_at=LONG_AGO)
    return run


def is_kept(run: Run) -> bool:
    run.refresh_from_db()
    return run.heartbeat_at.year > 2020


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.services.background.dispatch._send", lambda task, pk: True)


@pytest.mark.usefixtures("fake_engine")
def test_a_lease_lasts_as_long_as_the_setting_says(alice: Any, settings: Any) -> None:
    settings.LEASE_SECONDS = 100
    for seconds, is_lost in ((50, False), (150, True)):
        run = held_by("elsewhere:1:1:x", alice)
        Run.objects.filter(pk=run.pk).update(heartbeat_at=Now() - timedelta(seconds=seconds))
        assert bool(lost(Run.objects.filter(pk=run.pk))) is is_lost
        assert bool(recording.claim(run.pk, "elsewhere:2:2:y")) is is_lost
    del settings.LEASE_SECONDS
    assert lease_seconds() == 15


@pytest.mark.usefixtures("fake_engine")
def test_only_leases_of_living_processes_of_this_machine_are_renewed(alice: Any) -> None:
    mine, dead, elsewhere = (
        held_by(owner, alice) for owner in (new_owner(), f"{machine()}:{2**22 + 1}:1:x", "elsewhere:1:1:x")
    )
    assert Keeper().keep() == 1
    assert [is_kept(run) for run in (mine, dead, elsewhere)] == [True, False, False]


@pytest.mark.usefixtures("fake_engine")
def test_a_process_that_does_not_move_loses_its_lease_and_is_ended(
    alice: Any, sleeper: subprocess.Popen[bytes]
) -> None:
    now = 0.0
    keeper = Keeper(stuck_seconds=60, clock=lambda: now)
    run = held_by(owner_of(sleeper), alice)
    assert keeper.keep() == 1
    now = 59
    assert keeper.keep() == 1
    now = 61
    assert keeper.keep() == 0
    assert sleeper.wait(SECONDS) < 0
    reap()
    run.refresh_from_db()
    assert (run.status, run.owner, run.losses) == ("queued", "", 1)


@pytest.mark.usefixtures("fake_engine")
def test_a_stopped_process_is_not_waited_for(alice: Any, sleeper: subprocess.Popen[bytes]) -> None:
    run = held_by(owner_of(sleeper), alice)
    sleeper.send_signal(signal.SIGSTOP)
    wait_until(lambda: Keeper().keep() == 0, SECONDS)
    Run.objects.filter(pk=run.pk).update(heartbeat_at=LONG_AGO)
    assert Keeper().keep() == 0
    assert recording.claim(run.pk, new_owner())


@pytest.mark.usefixtures("fake_engine")
def test_a_stopped_process_is_ended_after_its_lease_was_taken_over(
    alice: Any, sleeper: subprocess.Popen[bytes]
) -> None:
    now = 0.0
    keeper = Keeper(stuck_seconds=60, clock=lambda: now)
    run = held_by(owner_of(sleeper), alice)
    assert keeper.keep() == 1
    sleeper.send_signal(signal.SIGSTOP)
    wait_until(lambda: keeper.keep() == 0, SECONDS)
    Run.objects.filter(pk=run.pk).update(heartbeat_at=LONG_AGO)
    reap()
    now = 59
    keeper.keep()
    assert sleeper.poll() is None
    now = 61
    keeper.keep()
    assert sleeper.wait(SECONDS) == -signal.SIGKILL


@pytest.mark.usefixtures("fake_engine")
def test_a_process_that_rests_without_a_lease_is_left_alone(
    alice: Any, sleeper: subprocess.Popen[bytes]
) -> None:
    now = 0.0
    keeper = Keeper(stuck_seconds=60, clock=lambda: now)
    run = held_by(owner_of(sleeper), alice)
    assert keeper.keep() == 1
    Run.objects.filter(pk=run.pk).update(owner="")
    now = 100
    assert keeper.keep() == keeper.keep() == 0
    assert sleeper.poll() is None


def test_a_worker_that_holds_the_interpreter_for_longer_than_a_lease_keeps_it(
    processes: Processes, alice: Any, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    settings.LEASE_SECONDS = HoldingSimulation.SECONDS - 3
    run = new_run(alice, pods=1)
    processes.worker(
        SANDTABLE_TEST_SIMULATION="tests.faults.HoldingSimulation",
        SANDTABLE_TEST_LEASE=str(settings.LEASE_SECONDS),
    )

    def finished() -> bool:
        reap()
        assert recording.claim(run.pk, "elsewhere:1:1:x") is None or not Run.objects.get(pk=run.pk).attempt
        return Run.objects.get(pk=run.pk).status == "finished"

    wait_until(lambda: Run.objects.get(pk=run.pk).owner, 2 * SECONDS)
    wait_until(finished, 2 * SECONDS)
    assert Run.objects.get(pk=run.pk).attempt == 1
