"""Nodes that could be emptied: what counts, what keeps a node, and that the run is left as it was."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.kube.equivalence.cache import Keeping
from scheduler_core.world import RunInput, Simulation
from scheduler_core.world.reporting import emptying
from tests.portions import tries
from tests.scheduler_core.clusters import budget, clusters, node, pod

Object = dict[str, Any]


def emptied(*objects: Object, **fields: Any) -> tuple[int, int, int] | None:
    """What could be emptied at the end of a run of these objects."""
    simulation = Simulation(RunInput(objects=list(objects), **fields))
    for _ in simulation:
        pass
    before = simulation.checkpoint()
    found = simulation.emptied()
    assert simulation.checkpoint() == before
    return found


def of_kind(item: Object, kind: str, **annotations: str) -> Object:
    """The pod as one of another controller's kind."""
    item["metadata"]["ownerReferences"] = [
        {"apiVersion": "apps/v1", "kind": kind, "name": "owner", "uid": "owner", "controller": True}
    ]
    item["metadata"]["annotations"] = annotations
    return item


def test_a_node_counts_whose_pods_all_fit_elsewhere_and_one_that_has_none() -> None:
    # b takes a's pod; then c has no other place, and d is empty.
    objects = [node("a"), node("b"), node("c"), node("d", cpu="1")]
    assert emptied(*objects, pod("one", "2", "a"), pod("two", "2", "b"), pod("full", "4", "c")) == (2, 4, 4)


def test_pods_that_came_from_another_node_have_to_go_as_well() -> None:
    objects = [node("a"), node("b"), node("c", cpu="6"), pod("full", "4", "c"), pod("one", "1", "a")]
    assert emptied(*objects, pod("two", "2", "b")) == (1, 3, 3)  # b takes a's pod; c has no room for both


def test_what_was_emptied_takes_nobody_in() -> None:
    assert emptied(node("a"), node("b"), pod("one", "1", "a"), pod("two", "1", "b")) == (1, 2, 2)


def test_a_pod_that_asks_for_nothing_goes_to_no_emptied_node_either() -> None:
    assert emptied(node("a"), node("b"), pod("one", "0", "a"), pod("two", "0", "b")) == (1, 2, 2)


def test_nobody_is_evicted_for_it() -> None:
    objects = [node("a", cpu="2"), node("b", cpu="2"), pod("low", "2", "b")]
    assert emptied(*objects, pod("high", "1", "a", priority=9)) == (0, 2, 2)


def test_daemons_and_static_pods_go_with_their_node_unless_it_is_a_control_plane() -> None:
    """The rules of a consolidation: what a drain leaves alone keeps no node."""
    nodes = [node("a"), node("b"), pod("full", "4", "b")]
    static = of_kind(pod("static", "1", "a"), "Node", **{"kubernetes.io/config.mirror": "x"})
    alone = of_kind(pod("agent", "1", "a"), "DaemonSet"), static
    assert emptied(*nodes, *alone) == (1, 2, 2)
    role = {"node-role.kubernetes.io/control-plane": ""}
    assert emptied(node("a", labels=role), *nodes[1:], *alone) == (0, 2, 2)


def test_a_budget_that_lets_nobody_go_keeps_a_node() -> None:
    objects = [node("a"), node("b", "5"), pod("full", "4", "b"), pod("one", "1", "a", labels={"app": "kept"})]
    assert emptied(*objects, budget("guard", "kept", 1)) == (1, 2, 2)
    assert emptied(*objects, budget("guard", "kept", 0)) == (0, 2, 2)
    two = [budget("guard", "kept", 1), budget("other", "kept", 1)]
    assert emptied(*objects, *two) == (0, 2, 2)


def test_filters_are_asked_and_not_only_amounts() -> None:
    pinned = pod("pinned", "1", "a", nodeSelector={"disk": "fast"})
    slow, fast = node("b", "5"), node("b", "5", labels={"disk": "fast"})
    full = pod("full", "4", "b")
    assert emptied(node("a", labels={"disk": "fast"}), slow, full, pinned) == (0, 2, 2)
    assert emptied(node("a", labels={"disk": "fast"}), fast, full, pinned) == (1, 2, 2)


