"""Real Celery workers die by SIGKILL within a run of HAMi; the log is that of an undisturbed run."""

from typing import Any

import pytest

from dashboard.services.workspace.snapshots import import_snapshot
from samples.hami.sample import hami_files, hami_scenarios
from tests.dashboard.killed_workers import assert_survives
from tests.dashboard.processes import Processes
from tests.fixtures.database import whichever_database

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.stack, whichever_database]

POINTS = [("instant", "step", 7, True), ("timed", "step", 11, False), ("timed", "chunk", 3, True)]
"""Between two decisions with cards given out before, without a clock and with one, and in a commit."""


@pytest.mark.parametrize(("driver", "point", "count", "whole"), POINTS)
def test_a_worker_killed_within_a_run_is_replaced_and_every_card_is_given_as_without_it(
    processes: Processes, alice: Any, settings: Any, driver: str, point: str, count: int, whole: bool
) -> None:
    snapshot = import_snapshot(alice, "cards", hami_files())
    scenario = {"snapshot": snapshot, **hami_scenarios()[0], "driver": driver}
    assert_survives(processes, settings, scenario, point=point, count=count, whole=whole)
