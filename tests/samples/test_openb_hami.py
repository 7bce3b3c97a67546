"""The Alibaba trace for HAMi: every card is registered once, every task asks for its share of a card."""

import json
from collections import Counter
from typing import Any

import pytest

from samples.openb.conversion import NODES_FILE, PODS_FILE, read_table
from samples.openb.hami import convert_empty_for_hami, convert_for_hami, manifest_for_hami
from samples.openb.sample import openb_hami_arrivals, openb_hami_empty_files, openb_seconds
from scheduler_core.objects.reading.object_lists import check_objects
from scheduler_core.world import RunInput, Simulation
from tests.samples.test_openb import node_row, pod_row

Object = dict[str, Any]


def cards_of(node: Object) -> list[Object]:
    cards: list[Object] = json.loads(
        node["metadata"].get("annotations", {}).get("hami.io/node-nvidia-register", "[]")
    )
    return cards


def resources(row: dict[str, str]) -> Object:
    found: Object = manifest_for_hami(row)["spec"]["containers"][0]["resources"]
    return found


def play(nodes: list[dict[str, str]], pods: list[dict[str, str]]) -> Simulation:
    return Simulation(RunInput(objects=convert_for_hami(nodes, pods)["items"], profile="hami-2.10"))


def test_all_nodes_and_pods_are_there_and_nothing_is_wrong_with_them() -> None:
    objects = convert_for_hami(read_table(NODES_FILE), read_table(PODS_FILE))["items"]
    assert Counter(item["kind"] for item in objects) == {"Namespace": 1, "Node": 1523, "Pod": 8152}
    assert check_objects(objects) == []
    cards = [card for item in objects if item["kind"] == "Node" for card in cards_of(item)]
    assert len(cards) == len({card["id"] for card in cards}) == 6212
    offered = {name for item in objects if item["kind"] == "Node" for name in item["status"]["allocatable"]}
    assert offered == {"cpu", "memory", "pods", "nvidia.com/gpu"}, "no card is offered a second time"


def test_a_node_registers_its_cards_with_the_memory_of_their_model() -> None:
    [node] = convert_empty_for_hami([node_row("a", "2", "T4")])["items"][1:]
    assert [(card["id"], card["devmem"], card["devcore"], card["type"]) for card in cards_of(node)] == [
        ("a-gpu-0", 15109, 100, "NVIDIA-T4"),
        ("a-gpu-1", 15109, 100, "NVIDIA-T4"),
    ]
    assert node["status"]["allocatable"]["nvidia.com/gpu"] == "40"
    assert node["metadata"]["labels"]["pool"] == "t4"


def test_a_node_without_cards_registers_none() -> None:
    [node] = convert_empty_for_hami([node_row("a")])["items"][1:]
    assert cards_of(node) == []
    assert "nvidia.com/gpu" not in node["status"]["allocatable"]


@pytest.mark.parametrize(
    ("number", "milli", "percent"), [("1", "460", "46"), ("1", "455", "46"), ("4", "1000", "100")]
)
def test_a_share_is_one_of_memory_and_of_cores(number: str, milli: str, percent: str) -> None:
    asked = resources(pod_row(num_gpu=number, gpu_milli=milli))
    assert asked["limits"] == {
        "nvidia.com/gpu": number,
        "nvidia.com/gpumem-percentage": percent,
        "nvidia.com/gpucores": percent,
    }
    assert asked["requests"] == {"cpu": "500m", "memory": "64Mi", **asked["limits"]}


def test_a_task_without_cards_names_the_same_scheduler() -> None:
    assert resources(pod_row()) == {"requests": {"cpu": "500m", "memory": "64Mi"}}
    assert manifest_for_hami(pod_row())["spec"]["schedulerName"] == "hami-scheduler"


def test_a_typed_task_gets_a_card_of_its_models() -> None:
    nodes = [node_row("a", "8", "G2"), node_row("b", "8", "V100M32")]
    [decision] = play(nodes, [pod_row(num_gpu="1", gpu_milli="1000", gpu_spec="V100M16|V100M32")])
    assert decision.chosen == "b"
    assert decision.exchanges[0].cards.reasons == {"CardTypeMismatch": 1}


def test_shares_of_several_cards_do_not_add_up() -> None:
    pods = [pod_row(f"p{milli}", num_gpu="1", gpu_milli=milli) for milli in ("600", "590", "700")]
    outcomes = [decision.outcome for decision in play([node_row("a", "2", "T4")], pods)]
    assert outcomes == ["scheduled", "scheduled", "unschedulable"]


def test_twenty_tasks_of_the_smallest_share_fit_a_card() -> None:
    pods = [pod_row(f"p{number}", num_gpu="1", gpu_milli="50") for number in range(21)]
    outcomes = Counter(decision.outcome for decision in play([node_row("a", "1", "A10")], pods))
    assert outcomes == {"scheduled": 20, "unschedulable": 1}


def test_in_time_a_task_takes_cards_when_it_comes_and_gives_them_back_when_it_goes() -> None:
    [(_, content)] = openb_hami_empty_files()
    edits = openb_hami_arrivals()
    assert len(edits) == 8152
    given = RunInput(
        objects=json.loads(content)["items"],
        profile="hami-2.10",
        edits=edits[:20],
        driver="timed",
        until=openb_seconds(),
    )
    simulation = Simulation(given)
    decisions = list(simulation)
    lasting = [edit["manifest"]["metadata"]["name"] for edit in edits[:20] if "duration" not in edit]
    asking = [edit for edit in edits[:20] if "nvidia.com/gpu" in str(edit["manifest"])]
    given_out = [one.exchanges[0].cards for one in decisions if one.outcome == "scheduled" and one.exchanges]
    assert len(given_out) == len(asking) > 10
    assert {
        row["pod"].partition("/")[2] for row in simulation.state().tables.get("holdings", {}).values()
    } == {name for name in lasting if name in str(asking)}
