"""Which difference of two releases changes an attempt is found by trials on the same cluster."""

from itertools import pairwise
from typing import Any

import pytest

from scheduler_core.events.decisions import Attempt, encoder
from scheduler_core.kube.framework_releases.exchanging import exchanges
from scheduler_core.kube.framework_releases.table import FRAMEWORK_RELEASES
from scheduler_core.kube.release import Release
from scheduler_core.world.reporting.release_trials import NotTried, Tried
from scheduler_core.world.run_input import Companion, RunInput
from scheduler_core.world.simulation import Simulation
from tests.builders import node, pod

BALANCED, FIT = "NodeResourcesBalancedAllocation", "NodeResourcesFit"
MINORS = list(FRAMEWORK_RELEASES)


def asking(cpu: str = "0", memory: str = "0", **more: Any) -> list[dict[str, Any]]:
    return [{"name": "c", "image": "a", "resources": {"requests": {"cpu": cpu, "memory": memory}}, **more}]


def unbalanced(store: str = "3Gi") -> list[dict[str, Any]]:
    """A pod of much CPU, that would balance node-1 better, and leave node-2 the best balanced.

    store: the memory of the pod on node-1; with 4Gi the nodes are equally good since 1.36.
    """
    return [
        node("node-1"),
        node("node-2"),
        pod("store", on="node-1", containers=asking("0", store)),
        pod("even", on="node-2", containers=asking("1", "2Gi")),
        pod("web-1", containers=asking("500m", "1Gi")),
    ]


def trials(objects: list[dict[str, Any]], one: str, other: str, **given: Any) -> dict[str, list[Tried]]:
    """What trials find of all pods of a run; the run itself comes out as without them."""
    run_input = RunInput(objects=objects, profile=f"kube-{one}", **given)
    plain = [encoder.encode(decision) for decision in Simulation(run_input)]
    simulation = Simulation(run_input)
    found = simulation.trials_under(run_input, other)
    found.watch([item["metadata"]["uid"] for item in objects if item["kind"] == "Pod"])
    decisions = list(simulation)
    assert [encoder.encode(decision) for decision in decisions] == plain
    last = {one.pod.uid: one for one in decisions if isinstance(one, Attempt) and one.outcome == "scheduled"}
    for uid, attempt in last.items():
        assert found.tried[uid][-1].came == ("scheduled", attempt.chosen)
    return {uid.removeprefix("uid-default-"): tried for uid, tried in found.tried.items() if tried}


def named(tried: Tried) -> list[tuple[str, str, str]]:
    return [(change.release, change.area, change.plugin) for change in tried.changes]


@pytest.mark.parametrize("driver", ["instant", "timed"])
def test_the_plugin_whose_exchange_alone_changes_the_node_is_found(driver: str) -> None:
    [tried] = trials(unbalanced(), "1.35", "1.36", driver=driver)["web-1"]
    assert (tried.came.node, tried.other.node) == ("node-2", "node-1")
    assert named(tried) == [("1.36", "scores", BALANCED)]
    [back] = trials(unbalanced(), "1.36", "1.35", driver=driver)["web-1"]
    assert (back.came.node, back.other.node) == ("node-1", "node-2")
    assert named(back) == [("1.36", "scores", BALANCED)]


@pytest.mark.parametrize(("store", "by_lot"), [("3Gi", False), ("4Gi", True)])
def test_a_node_that_would_do_as_well_is_told(store: str, by_lot: bool) -> None:
    for one, other in (("1.35", "1.36"), ("1.36", "1.35")):
        [tried] = trials(unbalanced(store), one, other)["web-1"]
        assert (tried.differs, tried.by_lot) == (True, by_lot)


def test_of_a_plugin_that_changed_several_times_the_step_that_matters_is_found() -> None:
    [tried] = trials(unbalanced(), "1.28", "1.37")["web-1"]
    assert named(tried) == [("1.36", "scores", BALANCED)]


def test_who_moves_in_consequence_is_decided_alike_on_the_same_cluster() -> None:
    """The second pod fits on node-1 alone, as long as the first one is not there."""
    objects = [*unbalanced(), pod("web-2", containers=asking("3600m"))]
    found = trials(objects, "1.35", "1.36")
    assert found["web-1"][-1].differs
    assert (found["web-2"][-1].came.node, found["web-2"][-1].differs) == ("node-1", False)
    waits = trials(objects, "1.36", "1.35")["web-2"][-1]
    assert (waits.came.outcome, waits.differs) == ("unschedulable", False)


def test_a_field_that_an_api_server_drops_is_a_difference_like_others() -> None:
    """The pod as a whole asks for more than the first node has."""
    whole = pod("web-1", containers=asking("1"), spec={"resources": {"requests": {"cpu": "6"}}})
    objects = [
        node("node-1"),
        node("node-2", cpu="8"),
        pod("taken", on="node-2", containers=asking("1")),
        whole,
    ]
    [tried] = trials(objects, "1.33", "1.34")["web-1"]
    assert (tried.came.node, tried.other.node) == ("node-1", "node-2")
    assert named(tried) == [("1.34", "pods", "")]
    [back] = trials(objects, "1.34", "1.33")["web-1"]
    assert (back.came.node, back.other.node) == ("node-2", "node-1")


