"""Why no scheduler looks at a pod that waits: as the run's last state has it, and as its outcome says."""

import json
from pathlib import Path

import msgspec
import pytest

from dashboard.services.results.outcome import outcome
from dashboard.shapes.outcome import Figures
from scheduler_core.events.state import PodRow
from scheduler_core.schedulers.unasked import why_ignored, why_unasked
from scheduler_core.world import RunInput, Simulation
from tests.scheduler_core.clusters import node, pod
from tests.scheduler_core.volcano.imports.test_references import OWN, asking, group, member

VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "unasked.json").read_bytes())
IGNORED = "queue gone does not exist, and every session ignores pod groups that name it"


def run(*objects, controllers="recreate", **more):
    simulation = Simulation(
        RunInput(
            objects=[*OWN, node("n1"), *objects], profile="volcano-1.16", controllers=controllers, **more
        )
    )
    base, decisions = simulation.base, list(simulation)
    figures = outcome(base, decisions)
    msgspec.convert(figures, Figures)  # they are as the OpenAPI document says, nulls included
    return simulation.state(), figures


def reason_of(state, name):
    [row] = [row for row in state.pods() if row.name == name]
    return why_unasked(row, state.tables)


@pytest.mark.parametrize(
    ("objects", "controllers", "reason"),
    [
        ([asking("p", "gone")], "recreate", IGNORED),
        ([group("g", "gone"), member("p", "g")], "none", IGNORED),
        (
            [member("p", "g")],
            "none",
            "its pod group default/g does not exist, and sessions look at pod groups alone",
        ),
        ([member("p")], "none", "it is of no pod group, and sessions look at pod groups alone"),
        ([group("g"), member("p", "g", nodeSelector={"no": "node"})], "none", ""),
    ],
)
def test_a_pod_that_no_session_looks_at_has_its_reason_in_the_outcome(objects, controllers, reason):
    state, figures = run(*objects, controllers=controllers)
    assert reason_of(state, "p") == reason
    assert [row["pending"] for row in figures["by_group"]] == [1] * len(figures["by_group"])
    [failure] = figures["failures"]
    assert [one["pod"] for one in failure["pods"]] == ["default/p"]
    if reason:
        assert (failure["message"], failure["seq"]) == (f"{reason[0].upper()}{reason[1:]}.", None)
    else:
        assert failure["seq"] is not None


def test_a_pod_of_a_scheduler_that_the_run_lacks_has_its_reason():
    state, _ = run(pod("p", schedulerName="custom"))
    assert reason_of(state, "p") == "no scheduler of this run serves the schedulerName custom"


@pytest.mark.parametrize("case", VECTORS["pods"], ids=lambda case: case["name"])
def test_the_browser_is_held_to_the_same_cases(case):
    fields = {name: value for name, value in case.items() if name != "why"}
    row = {"uid": "u", "namespace": "ml", "priority": 0, "labels": {}, "workload": "", "requests": {}}
    tables = {
        "actors": {actor["name"]: actor for actor in VECTORS["actors"]},
        "groups": {key: {"queue": queue} for key, queue in VECTORS["groups"].items()},
        "queues": {name: {} for name in VECTORS["queues"]},
    }
    assert why_unasked(msgspec.convert({**row, **fields}, PodRow), tables) == case["why"]


def test_a_queue_that_comes_later_ends_the_reason():
    state, figures = run(
        asking("p", "gone"),
        edits=[
            {
                "op": "add",
                "manifest": {
                    "apiVersion": "scheduling.volcano.sh/v1beta1",
                    "kind": "Queue",
                    "metadata": {"name": "gone"},
                    "spec": {"weight": 1},
                },
            }
        ],
    )
    assert why_ignored("default/podgroup-pod-p", state.tables) == ""
    assert (figures["pending"], figures["failures"]) == (0, [])
