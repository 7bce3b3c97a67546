"""Attempts that end with a plugin's error: what the log and the explanation say of them."""

import pytest

from scheduler_core.events.explanation import Chosen
from scheduler_core.world import RunInput, Simulation
from tests.scheduler_core.clusters import node, pod

UNREADABLE = {"matchExpressions": [{"key": "gen", "operator": "Gt", "values": ["many"]}]}
PREFERRING = {
    "affinity": {
        "nodeAffinity": {
            "preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 1, "preference": UNREADABLE}]
        }
    }
}


def run(*nodes, config=None, **spec):
    return Simulation(RunInput(objects=[*nodes, pod("p", **spec)], config=config))


def without(plugin, *points):
    off = {point: {"disabled": [{"name": plugin}]} for point in points}
    return {"profiles": [{"schedulerName": "default-scheduler", "plugins": off}]}


@pytest.mark.parametrize(
    ("plugin", "error"),
    [
        ("NodePorts", 'reading "PreFilterNodePorts" from cycleState: not found'),
        ("VolumeBinding", "not found"),
        ("DynamicResources", "not found"),
    ],
)
def test_a_filter_that_misses_its_preparation_is_told_of_each_node(plugin, error):
    simulation = run(node("n"), config=without(plugin, "preFilter"))
    told = f'running "{plugin}" filter plugin: {error}'
    explained = simulation.explain()
    assert explained.decision.message == told
    (filtered,) = [row for row in explained.node("n").filters if row.plugin == plugin]
    assert (filtered.code, filtered.reasons, filtered.numbers) == ("Error", [told], [])
    assert [row.node for row in explained.nodes(chosen=Chosen(plugin=plugin))] == ["n"]


def test_an_attempt_that_cannot_be_scored_keeps_its_feasible_nodes_and_chooses_none():
    simulation = run(node("a"), node("b"), **PREFERRING)
    explained = simulation.explain()
    assert [row.status for row in explained.nodes()] == [None, None]
    assert explained.node("a").scores == []
    decision = explained.decision
    assert (decision.outcome, decision.feasible, decision.best, decision.chosen) == ("error", 2, [], None)
    assert decision.message.startswith('running PreScore plugin "NodeAffinity": [0].matchExpressions[0]')


def test_a_placement_that_cannot_be_reserved_is_an_error_after_the_scores():
    simulation = run(node("a"), node("b"), config=without("VolumeBinding", "preFilter", "filter"))
    explained = simulation.explain()
    assert explained.node("a").total > 0
    decision = explained.decision
    assert (decision.outcome, decision.best, decision.chosen) == ("error", ["a", "b"], None)
    assert decision.message == 'running Reserve plugin "VolumeBinding": not found'


def test_a_score_out_of_range_is_an_error():
    huge = run(node("a"), node("b"), cpu="18446744073709551")
    decision = huge.step()
    assert decision.outcome == "error"
    assert "returns an invalid score" in decision.message
