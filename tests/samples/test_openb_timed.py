"""The Alibaba trace in time: who comes when, for how long, and what the cluster makes of it."""

import json
from collections import Counter
from typing import Any

import pytest

from samples.openb.sample import openb_arrivals, openb_empty_files, openb_seconds
from samples.openb.timed import arrivals
from scheduler_core.world import RunInput, Simulation
from tests.samples.test_openb import pod_row

TASKS = 60
"""The first ones, of four months; the whole trace is played by the sample's own run."""


def test_every_task_comes_at_its_instant_as_somebody_would_create_it() -> None:
    edits = openb_arrivals()
    assert len(edits) == 8152
    assert edits[1] == {
        "op": "add",
        "at": 427061,
        "manifest": {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {
                "name": "openb-pod-0001",
                "namespace": "openb",
                "labels": {"openb/qos": "LS"},
            },
            "spec": {
                "restartPolicy": "Never",
                "containers": [
                    {
                        "name": "task",
                        "image": "openb/task",
                        "resources": {
                            "requests": {"cpu": "6000m", "memory": "12288Mi", "openb/gpu-milli": "460"},
                            "limits": {"openb/gpu-milli": "460"},
                        },
                    }
                ],
            },
        },
    }


@pytest.mark.parametrize(
    ("times", "duration"),
    [
        ({"creation_time": "60", "scheduled_time": "100", "deletion_time": "150"}, 50),
        ({"creation_time": "60", "scheduled_time": "", "deletion_time": "150"}, 90),
        ({"creation_time": "60", "scheduled_time": "60", "deletion_time": "60"}, 1),
        ({"creation_time": "60", "scheduled_time": "61", "deletion_time": "900"}, None),
    ],
)
def test_a_task_runs_from_its_start_to_its_deletion(times: dict[str, str], duration: int | None) -> None:
    last = pod_row("last", creation_time="0", scheduled_time="0", deletion_time="900")
    assert arrivals([pod_row(**times), last])[0].get("duration") == duration


def test_those_that_outlive_the_trace_run_on() -> None:
    assert sum("duration" not in edit for edit in openb_arrivals()) == 34
    assert openb_seconds() == 12_902_960


@pytest.fixture(scope="module")
def cluster() -> list[dict[str, Any]]:
    [(_, content)] = openb_empty_files()
    items: list[dict[str, Any]] = json.loads(content)["items"]
    return items


def test_the_cluster_is_that_of_the_other_sample_without_its_tasks(cluster: list[dict[str, Any]]) -> None:
    assert Counter(item["kind"] for item in cluster) == {"Namespace": 1, "Node": 1523}
    assert Counter(item["metadata"].get("labels", {}).get("pool") for item in cluster)["g2-shared"] > 0


def test_the_clock_goes_through_months_and_every_task_is_placed_and_goes(
    cluster: list[dict[str, Any]],
) -> None:
    edits = openb_arrivals()[:TASKS]
    run_input = RunInput(objects=cluster, edits=edits, driver="timed", until=openb_seconds())
    decisions = list(Simulation(run_input))
    outcomes = Counter(decision.outcome for decision in decisions)
    lasting = sum("duration" not in edit for edit in edits)
    assert outcomes == {"added": TASKS, "scheduled": TASKS, "bound": TASKS, "gone": TASKS - lasting}
    bound = {decision.pod.name: decision.time for decision in decisions if decision.outcome == "bound"}
    gone = {decision.pod.name: decision.time for decision in decisions if decision.outcome == "gone"}
    for edit in edits:
        name = edit["manifest"]["metadata"]["name"]
        assert bound[name] - 1000 * edit["at"] in (10, 20), "a second one of the same instant comes later"
        if "duration" in edit:
            assert gone[name] == bound[name] + 1000 * edit["duration"]
