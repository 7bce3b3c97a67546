"""What the cluster's scheduler had said of a pod stands beside the first attempt that contradicts it."""

from typing import Any

import pytest
from msgspec import UNSET

from scheduler_core.objects.privacy import withhold_private
from scheduler_core.world import RunInput, Simulation
from tests.builders import Object, container, node, pod

SAID = "0/2 nodes are available: 2 Insufficient cpu."
WHEN = "2026-06-01T08:00:00Z"


def pending(message: str, *, cpu: str, **condition: Any) -> Object:
    told = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": message}
    status = {"phase": "Pending", "conditions": [{**told, "lastTransitionTime": WHEN, **condition}]}
    return pod("a", containers=[container(requests={"cpu": cpu})], status=status)


def decisions(waiting: Object, *others: Object, **options: Any) -> list[Any]:
    objects, _ = withhold_private([node("n", cpu="2"), node("m", cpu="2"), waiting, *others])
    return list(Simulation(RunInput(objects=objects, **options)))


def test_a_pod_that_fits_here_and_did_not_in_the_cluster() -> None:
    [decision] = decisions(pending(f"{SAID} preemption: 0/2 nodes are available: none.", cpu="1"))
    assert decision.outcome == "scheduled"
    assert (decision.cluster_said.message, decision.cluster_said.time) == (SAID, WHEN)


def test_a_pod_that_fits_nowhere_for_another_reason() -> None:
    other = "0/2 nodes are available: 2 node(s) had untolerated taint {gpu: yes}."
    [decision] = decisions(pending(other, cpu="9"))
    assert (decision.outcome, decision.cluster_said.message) == ("unschedulable", other)


@pytest.mark.parametrize(
    "waiting",
    [
        pending(SAID, cpu="9"),
        pending(f"{SAID} no new claims to deallocate, preemption: none.", cpu="9"),
        pending("any words", cpu="1"),
        pending(SAID, cpu="1", status="True"),
        pending(SAID, cpu="1", type="Ready"),
    ],
)
def test_nothing_is_said_where_nothing_is_contradicted(waiting: Object) -> None:
    [decision] = decisions(waiting)
    assert decision.cluster_said is UNSET


def test_only_a_first_attempt_is_compared() -> None:
    urgent = pending(SAID, cpu="2")
    urgent["spec"]["priority"] = 9
    full = [pod(f"low-{name}", on=name, containers=[container(requests={"cpu": "2"})]) for name in "nm"]
    told = [(one.outcome, one.cluster_said is UNSET) for one in decisions(urgent, *full, controllers="none")]
    assert told == [("nominated", True), ("scheduled", True)]


def test_with_a_clock_too() -> None:
    [begun, *_] = decisions(pending(SAID, cpu="1"), driver="timed", until=60)
    assert begun.cluster_said.message == SAID
