"""A run whose worker dies by SIGKILL at a chosen point, beside the same run undisturbed."""

from typing import Any

from dashboard.engine import SIMULATION_CLASS
from dashboard.models import Checkpoint, Run
from dashboard.services.background.reaping import reap
from dashboard.services.workspace.runs import start_run
from dashboard.services.workspace.scenarios import create_scenario
from tests.dashboard.processes import Processes, wait_until
from tests.dashboard.rows import whole_log
from tests.dashboard.volcano import finished

SECONDS = 120
ENGINE = {"SANDTABLE_TEST_SIMULATION": "tests.faults.MortalEngine"}


def assert_survives(processes: Processes, settings: Any, scenario: dict[str, Any], **death: Any) -> None:
    """The log is that of an undisturbed run, byte for byte. `death` is as in `tests.faults`."""
    settings.SIMULATION_CLASS = SIMULATION_CLASS
    undisturbed = finished(**scenario)
    run = start_run(None, create_scenario(None, {"name": "killed", **scenario}))
    processes.worker(death=death, **ENGINE)
    wait_until(processes.died, SECONDS)
    stored = Run.objects.get(pk=run.pk).decisions
    assert 0 < stored < undisturbed.decisions
    assert Checkpoint.objects.filter(run=run).exists()
    if death["whole"]:
        processes.worker(**ENGINE)

    def has_finished() -> bool:
        """Also with what is counted once it has ended."""
        reap()
        status, outcome = Run.objects.values_list("status", "outcome").get(pk=run.pk)
        return status == "finished" and "emptiable" in outcome

    wait_until(has_finished, SECONDS)
    run.refresh_from_db()
    assert run.attempt == 2
    assert whole_log(run) == whole_log(undisturbed)
    assert run.outcome == undisturbed.outcome
    assert run.index.count() == undisturbed.index.count()