def test_who_waits_by_another_verdict_is_told_with_the_node_that_was_found() -> None:
    whole = pod("web-1", containers=asking("1"), spec={"resources": {"requests": {"cpu": "6"}}})
    [tried] = trials([node("node-1"), whole], "1.33", "1.34")["web-1"]
    assert (tried.came, tried.other) == (("scheduled", "node-1"), ("unschedulable", ""))
    assert named(tried) == [("1.34", "pods", "")]


def test_what_sidecars_weigh_in_scores_is_tried_on_a_cluster_built_anew() -> None:
    """A sidecar counts in full since 1.32: before, it is no more than the container is."""
    sidecar = asking("2", restartPolicy="Always")
    objects = [
        node("node-1", cpu="8"),
        node("node-2", cpu="8"),
        pod("with", on="node-1", containers=asking("2"), spec={"initContainers": sidecar}),
        pod("without", on="node-2", containers=asking("3")),
        pod("web-1", containers=asking("100m")),
    ]
    weighing = {"type": "LeastAllocated", "resources": [{"name": "cpu", "weight": 1}]}
    settings = {"name": FIT, "args": {"scoringStrategy": weighing}}
    config = {"profiles": [{"pluginConfig": [settings]}]}
    [tried] = trials(objects, "1.31", "1.32", config=config)["web-1"]
    assert (tried.came.node, tried.other.node) == ("node-1", "node-2")
    assert named(tried) == [("1.32", "scores", FIT)]


def test_a_pod_that_evicts_others_is_tried_at_each_of_its_attempts() -> None:
    """Until 1.33 a preemption tries nodes too that are smaller than the request: it comes to the same."""
    objects = [
        node("node-1"),
        pod("low", on="node-1", containers=asking("4")),
        pod("high", containers=asking("4"), spec={"priority": 10}),
    ]
    outcomes = [tried.came for tried in trials(objects, "1.33", "1.34")["high"]]
    assert outcomes == [("nominated", "node-1"), ("scheduled", "node-1")]


def test_a_cluster_that_may_not_be_built_anew_is_told() -> None:
    whole = pod("web-1", containers=asking("1"), spec={"resources": {"requests": {"cpu": "6"}}})
    run_input = RunInput(objects=[node("node-1"), whole], profile="kube-1.33")
    with pytest.raises(NotTried, match="too large"):
        Simulation(run_input).trials_under(run_input, "1.34", builds=False)


def test_other_schedulers_and_extenders_are_not_tried() -> None:
    objects = [node("node-1")]
    extenders = {"extenders": [{"urlPrefix": "http://localhost:1", "filterVerb": "filter"}]}
    for given in (
        {"profile": "kube-1.36", "config": extenders},
        {"profile": "kube-1.36", "beside": [Companion(scheduler="volcano")]},
        {"profile": "kube-1.13"},
    ):
        run_input = RunInput(objects=objects, **given)
        with pytest.raises(NotTried):
            Simulation(run_input).trials_under(run_input, "1.35")


def parts_of(release: Release) -> tuple[Any, ...]:
    return (
        dict(release.registry.by_name),
        release.profile,
        release.accounting,
        release.gates,
        release.drops,
    )


@pytest.mark.parametrize(("one", "other"), [*pairwise(MINORS), ("1.28", "1.37")])
def test_the_parts_together_are_the_other_release(one: str, other: str) -> None:
    for here, there in ((one, other), (other, one)):
        target, own = FRAMEWORK_RELEASES[there], FRAMEWORK_RELEASES[here]
        changed = {
            name
            for steps in exchanges(here, there)
            for name in (steps[-1].release.registry.by_name.keys() | own.registry.by_name.keys())
            if steps[-1].release.registry.by_name.get(name) != own.registry.by_name.get(name)
        }
        names = target.registry.by_name.keys() | own.registry.by_name.keys()
        different = {n for n in names if target.registry.by_name.get(n) != own.registry.by_name.get(n)}
        assert changed == different
        for field in ("profile", "accounting", "gates", "drops"):
            given = [getattr(steps[-1].release, field) for steps in exchanges(here, there)]
            assert getattr(target, field) in [*given, getattr(own, field)]


def test_every_difference_of_decisions_is_a_step_of_a_part() -> None:
    named_by_steps = {
        (change.release, change.area, change.plugin)
        for steps in exchanges("1.28", "1.37")
        for step in steps
        for change in step.changes
    }
    told = {
        (newer.minor, change.area, change.plugin)
        for older, newer in zip(
            list(reversed(FRAMEWORK_RELEASES.values())),
            list(reversed(FRAMEWORK_RELEASES.values()))[1:],
            strict=False,
        )
        for change in older.differences
        if change.area in ("scores", "filters", "preemption", "pods")
    }
    assert named_by_steps == told
