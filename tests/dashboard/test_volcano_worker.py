"""Real Celery workers die by SIGKILL within a session of Volcano; the log is that of an undisturbed run."""

from typing import Any

import pytest

from dashboard.engine import SIMULATION_CLASS
from dashboard.models import Checkpoint, Run
from dashboard.services.reaping import reap
from dashboard.services.runs import start_run
from dashboard.services.scenarios import create_scenario
from samples.volcano.sample import volcano_scenarios
from tests.dashboard.processes import Processes, wait_until
from tests.dashboard.rows import whole_log
from tests.dashboard.volcano import finished, snapshot_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.stack]

SECONDS = 60
ENGINE = {"SANDTABLE_TEST_SIMULATION": "tests.faults.MortalEngine"}
POINTS = [("step", 6, True), ("step", 16, False), ("step", 25, True), ("chunk", 4, True)]
"""Within the statement that is taken back, among those that evict, in the second session, and in a commit."""


@pytest.mark.parametrize(("point", "count", "whole"), POINTS)
def test_a_worker_killed_within_a_session_is_replaced_and_the_log_is_the_same(
    processes: Processes, alice: Any, settings: Any, point: str, count: int, whole: bool
) -> None:
    settings.SIMULATION_CLASS = SIMULATION_CLASS
    snapshot, planned = snapshot_of(alice, "queues"), volcano_scenarios("queues")[0]
    undisturbed = finished(snapshot, **planned)
    run = start_run(alice, create_scenario(alice, {"snapshot": snapshot, **planned}))
    processes.worker(death={"point": point, "count": count, "whole": whole}, **ENGINE)
    wait_until(processes.died, SECONDS)
    stored = Run.objects.get(pk=run.pk).decisions
    assert 0 < stored < undisturbed.decisions
    assert Checkpoint.objects.filter(run=run).exists()
    if whole:
        processes.worker(**ENGINE)

    def has_finished() -> bool:
        reap()
        return Run.objects.values_list("status", flat=True).get(pk=run.pk) == "finished"

    wait_until(has_finished, SECONDS)
    run.refresh_from_db()
    assert run.attempt == 2
    assert whole_log(run) == whole_log(undisturbed)
    assert run.outcome == undisturbed.outcome
    assert run.index.count() == undisturbed.index.count()