def test_pods_of_a_scheduler_that_takes_no_part_keep_a_node() -> None:
    foreign = pod("foreign", "1", "a", schedulerName="somebody")
    assert emptied(node("a"), node("b", "5"), pod("full", "4", "b"), foreign) == (0, 2, 2)


def group(name: str, members: int = 1) -> Object:
    """A pod group of the queue `default` that runs."""
    return {
        "apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "PodGroup",
        "metadata": {"name": name, "namespace": "default", "uid": f"group-{name}"},
        "spec": {"minMember": members, "queue": "default"}, "status": {"phase": "Running"},
    }  # fmt: skip


def task(name: str, cpu: str, on: str, of: str = "job") -> Object:
    """A pod of a pod group on a node, or waiting."""
    made = pod(name, cpu, on, schedulerName="volcano")
    made["metadata"]["annotations"] = {"scheduling.k8s.io/group-name": of}
    return made


@pytest.mark.parametrize("driver", ["instant", "timed"])
def test_volcano_is_asked_by_a_session_with_the_pods_pending(driver: str) -> None:
    queue = {
        "apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "Queue",
        "metadata": {"name": "default", "uid": "q"}, "spec": {"weight": 1, "reclaimable": True},
    }  # fmt: skip
    given_input: dict[str, Any] = {"profile": "volcano-1.16", "driver": driver}
    both = [group("job", 2), task("one", "1", "a"), task("two", "2", "b")]
    assert emptied(queue, *both, node("a"), node("b"), **given_input) == (1, 2, 2)
    full = [task("one", "3", "a"), task("two", "2", "b")]
    assert emptied(queue, group("job", 2), *full, node("a"), node("b"), **given_input) == (0, 2, 2)
    short = [group("job", 3), *both[1:]]  # sessions look at no job with fewer pods than it needs
    assert emptied(queue, *short, node("a"), node("b"), **given_input) == (0, 2, 2)


def test_outside_extenders_are_not_asked() -> None:
    extender = {"urlPrefix": "http://127.0.0.1:1", "filterVerb": "filter", "ignorable": True}
    config = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "extenders": [extender],
    }
    assert emptied(node("a"), config=config) is None


def test_the_search_ends_after_so_many_pods_and_tells_of_how_many_nodes(monkeypatch: Any) -> None:
    monkeypatch.setattr(emptying.emptied_nodes, "__defaults__", (8,))
    objects = [node(name) for name in "abcd"]
    pods = [pod(f"p{name}", "1", name) for name in "abcd"]
    assert emptied(*objects, *pods) == (1, 1, 4)  # the second one has two pods by then


@pytest.mark.parametrize("driver", ["instant", "timed"])
@pytest.mark.parametrize("profile", ["kube-1.36", "kube-1.11"])
@given(objects=clusters(), steps=st.integers(0, 12))
@settings(max_examples=tries(25), deadline=None)
def test_the_run_is_left_as_it_was(driver: str, profile: str, objects: list[Object], steps: int) -> None:
    drives = driver if profile != "kube-1.11" else None
    given_input = RunInput(objects=objects, profile=profile, driver=drives)
    simulation, other = Simulation(given_input), Simulation(given_input)
    for _ in range(steps):
        simulation.step()
        other.step()
    before = simulation.checkpoint()
    found = simulation.emptied()
    assert found is not None
    assert found.nodes <= found.tried <= found.of
    assert simulation.checkpoint() == before
    assert found == simulation.emptied()
    assert list(simulation) == list(other)


@given(objects=clusters())
@settings(max_examples=tries(40), deadline=None)
def test_kept_answers_empty_the_same_nodes_as_plugins_that_are_asked_each_time(objects: list[Object]) -> None:
    kept, asked = (Simulation(RunInput(objects=objects), keeping=Keeping(since=since)) for since in (1, 0))
    for simulation in (kept, asked):
        for _ in simulation:
            pass
    assert kept.emptied() == asked.emptied()
