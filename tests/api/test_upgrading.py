"""`snapshots/{id}/upgrade/` and `scenarios/{id}/upgrade/`: a cluster under its release and a newer one."""

from typing import Any

import pytest

from dashboard.models import Run, Snapshot
from dashboard.services.background.execution import execute_run
from dashboard.services.workspace.scenarios import create_scenario
from dashboard.services.workspace.snapshots import import_snapshot
from tests.dashboard.rows import listing, node, pod

pytestmark = pytest.mark.django_db


@pytest.fixture
def snapshot(alice: Any) -> Snapshot:
    """A node of 1.33 and a pod that waits."""
    one = node("node-1")
    one["status"]["nodeInfo"] = {"kubeletVersion": "v1.33.5"}
    return import_snapshot(alice, "prod", [("prod.json", listing(one, pod("web-1")))])


def post(client: Any, address: str, body: Any) -> Any:
    return client.post(f"/api/v1/{address}", body, format="json")


def test_a_cluster_is_tried_under_the_next_release_and_compared(as_alice: Any, snapshot: Snapshot) -> None:
    assert as_alice.get(f"/api/v1/snapshots/{snapshot.pk}/").json()["release"] == {
        "minor": "1.33",
        "source": "The nodes' kubelets are of 1.33.",
    }
    answer = post(as_alice, f"snapshots/{snapshot.pk}/upgrade/", {})
    assert answer.status_code == 201
    made = answer.json()
    assert [made[side]["scheduler"]["profile"] for side in ("older", "newer")] == ["kube-1.33", "kube-1.34"]
    assert made["notes"] == []
    for run in Run.objects.all():
        execute_run(run.pk)
    compared = as_alice.get(made["compare"]).json()
    assert compared["sentence"].startswith("Under 1.34 instead of 1.33, no pod lands on another node;")
    assert (compared["releases"]["a"], compared["releases"]["b"]) == ("1.33", "1.34")
    assert compared["releases"]["mattered"] == []
    assert {"release", "area", "plugin", "before", "since"} == set(compared["releases"]["possible"][0])


def test_a_scenario_is_tried_under_a_release_that_is_named(as_alice: Any, snapshot: Snapshot) -> None:
    cordon = {"op": "cordon", "node": "node-1"}
    scenario = create_scenario(None, {"name": "drain", "snapshot": snapshot, "edits": [cordon]})
    made = post(as_alice, f"scenarios/{scenario.pk}/upgrade/", {"release": "1.36"}).json()
    assert made["newer"]["scheduler"]["profile"] == "kube-1.36"
    assert [run.edits for run in Run.objects.filter(baseline_key="")] == [[cordon], [cordon]]


@pytest.mark.parametrize("body", [{"release": "1.32"}, {"release": 1.36}, {"release": "1.36", "to": 1}])
def test_what_is_no_newer_release_is_refused(as_alice: Any, snapshot: Snapshot, body: Any) -> None:
    assert post(as_alice, f"snapshots/{snapshot.pk}/upgrade/", body).status_code == 400
    assert not Run.objects.exists()
