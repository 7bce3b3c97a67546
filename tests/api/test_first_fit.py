"""A scheduler that is only a folder is imported for, run, stepped through, explained and compared."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from dashboard.models import Run
from dashboard.services.background.execution import execute_run
from dashboard.services.workspace.snapshots import import_snapshot
from scheduler_core.schedulers import registry
from tests.dashboard.rows import listing, node, pod
from tests.first_fit.kind import NO_ROOM, PROFILE, SCHEDULER_NAME

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _first_fit() -> Iterator[None]:
    registry.add("tests.first_fit")
    yield
    registry.remove("tests.first_fit")


@pytest.fixture
def signed_in(client: Client, alice: Any) -> Client:
    client.force_login(alice)
    return client


def played(run: int) -> Run:
    execute_run(run)
    return Run.objects.get(pk=run)


def test_it_is_imported_for_run_stepped_through_explained_and_compared(
    signed_in: Client, alice: Any, as_alice: Any, broker: None
) -> None:
    waiting = [pod(name, cpu="3", schedulerName=SCHEDULER_NAME) for name in ("a", "b", "c")]
    files = listing(node("node-2"), node("node-1"), *waiting)
    snapshot = import_snapshot(alice, "first-fit", [("cluster.json", files)]).pk

    scenario = as_alice.post("/api/v1/scenarios/", {"snapshot": snapshot}, format="json").json()
    assert scenario["scheduler"]["profile"] == PROFILE
    run = played(as_alice.post("/api/v1/runs/", {"scenario": scenario["id"]}, format="json").json()["id"])
    assert (run.status, run.decisions) == ("finished", 3)

    decisions = as_alice.get(f"/api/v1/runs/{run.pk}/decisions/").json()["results"]
    assert [(one["pod"]["name"], one["chosen"]) for one in decisions] == [
        ("a", "node-1"),
        ("b", "node-2"),
        ("c", None),
    ]
    assert as_alice.get(f"/api/v1/runs/{run.pk}/decisions/2/").json()["chosen"] == "node-2"
    explained = as_alice.get(f"/api/v1/runs/{run.pk}/decisions/2/nodes/")
    assert explained.status_code == 200
    words = as_alice.get(f"/api/v1/runs/{run.pk}/scheduler/").json()
    assert (words["name"], [profile["name"] for profile in words["profiles"]]) == (
        "First fit 1",
        [SCHEDULER_NAME],
    )

    outcome = signed_in.get(f"/runs/{run.pk}/outcome/").text
    assert NO_ROOM in outcome
    assert signed_in.get(f"/runs/{run.pk}/").status_code == 200
    other = as_alice.post(
        "/api/v1/scenarios/",
        {
            "snapshot": snapshot,
            "scheduler": {"profile": PROFILE},
            "edits": [{"op": "cordon", "node": "node-2"}],
        },
        format="json",
    ).json()
    second = played(as_alice.post("/api/v1/runs/", {"scenario": other["id"]}, format="json").json()["id"])
    compared = signed_in.get(f"/compare/?a={run.pk}&b={second.pk}")
    assert compared.status_code == 200
