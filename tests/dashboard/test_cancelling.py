"""Cancelling reaches a worker that computes for long before the first decision, or within one."""

import os
import signal
import time
from contextlib import suppress
from typing import Any

import pytest

from dashboard.models import Run
from dashboard.services.background import execution
from dashboard.services.background.interrupting import SIGNAL, Interrupted, Interrupter
from dashboard.services.workspace import runs
from tests.dashboard.rows import new_run
from tests.fakes import FakeSimulation

pytestmark = pytest.mark.django_db(transaction=True)

TOO_LONG_SECONDS = 60


looked: list[bool] = []
"""What the interrupter of the worker under test has found so far."""


def compute_until_cancelled() -> None:
    """What a large cluster does, for longer than anybody waits."""
    if Run.objects.exists():
        runs.request_cancel(Run.objects.get())
    end = time.monotonic() + TOO_LONG_SECONDS
    while time.monotonic() < end:
        pass
    raise RuntimeError("the worker computed to the end")


class LongPreparation(FakeSimulation):
    def __init__(self, *arguments: Any, **options: Any) -> None:
        compute_until_cancelled()


class LongStart(FakeSimulation):
    """Its first state is asked for by the player, once the rest is built."""

    is_built = False

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.is_built = True

    def __getattribute__(self, name: str) -> Any:
        if name == "base" and super().__getattribute__("is_built"):
            compute_until_cancelled()
        return super().__getattribute__(name)


class LongStep(FakeSimulation):
    def step(self) -> Any:
        return compute_until_cancelled() if self.seq == 3 else super().step()


class Deleted(FakeSimulation):
    def step(self) -> Any:
        while not looked:
            pass
        runs.delete_run(Run.objects.get(), cascade=True)
        return compute_until_cancelled()


class Stubborn(FakeSimulation):
    """An engine that passes over whatever is raised in it."""

    def step(self) -> Any:
        with suppress(BaseException):
            compute_until_cancelled()
        return super().step()


class CancelledAndBroken(FakeSimulation):
    def step(self) -> Any:
        runs.request_cancel(Run.objects.get())
        raise RuntimeError("out of memory")


@pytest.fixture(autouse=True)
def nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.services.background.dispatch._send", lambda task, pk: True)
    monkeypatch.setattr("dashboard.services.background.bell.ring", lambda number: None)


@pytest.fixture(autouse=True)
def counted_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    looked.clear()
    look = Interrupter._looks_unwanted

    def look_and_note(interrupter: Interrupter) -> bool:
        looked.append(look(interrupter))
        return looked[-1]

    monkeypatch.setattr(Interrupter, "_looks_unwanted", look_and_note)


def play(settings: Any, engine: type) -> Run:
    settings.SIMULATION_CLASS = f"{__name__}.{engine.__name__}"
    run = new_run(pods=10)
    execution.execute_run(run.pk)
    return Run.objects.filter(pk=run.pk).first() or run


@pytest.mark.parametrize(
    ("engine", "decisions"),
    [(LongPreparation, 0), (LongStart, 0), (LongStep, 3), (Stubborn, 0), (CancelledAndBroken, 0)],
)
def test_a_run_is_cancelled_in_the_middle_of_computing(settings: Any, engine: type, decisions: int) -> None:
    before = signal.getsignal(SIGNAL)
    run = play(settings, engine)
    assert (run.status, run.decisions, run.error, run.want) == ("cancelled", decisions, "", "")
    assert signal.getsignal(SIGNAL) is before


def test_the_worker_of_a_deleted_run_stops(settings: Any) -> None:
    start = time.monotonic()
    play(settings, Deleted)
    assert not Run.objects.exists()
    assert time.monotonic() - start < TOO_LONG_SECONDS


def test_nothing_is_cut_off_outside_of_computing() -> None:
    with Interrupter(lambda: False) as interrupter:
        os.kill(os.getpid(), SIGNAL)
        with pytest.raises(Interrupted), interrupter.computing():
            os.kill(os.getpid(), SIGNAL)
