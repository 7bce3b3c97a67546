"""A resource that no node offers is told where another name was meant, in edits and in imports."""

from typing import Any

import pytest

from scheduler_core.objects.imports.offered_resources import OfferedResources
from scheduler_core.objects.imports.references import gaps
from scheduler_core.world.edits import apply_edits
from tests.builders import Object, container, manifest, node, pod

GPU = "nvidia.com/gpu"


def offering(name: str, *resources: str) -> Object:
    made = node(name)
    made["status"]["allocatable"] |= dict.fromkeys(resources, "4")
    return made


def asking(*resources: str) -> dict[str, Any]:
    return {"containers": [container(limits=dict.fromkeys(resources, "1"))]}


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("nvidia.com/gpus", GPU),
        ("nvida.com/gpu", GPU),
        (GPU, None),
        ("nvidia.com/gpumem", None),  # HAMi's
        ("amd.com/gpu", None),
        ("nvidia.com/mig-2g.5gb", None),  # another size, not another spelling
        ("nvidia.com/mig-1g5gb", "nvidia.com/mig-1g.5gb"),
        ("example.com/card", None),  # a DeviceClass stands for it
        ("deviceclass.resource.kubernetes.io/cards", None),
        ("cpu", None),
    ],
)
def test_what_is_meant(asked: str, meant: str | None) -> None:
    cards = {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": "cards"}}
    cards["spec"] = {"extendedResourceName": "example.com/card"}
    nodes = [offering("one", GPU, "nvidia.com/mig-1g.5gb", "example.com/cards"), node("two")]
    assert OfferedResources.of([*nodes, cards]).meant_by(asked) == meant


def test_an_edit_says_once_that_no_node_offers_what_its_pods_ask_for() -> None:
    pods = {"op": "add", "manifest": manifest("train", **asking("nvidia.com/gpus", GPU)), "replicas": 2}
    single = {"op": "add", "manifest": manifest("one", **asking("nvidia.com/gpus"))}
    told = ["no node offers nvidia.com/gpus, which pods ask for; did you mean nvidia.com/gpu?"]
    results = apply_edits([offering("one", GPU)], [pods, single]).results
    assert [result.problems for result in results] == [told, told]


def test_nodes_that_edits_add_and_take_away_count() -> None:
    gpus = {"op": "add", "manifest": manifest("train", **asking("nvidia.com/gpus"))}
    new = {"op": "add", "manifest": offering("new", "nvidia.com/gpus")}
    gone = {"op": "delete", "kind": "Node", "name": "new"}
    again = {"op": "add", "manifest": manifest("again", **asking("nvidia.com/gpus"))}
    applied = apply_edits([offering("one", GPU)], [gpus, new, {**again}, gone, {**gpus, "replicas": 1}])
    assert [bool(result.problems) for result in applied.results] == [True, False, False, False, True]


def test_an_import_tells_which_pods_wait_for_what_no_node_offers() -> None:
    waiting = [pod("a", **asking("nvidia.com/gpus")), pod("b", **asking("nvidia.com/gpus"))]
    others = [pod("c", **asking(GPU)), pod("d", on="one", **asking("nvidia.com/gpus"))]
    [gap] = gaps([*waiting, *others, offering("one", GPU)])
    assert gap.phrase == (
        "2 pods pending for nvidia.com/gpus, which no node offers, while some offer nvidia.com/gpu"
    )
    assert gap.places == ["Pod default/a", "Pod default/b"]
