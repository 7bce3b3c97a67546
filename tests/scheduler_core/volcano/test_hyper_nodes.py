"""Hyper nodes: the tree that their members make, and what a job finds in it."""

import pytest

from scheduler_core.events.sessions import HyperNodeSearch
from scheduler_core.objects import types
from scheduler_core.objects.types import Node
from scheduler_core.volcano.imports.kind_faults import kind_faults
from scheduler_core.volcano.model.custom_resources import HyperNode
from scheduler_core.volcano.model.hyper_nodes import TOP, Fabric, HyperNodes
from scheduler_core.volcano.model.nodes import Nodes
from scheduler_core.world import RunInput, Simulation
from tests.scheduler_core.clusters import node
from tests.scheduler_core.volcano.test_why import causes, group, worker, workers

FABRIC = "network-topology-aware"
CONFIG = {
    "actions": "enqueue, allocate, backfill",
    "tiers": [
        {"plugins": [{"name": name} for name in ("priority", "gang")]},
        {"plugins": [{"name": name} for name in ("predicates", "proportion", "nodeorder", FABRIC)]},
    ],
}


def hyper_node(name, tier, *members, **spec):
    """Members that are called `s…` are hyper nodes, others are nodes or selectors of them."""
    named = [
        {
            "type": "HyperNode" if isinstance(one, str) and one.startswith("s") else "Node",
            "selector": {"exactMatch": {"name": one}} if isinstance(one, str) else one,
        }
        for one in members
    ]
    return {
        "apiVersion": "topology.volcano.sh/v1alpha1",
        "kind": "HyperNode",
        "metadata": {"name": name},
        "spec": {"tier": tier, "members": named, **spec},
    }


def tree_of(*documents, names="abcd"):
    sources = [types.convert(node(name, labels={"rack": f"r{name}"}), Node) for name in names]
    fabric = Fabric([types.convert(one, HyperNode) for one in documents], sources)
    return HyperNodes(fabric, Nodes(sources, [], {}))


def nodes_in(tree, name, names="abcd"):
    return "".join(names[row] for row in tree.by_name[name].rows)


def test_a_hyper_node_has_the_nodes_of_all_below_it_in_whichever_order_they_come():
    leaves = hyper_node("s0", 1, "a", "b"), hyper_node("s1", 1, "c", "gone")
    for documents in ((*leaves, hyper_node("s2", 2, "s0", "s1")), (hyper_node("s2", 2, "s0", "s1"), *leaves)):
        tree = tree_of(*documents)
        assert [nodes_in(tree, name) for name in ("s0", "s1", "s2", TOP)] == ["ab", "c", "abc", "abcd"]
        assert tree.ancestors("s1") == ["s1", "s2", TOP]
        assert (tree.tiers, tree.lowest) == ([1, 2, 3], ["s0", "s0", "s1", ""])


def test_nodes_are_members_by_pattern_and_by_label():
    labels = {"labelMatch": {"matchExpressions": [{"key": "rack", "operator": "In", "values": ["ra", "rd"]}]}}
    tree = tree_of(
        hyper_node("s0", 1, {"regexMatch": {"pattern": "^[bc]$"}}),
        hyper_node("s1", 1, labels),
        hyper_node("s2", 1, {"labelMatch": {}}, {"regexMatch": {"pattern": "("}}),
    )
    assert [nodes_in(tree, name) for name in ("s0", "s1", "s2")] == ["bc", "ad", ""]


@pytest.mark.parametrize(
    ("member", "tier", "field"),
    [
        ({"regexMatch": {"pattern": "(?=a)"}}, 1, "spec.members[0].selector.regexMatch.pattern"),
        ("a", 1_001, "spec.tier"),
    ],
)
def test_what_is_not_played_of_a_hyper_node_is_a_fault_of_its_field(member, tier, field):
    [problem] = kind_faults([hyper_node("s0", tier, member)])
    assert (problem.object, problem.field) == ("HyperNode.topology.volcano.sh s0", field)


def test_what_holds_nodes_together_is_the_lowest_above_all_of_them():
    tree = tree_of(hyper_node("s0", 1, "a", "b"), hyper_node("s1", 1, "c"), hyper_node("s2", 2, "s0", "s1"))
    assert [tree.around(rows) for rows in ([0, 1], [1, 2], [2, 3], [])] == ["s0", "s2", TOP, ""]
    assert [tree.common(*pair) for pair in (("s0", "s1"), ("s0", "s2"), ("", "s1"))] == ["s2", "s2", "s1"]


