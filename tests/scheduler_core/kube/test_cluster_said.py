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


GPU = [{"key": "gpu", "value": "yes", "effect": "NoSchedule"}]
PINNED = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n"]}]}
REQUIRED = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [PINNED]}}


@pytest.mark.parametrize("profile", ["kube-1.30", "kube-1.33", "kube-1.34", "kube-1.37"])
@pytest.mark.parametrize(
    "reasons",
    ["1 Insufficient cpu, 2 node(s) had untolerated taint(s)",
     "1 Insufficient cpu, 1 node(s) had untolerated taint {b: c}, 1 node(s) had untolerated taint {a: b}"],
)  # fmt: skip
def test_taints_that_another_release_words_otherwise_are_no_difference(profile: str, reasons: str) -> None:
    nodes = [node("t", taints=GPU), node("u", taints=[{**GPU[0], "key": "a", "value": "b"}])]
    waiting = pending(f"0/3 nodes are available: {reasons}. preemption: none.", cpu="9")
    objects, _ = withhold_private([node("n", cpu="2"), *nodes, waiting])
    [decision] = Simulation(RunInput(objects=objects, profile=profile))
    assert decision.cluster_said is UNSET


@pytest.mark.parametrize("profile", ["kube-1.30", "kube-1.31", "kube-1.32", "kube-1.37"])
@pytest.mark.parametrize(
    "rest",
    ["", ", 1 node is filtered out by the prefilter result", ", 1 node(s) didn't satisfy plugin(s) [A]"],
)  # fmt: skip
def test_nodes_that_another_release_counts_or_not_are_no_difference(profile: str, rest: str) -> None:
    waiting = pending(f"0/2 nodes are available: 1 Insufficient cpu{rest}. preemption: none.", cpu="9")
    waiting["spec"]["affinity"] = {"nodeAffinity": REQUIRED}
    [decision] = decisions(waiting, profile=profile)
    assert decision.cluster_said is UNSET


@pytest.mark.parametrize(
    "said",
    [
        "0/2 nodes are available: 1 Insufficient cpu.",
        "0/3 nodes are available: 2 Insufficient cpu.",
        "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s).",
        "0/2 nodes are available: 2 Insufficient cpu, 1 Insufficient memory.",
    ],
)
def test_other_numbers_are_a_difference_in_whatever_words(said: str) -> None:
    [decision] = decisions(pending(said, cpu="9"))
    assert decision.cluster_said.message == said


def test_only_a_first_attempt_is_compared() -> None:
    urgent = pending(SAID, cpu="2")
    urgent["spec"]["priority"] = 9
    full = [pod(f"low-{name}", on=name, containers=[container(requests={"cpu": "2"})]) for name in "nm"]
    told = [(one.outcome, one.cluster_said is UNSET) for one in decisions(urgent, *full, controllers="none")]
    assert told == [("nominated", True), ("scheduled", True)]


def test_with_a_clock_too() -> None:
    [begun, *_] = decisions(pending(SAID, cpu="1"), driver="timed", until=60)
    assert begun.cluster_said.message == SAID
