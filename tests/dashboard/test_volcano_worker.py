"""Real Celery workers die by SIGKILL within a session of Volcano; the log is that of an undisturbed run."""

from typing import Any

import pytest

from samples.volcano.sample import volcano_scenarios
from tests.dashboard.killed_workers import assert_survives
from tests.dashboard.processes import Processes
from tests.dashboard.volcano import snapshot_of
from tests.fixtures.database import whichever_database

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.stack, whichever_database]

POINTS = [("step", 6, True), ("step", 16, False), ("step", 25, True), ("chunk", 4, True)]
"""Within the statement that is taken back, among those that evict, in the second session, and in a commit."""


@pytest.mark.parametrize(("point", "count", "whole"), POINTS)
def test_a_worker_killed_within_a_session_is_replaced_and_the_log_is_the_same(
    processes: Processes, alice: Any, settings: Any, point: str, count: int, whole: bool
) -> None:
    scenario = {"snapshot": snapshot_of(alice, "queues"), **volcano_scenarios("queues")[0]}
    assert_survives(processes, settings, scenario, point=point, count=count, whole=whole)
