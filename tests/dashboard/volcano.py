"""Runs of Volcano's samples, as the tests of the dashboard play them."""

from typing import Any

from dashboard.models import Run
from dashboard.services.background.execution import execute_run
from dashboard.services.workspace.runs import start_run
from dashboard.services.workspace.scenarios import create_scenario
from dashboard.services.workspace.snapshots import import_snapshot
from samples.volcano.sample import volcano_files, volcano_scenarios


def finished(snapshot: Any, **scenario: Any) -> Run:
    """A finished run of a scenario."""
    run = start_run(None, create_scenario(None, {"name": "one", "snapshot": snapshot, **scenario}))
    execute_run(run.pk)
    run.refresh_from_db()
    assert run.status == "finished", run.error
    return run


def snapshot_of(user: Any, cluster: str) -> Any:
    """A cluster of the samples."""
    return import_snapshot(user, cluster, volcano_files(cluster))


def runs_of(user: Any, cluster: str) -> list[Run]:
    """A finished run of each of a cluster's scenarios."""
    snapshot = snapshot_of(user, cluster)
    return [finished(snapshot, **scenario) for scenario in volcano_scenarios(cluster)]
