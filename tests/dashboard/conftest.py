"""Fixtures of the dashboard's tests: a stand-in for the engine, and processes that play it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dashboard.queries import replay, waiting
from dashboard.supervisor.broker import EmbeddedBroker
from tests.dashboard.processes import Processes


@pytest.fixture
def fake_engine(settings: Any) -> Iterator[None]:
    """Runs are played by the stand-in of `tests.fakes`, whose script is the scenario's configuration."""
    settings.SIMULATION_CLASS = "tests.fakes.FakeSimulation"
    replay.forget_all()
    waiting.forget_all()
    yield
    replay.forget_all()
    waiting.forget_all()


@pytest.fixture
def processes(
    broker: EmbeddedBroker, tmp_path: Path, fake_engine: None, transactional_db: None, settings: Any
) -> Iterator[Processes]:
    """Real workers and web servers over the test database and the real broker, played by the stand-in."""
    settings.LEASE_SECONDS = 2
    started = Processes(broker.url, tmp_path)
    yield started
    started.stop()
