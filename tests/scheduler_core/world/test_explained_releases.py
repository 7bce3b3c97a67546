"""Explanations under the releases that name all of a node's failures: its nodes by any of them."""

import pytest

from scheduler_core.events.explanation import Chosen
from scheduler_core.world import RunInput, Simulation
from tests.scheduler_core.clusters import node, pod


@pytest.fixture(params=["1.8", "1.9"])
def explained(request):
    """A pod that no node takes: `full` lacks cpu, `tainted` is tainted, `both` is either."""
    taint = [{"key": "dedicated", "value": "batch", "effect": "NoSchedule"}]
    nodes = [
        node("full", cpu="1"),
        node("tainted", cpu="9", taints=taint),
        node("both", cpu="1", taints=taint),
    ]
    objects = [*nodes, pod("huge", cpu="4")]
    return Simulation(RunInput(objects=objects, profile=f"kube-{request.param}")).explain()


def names(rows):
    return [row.node for row in rows]


def test_a_node_is_found_by_each_of_its_predicates(explained):
    assert names(explained.nodes(chosen=Chosen(plugin="GeneralPredicates"))) == ["both", "full"]
    assert names(explained.nodes(chosen=Chosen(plugin="PodToleratesNodeTaints"))) == ["both", "tainted"]
    assert explained.count(chosen=Chosen(plugin="PodToleratesNodeTaints")) == 2


def test_a_node_is_found_by_all_of_its_predicates_together(explained):
    together = explained.nodes(chosen=Chosen(plugin="GeneralPredicates, PodToleratesNodeTaints"))
    assert names(together) == ["both"]
    assert explained.count(chosen=Chosen(plugin="PodTolerates")) == 0


def test_a_node_is_found_by_each_of_its_reasons(explained):
    assert names(explained.nodes(chosen=Chosen(reason="Insufficient cpu"))) == ["both", "full"]
    assert names(
        explained.nodes(chosen=Chosen(reason="PodToleratesNodeTaints", plugin="GeneralPredicates"))
    ) == ["both"]