@pytest.mark.parametrize(
    "documents",
    [
        [hyper_node("s0", 1, "a"), hyper_node("s1", 2, "s0"), hyper_node("s2", 2, "s0")],
        [hyper_node("s0", 2, "s1"), hyper_node("s1", 1, "s0")],
    ],
    ids=["below two", "above itself"],
)
def test_a_contradiction_keeps_jobs_with_a_topology_from_being_tried(documents):
    assert not tree_of(*documents).ready
    near = {"networkTopology": {"mode": "hard", "highestTierAllowed": 1}}
    objects = [
        node("a", cpu="4"), *documents,
        group("near", 1, **near), worker("near-0", "near", cpu="1"),
        group("any", 1), worker("any-0", "any", cpu="1"),
    ]  # fmt: skip
    simulation = Simulation(RunInput(objects=objects, profile="volcano-1.16", config=CONFIG))
    for _ in simulation:
        pass
    assert {one.name: one.node for one in simulation.state().pods()} == {"near-0": "", "any-0": "a"}


RACKS = [
    *(node(name, cpu="4") for name in "abcd"),
    hyper_node("s0", 1, "a", "b"), hyper_node("s1", 1, "c", "d"), hyper_node("s2", 2, "s0", "s1"),
]  # fmt: skip


def within(tier):
    return {"networkTopology": {"mode": "hard", "highestTierAllowed": tier}}


def test_a_pod_whose_job_is_too_large_for_a_rack_is_told_so_though_nodes_are_free():
    cause = causes([*RACKS, group("big", 3, **within(1)), *workers("big", 3, cpu="2500m")], CONFIG)["big-0"]
    assert (cause.kind, cause.plugin, cause.held) == ("gang", FABRIC, [])
    assert cause.reason == "its pods stay within one hyper node of tier 1 at most, and s0 takes 2 of them"
    assert (cause.gang.needed, cause.gang.placed, cause.gang.missing) == (3, 2, "big-2")
    assert cause.message == "In hyperNode s1: 0/2 nodes are unavailable: 2 Insufficient cpu."


def test_a_job_for_which_no_hyper_node_comes_into_question_is_told_so():
    for asked, what in (
        ({"minResources": {"cpu": "9"}}, "what its job needs at least"),
        ({}, "all its pods"),
    ):
        asks = group("big", 3, **asked, **within(1))
        cause = causes([*RACKS, asks, *workers("big", 3, cpu="3")], CONFIG)["big-1"]
        assert (cause.kind, cause.plugin, cause.gang.placed) == ("gang", FABRIC, 0)
        assert cause.reason == f"no hyper node of tier 1 at most has room for {what}"


def test_the_log_tells_where_a_job_was_tried_and_where_it_is_and_folds():
    objects = [*RACKS, group("wide", 3, **within(2)), *workers("wide", 3, cpu="2500m")]
    simulation = Simulation(RunInput(objects=objects, profile="volcano-1.16", config=CONFIG))
    searches = [decision for decision in simulation if isinstance(decision, HyperNodeSearch)]
    assert [(one.outcome, one.hyper_node) for one in searches] == [("nowhere", ""), ("chosen", "s2")]
    assert [(one.hyper_node, one.outcome, one.placed) for one in searches[0].tries] == [
        ("s0", "short", 2), ("s1", "short", 2),
    ]  # fmt: skip
    tables = simulation.state().tables
    assert tables["hyper_nodes"]["s2"]["nodes"] == ["a", "b", "c", "d"]
    assert tables["whereabouts"]["default/wide"]["hyper_node"] == "s2"


def test_a_job_that_was_bound_is_somewhere():
    asks = {"highestTierAllowed": 2, "mode": "hard"}
    objects = [*RACKS, group("wide", 2, networkTopology=asks), *workers("wide", 2, cpu="3")]
    full = [group("full", 1, phase="Running"), worker("full-0", "full", cpu="4", on="a")]
    full.append(worker("full-1", "full", cpu="4", on="c"))
    given = RunInput(objects=[*objects, *full], profile="volcano-1.16", config=CONFIG)
    simulation = Simulation(given)
    for _ in simulation:
        pass
    assert sorted(one.node for one in simulation.state().pods() if one.name.startswith("wide")) == ["b", "d"]
    assert simulation.state().tables["whereabouts"]["default/wide"]["hyper_node"] == "s2"


def test_pods_that_leave_a_node_may_go_only_where_their_job_may():
    """Those on a fit on c and d, but their job is in s0."""
    amounts = {"near-0": ("a", "1"), "near-1": ("a", "500m"), "near-2": ("b", "4")}
    running = [
        group("near", 3, phase="Running", **within(1)),
        *(worker(name, "near", cpu=cpu, on=on) for name, (on, cpu) in amounts.items()),
        group("others", 1, phase="Running"),
        worker("others-0", "others", cpu="3500m", on="c"),
        worker("others-1", "others", cpu="3", on="d"),
    ]
    objects = [*RACKS, *running]
    assert Simulation(RunInput(objects=objects, profile="volcano-1.16")).emptied() == (1, 4, 4)
    assert Simulation(RunInput(objects=objects, profile="volcano-1.16", config=CONFIG)).emptied() == (0, 4, 4)
