"""How long the supervisor waits for parts: silence counts from readiness, loading has a limit of its own."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from dashboard.supervisor import supervision
from dashboard.supervisor.parts import Part
from dashboard.supervisor.supervision import SILENT_SECONDS, STEADY_SECONDS, Supervisor

ANSWER_SECONDS = 5


class Played:
    """A part on a clock of the test's own: each life loads for so long, and answers or says nothing."""

    def __init__(self, *lives: tuple[float, Callable[[float], bool | None]]) -> None:
        self.part = Part("worker", [])
        self.is_running = True
        self.now = self.born_at = 0.0
        self.ended: list[float] = []
        self._lives = list(lives)
        self._begin()

    def _begin(self) -> None:
        self.process = object()
        self.born_at = self.now
        self.loads_for, self.says = self._lives.pop(0)

    @property
    def is_ready(self) -> bool:
        return self.now - self.born_at >= self.loads_for

    def kill(self) -> None:
        """What the watcher does afterwards, at once: start it again."""
        self.ended.append(self.now - self.born_at - self.loads_for)
        self._begin()

    async def ask(self) -> bool | None:
        return self.says(self.now - self.born_at - self.loads_for)

    async def sleep(self, seconds: float) -> None:
        self.now += ANSWER_SECONDS
        if self.now > 10_000:
            raise TimeoutError

    async def watch(self, monkeypatch: pytest.MonkeyPatch) -> list[float]:
        """For how long after its readiness each life was left alone."""
        monkeypatch.setattr(supervision.asyncio, "sleep", self.sleep)
        with pytest.raises((TimeoutError, IndexError)):
            await supervision._end_when_silent(self, self.ask, clock=lambda: self.now)  # type: ignore[arg-type]
        return self.ended


def silent(seconds: float) -> bool:
    return False


def well(seconds: float) -> bool:
    return True


async def test_a_part_that_loads_for_long_is_not_ended_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    part = Played((10 * SILENT_SECONDS, well))
    assert await part.watch(monkeypatch) == []


async def test_a_part_that_was_ready_and_says_nothing_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    part = Played((10 * SILENT_SECONDS, silent), (0, well))
    (after,) = await part.watch(monkeypatch)
    assert abs(after - SILENT_SECONDS) <= 2 * ANSWER_SECONDS


async def test_each_ending_lets_the_next_silence_last_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    part = Played((0, silent), (60, silent), (60, silent), (0, well))
    ended = await part.watch(monkeypatch)
    for after, least in zip(ended, (1, 2, 4), strict=True):
        assert abs(after - least * SILENT_SECONDS) <= 2 * ANSWER_SECONDS


async def test_a_part_that_has_answered_for_a_while_has_earned_nothing_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def later_silent(seconds: float) -> bool:
        return seconds < 2 * STEADY_SECONDS

    part = Played((0, silent), (0, later_silent), (0, well))
    _, after = await part.watch(monkeypatch)
    assert after - 2 * STEADY_SECONDS <= SILENT_SECONDS + 2 * ANSWER_SECONDS


async def test_what_cannot_be_asked_is_no_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    part = Played((0, lambda seconds: None))
    assert await part.watch(monkeypatch) == []


@asynccontextmanager
async def supervised(part: Part) -> AsyncIterator[tuple[Supervisor, list[dict[str, Any]]]]:
    """A supervisor of one part, and what it logs."""
    supervisor = Supervisor(say=lambda line: None)
    with capture_logs() as logs:
        await supervisor.start(part)
        try:
            yield supervisor, logs  # type: ignore[misc]
        finally:
            await supervisor.stop()


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.01)


async def test_a_part_that_never_becomes_ready_again_is_ended_and_has_longer_each_time(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(supervision, "LOADING_SECONDS", 0.05)
    monkeypatch.setattr(supervision, "FIRST_PAUSE_SECONDS", 0.01)
    lives = 0

    async def ready() -> None:
        nonlocal lives
        lives += 1
        if lives in (2, 3):
            await asyncio.Event().wait()

    async with supervised(Part("worker", ["sleep", "600"], ready=ready)) as (supervisor, logs):
        os.kill(supervisor.children[0].process.pid, 9)  # type: ignore[union-attr]
        await until(lambda: any(entry["event"] == "part runs again" for entry in logs))
        assert supervisor.children[0].is_ready
    told = [entry["reason"] for entry in logs if entry["event"] == "part not ready"]
    assert told == [f"The part 'worker' was not ready after {seconds} s." for seconds in ("0.05", "0.1")]


async def test_a_slow_start_is_told_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervision, "STILL_STARTING_SECONDS", 0.01)
    said: list[str] = []

    async def ready() -> None:
        await until(lambda: len(said) > 1)

    supervisor = Supervisor(say=said.append)
    await supervisor.start(Part("web", ["sleep", "600"], ready=ready))
    await supervisor.stop()
    assert said[0].startswith("  web       is still starting after ")
    assert said[-1].startswith("  web       ready after ")
