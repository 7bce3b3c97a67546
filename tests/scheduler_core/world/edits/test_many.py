"""One edit of many nodes or pods: whom it means, in which order, and that it decides as several would."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.objects.problems import BadInput
from scheduler_core.world import RunInput, Simulation
from scheduler_core.world.edits import Applied, apply_edits
from tests.portions import tries
from tests.scheduler_core.clusters import budget, clusters, node, pod
from tests.scheduler_core.folding import assert_folds_both_ways

ZONE = "topology.kubernetes.io/zone"


def labelled(name: str, **labels: str) -> Any:
    made = node(name)
    made["metadata"]["labels"] = {**made["metadata"].get("labels", {}), **labels}
    return made


def four() -> list[Any]:
    return [
        labelled("web-2", pool="web", **{ZONE: "a"}),
        labelled("web-1", pool="web", **{ZONE: "b"}),
        labelled("gpu-1", pool="gpu", **{ZONE: "a"}),
        labelled("gpu-2", **{ZONE: "b"}),
    ]


def cordoned(applied: Applied) -> list[str]:
    return [
        one["metadata"]["name"]
        for one in applied.objects
        if one["kind"] == "Node" and one["spec"].get("unschedulable")
    ]


@pytest.mark.parametrize(
    ("way", "meant"),
    [
        ({"nodes": ["web-2", "gpu-1", "web-2"]}, ["web-2", "gpu-1"]),
        ({"selector": "pool=web"}, ["web-1", "web-2"]),
        ({"selector": "pool in (web, gpu),topology.kubernetes.io/zone!=b"}, ["gpu-1", "web-2"]),
        ({"selector": "!pool"}, ["gpu-2"]),
        ({"group": "pool=gpu"}, ["gpu-1"]),
        ({"group": "zone=b"}, ["gpu-2", "web-1"]),
        ({"group": "name=web-"}, ["web-1", "web-2"]),
    ],
)
def test_names_labels_and_groups_say_which_nodes_are_meant(way: Any, meant: list[str]) -> None:
    applied = apply_edits(four(), [{"op": "cordon", **way}])
    assert applied.results[0].nodes == meant
    assert sorted(cordoned(applied)) == sorted(meant)
    number = "1 node" if len(meant) == 1 else f"{len(meant)} nodes"
    assert applied.results[0].sentence == f"cordon {number}"
    assert applied.results[0].changes == [f"nodes: {', '.join(meant)}"]


@pytest.mark.parametrize(
    ("way", "field", "words"),
    [
        ({"nodes": ["web-1", "x", "y"]}, "nodes", "there is no Node x, y"),
        ({"nodes": []}, "nodes", "names nothing"),
        ({"selector": "pool=nope"}, "selector", "no node has the labels pool=nope"),
        ({"selector": "pool in web"}, "selector", "is no label selector"),
        ({"selector": " "}, "selector", "is empty"),
        ({"group": "rack=1"}, "group", "must be pool=…, zone=… or name=…"),
        ({"group": "zone=c"}, "group", "no node is of the group zone=c"),
        ({"node": "web-1", "selector": "pool=web"}, "selector", "can't be given beside node"),
        ({}, "node", "is required, or else nodes or selector or group"),
    ],
)
def test_what_means_no_node_is_refused_by_field(way: Any, field: str, words: str) -> None:
    with pytest.raises(BadInput) as refused:
        apply_edits(four(), [{"op": "cordon", **way}])
    [problem] = refused.value.problems
    assert (problem.field, words in problem.message) == (field, True), problem


def test_taints_and_labels_are_put_on_many_nodes_and_taken_away() -> None:
    edits = [
        {"op": "taint", "selector": "pool=web", "taints": ["team=x:NoSchedule", "slow:NoExecute"]},
        {"op": "taint", "nodes": ["web-1"], "taints": ["team=y:NoSchedule"]},
        {"op": "untaint", "group": "name=web-", "taints": ["slow"]},
        {"op": "label", "group": "name=web-", "labels": {"tier": "gold", "pool": None}},
    ]
    applied = apply_edits(four(), edits)
    found = {one["metadata"]["name"]: one for one in applied.objects}
    assert found["web-1"]["spec"]["taints"] == [{"key": "team", "value": "y", "effect": "NoSchedule"}]
    assert found["web-2"]["spec"]["taints"] == [{"key": "team", "value": "x", "effect": "NoSchedule"}]
    assert found["web-2"]["metadata"]["labels"]["tier"] == "gold"
    assert "pool" not in found["web-2"]["metadata"]["labels"]
    assert [result.sentence for result in applied.results] == [
        "taint 2 nodes with team=x:NoSchedule, slow:NoExecute",
        "taint 1 node with team=y:NoSchedule",
        "remove the taint slow from 2 nodes",
        "label 2 nodes: tier=gold, pool-",
    ]


def test_nodes_and_pods_go_by_names_and_by_labels() -> None:
    a = pod("a", on="web-1")
    edits = [
        {"op": "delete", "kind": "Node", "selector": "pool=gpu"},
        {"op": "delete", "kind": "Node", "names": ["web-2", "gpu-2"]},
        {"op": "evict", "pods": ["default/a"]},
    ]
    applied = apply_edits([*four(), a], edits)
    assert [one["metadata"]["name"] for one in applied.objects] == ["web-1", "a"]
    sentences = [result.sentence for result in applied.results]
    assert sentences == ["delete 1 Node", "delete 2 Nodes", "evict 1 pod"]
    assert [request.uid for request in applied.evictions] == [a["metadata"]["uid"]]


def play(objects: list[Any], *edits: Any, driver: str) -> tuple[Simulation, list[Any]]:
    simulation = Simulation(RunInput(objects=objects, driver=driver, edits=list(edits)))
    return simulation, list(simulation)


@settings(max_examples=tries(25))
@given(clusters(), st.permutations(["n0", "n1", "n2"]))
def test_without_a_clock_one_drain_of_many_decides_as_many_drains(
    objects: list[Any], names: list[str]
) -> None:
    names = [name for name in names if any(one["metadata"]["name"] == name for one in objects)]
    _, one = play(objects, {"op": "drain", "nodes": names}, driver="instant")
    _, many = play(objects, *({"op": "drain", "node": name} for name in names), driver="instant")
    assert msgspec.json.encode(one) == msgspec.json.encode(many)


def grace(item: Any, seconds: int) -> Any:
    item["spec"]["terminationGracePeriodSeconds"] = seconds
    return item


def asked(decisions: list[Any]) -> list[tuple[int, str]]:
    said = [one for one in decisions if getattr(one, "outcome", "") == "asked" and one.pod is None]
    return [(one.time, one.object) for one in said]


@pytest.mark.parametrize("at", [None, 5])
def test_with_a_clock_the_next_node_waits_until_the_one_before_is_empty(at: int | None) -> None:
    objects = [
        node("n"), node("m"), node("o"),
        grace(pod("a", on="n"), 30), grace(pod("b", on="n"), 40), grace(pod("c", on="m"), 10),
    ]  # fmt: skip
    drain = {"op": "drain", "nodes": ["n", "m", "o"], **({} if at is None else {"at": at})}
    simulation, decisions = play(objects, drain, driver="timed")
    begin = (at or 0) * 1000
    assert asked(decisions) == [(begin, "Node n"), (begin + 40_000, "Node m"), (begin + 50_000, "Node o")]
    evicted = {one.pod.name: one.time for one in decisions if one.outcome == "evicted"}
    assert evicted == {"a": begin, "b": begin, "c": begin + 40_000}
    assert all(one.edit == 0 for one in decisions if one.outcome == "asked")
    assert simulation.edit_results[0].nodes == ["n", "m", "o"]


@pytest.mark.parametrize(("timeout", "next_at"), [(12, 15_000), (10, 10_000)])
def test_a_budget_that_never_lets_go_holds_the_drain_up_until_the_nodes_timeout(
    timeout: int, next_at: int
) -> None:
    kept = pod("kept", on="n")
    objects = [node("n"), node("m"), kept, grace(pod("c", on="m"), 10), budget("kept", "kept", allowed=0)]
    drain = {"op": "drain", "nodes": ["n", "m"], "timeout": timeout}
    _, decisions = play(objects, drain, driver="timed")
    assert asked(decisions) == [(0, "Node n"), (next_at, "Node m")]
    _, endless = play(objects, {"op": "drain", "nodes": ["n", "m"]}, driver="timed")
    assert asked(endless) == [(0, "Node n")]


@settings(max_examples=tries(25))
@given(clusters(), st.sampled_from([None, 20]))
def test_the_log_of_a_drain_in_turn_folds_both_ways(objects: list[Any], timeout: int | None) -> None:
    names = [one["metadata"]["name"] for one in objects if one["kind"] == "Node"]
    drain = {"op": "drain", "nodes": names, "at": 1, **({} if timeout is None else {"timeout": timeout})}
    _, decisions = play(objects, drain, driver="timed")
    simulation = Simulation(RunInput(objects=objects, driver="timed", edits=[drain]))
    assert_folds_both_ways(simulation)
    _, repeated = play(objects, drain, driver="timed")
    assert msgspec.json.encode(repeated) == msgspec.json.encode(decisions)


def test_a_group_of_nodes_is_like_one_that_is_there_over_zones_in_turn() -> None:
    like = labelled("web-1", pool="web", **{ZONE: "a", "beta": "x"})
    like["spec"]["taints"] = [{"key": "old", "effect": "NoSchedule"}]
    edit = {"op": "add-nodes", "like": "web-1", "namePrefix": "new-", "count": 3, "zones": ["a", "b"]}
    changed = {**edit, "labels": {"pool": "next", "beta": None}, "taints": ["team=x:NoExecute"]}
    applied = apply_edits([like], [changed])
    made = applied.objects[1:]
    assert (
        [one["metadata"]["name"] for one in made] == applied.results[0].nodes == ["new-1", "new-2", "new-3"]
    )
    assert [one["metadata"]["labels"][ZONE] for one in made] == ["a", "b", "a"]
    assert {one["metadata"]["labels"]["pool"] for one in made} == {"next"}
    assert "beta" not in made[0]["metadata"]["labels"]
    assert made[0]["metadata"]["labels"]["kubernetes.io/hostname"] == "new-1"
    assert made[0]["spec"]["taints"] == [{"key": "team", "value": "x", "effect": "NoExecute"}]
    assert made[0]["status"]["allocatable"] == like["status"]["allocatable"]
    assert applied.results[0].sentence == "add 3 nodes like web-1 in 2 zones (new-1 … new-3)"


def test_a_group_of_nodes_of_a_given_size_takes_pods() -> None:
    edit = {
        "op": "add-nodes", "namePrefix": "big-", "count": 2, "allocatable": {"cpu": "16", "memory": "64Gi"},
    }  # fmt: skip
    _, decisions = play([node("n", cpu="1"), pod("large", cpu="12")], edit, driver="instant")
    assert [(one.pod.name, one.outcome, one.chosen) for one in decisions] == [("large", "scheduled", "big-1")]


@pytest.mark.parametrize(
    ("parts", "field", "words"),
    [
        ({}, "like", "is required, or else allocatable"),
        ({"like": "nope"}, "like", "no Node nope"),
        ({"allocatable": {"cpu": "lots"}}, "allocatable", "lots"),
        ({"like": "n", "taints": ["x"]}, "taints", "key=value:Effect"),
        ({"like": "n", "count": 0}, "count", "between"),
        ({"like": "n", "namePrefix": "No Such"}, "namePrefix", "no valid name"),
        ({"like": "n", "namePrefix": "n" * 63}, "namePrefix", "at most 62 characters: each name is also"),
    ],
)
def test_what_is_wrong_with_a_group_of_nodes_is_said_by_field(parts: Any, field: str, words: str) -> None:
    with pytest.raises(BadInput) as refused:
        apply_edits([node("n")], [{"op": "add-nodes", "namePrefix": "m-", "count": 2, **parts}])
    first = refused.value.problems[0]
    assert (first.field, words in first.message) == (field, True), first


def test_a_negative_size_of_a_group_of_nodes_is_refused_once() -> None:
    edit = {"op": "add-nodes", "namePrefix": "m-", "count": 1, "allocatable": {"cpu": "-1"}}
    with pytest.raises(BadInput) as refused:
        apply_edits([], [edit])
    assert [str(one) for one in refused.value.problems] == [
        "edits[0]: allocatable: must not be negative, but is -1"
    ]


@pytest.mark.parametrize("parts", [{"node": "x" * 100_000}, {"nodes": ["x" * 100_000]}])
def test_a_name_that_nothing_can_have_is_not_repeated_whole(parts: Any) -> None:
    with pytest.raises(BadInput) as refused:
        apply_edits([node("n")], [{"op": "cordon", **parts}])
    message = refused.value.problems[0].message
    assert message == f"there is no Node {'x' * 60}… (100,000 characters)"
