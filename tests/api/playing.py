"""Clusters played through REST and the Celery task, in the test's process."""

from collections.abc import Callable
from typing import Any

import msgspec

from dashboard import tasks

API = "/api/v1"


def played(client: Any, cluster: Any, scenario_of: Callable[[int], dict[str, Any]], **start: Any) -> str:
    """Import a List, run the scenario that is made over its snapshot, and return the run's address.

    start: what the request that starts the run has besides the scenario.
    """
    body = msgspec.json.encode(cluster)
    imported = client.generic("POST", f"{API}/snapshots/", body, content_type="application/json")
    assert imported.status_code == 201, imported.content
    scenario = client.post(f"{API}/scenarios/", scenario_of(imported.json()["id"]), format="json")
    assert scenario.status_code == 201, scenario.content
    started = client.post(f"{API}/runs/", {"scenario": scenario.json()["id"], **start}, format="json")
    assert started.status_code == 202, started.content
    tasks.execute_run.apply(args=[started.json()["id"]], throw=True)
    return f"{API}/runs/{started.json()['id']}"
