"""The Alibaba trace: its tables are read whole, and each card is offered once."""

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from samples.openb.conversion import NODES_FILE, PODS_FILE, convert, read_table, shared_part
from scheduler_core.objects.reading.object_lists import check_objects
from scheduler_core.world import RunInput, Simulation


def node_row(name: str = "n", gpu: str = "0", model: str = "") -> dict[str, str]:
    return {"sn": name, "cpu_milli": "32000", "memory_mib": "262144", "gpu": gpu, "model": model}


def pod_row(name: str = "p", **changed: str) -> dict[str, str]:
    row = {
        "name": name, "cpu_milli": "500", "memory_mib": "64", "num_gpu": "0", "gpu_milli": "0",
        "gpu_spec": "", "qos": "LS", "pod_phase": "Failed",
        "creation_time": "60", "deletion_time": "70", "scheduled_time": "61",
    }  # fmt: skip
    return {**row, **changed}


def only(kind: str, nodes: list[dict[str, str]], pods: list[dict[str, str]]) -> list[dict[str, Any]]:
    return [document for document in convert(nodes, pods)["items"] if document["kind"] == kind]


def requests(pod: dict[str, Any]) -> dict[str, str]:
    found: dict[str, str] = pod["spec"]["containers"][0]["resources"]["requests"]
    return found


@pytest.fixture(scope="module")
def objects() -> list[dict[str, Any]]:
    return convert(read_table(NODES_FILE), read_table(PODS_FILE))["items"]


def test_all_nodes_and_pods_are_there_and_nothing_is_wrong_with_them(objects: list[dict[str, Any]]) -> None:
    assert Counter(document["kind"] for document in objects) == {"Namespace": 1, "Node": 1523, "Pod": 8152}
    assert check_objects(objects) == []


def test_every_card_is_offered_exactly_once(objects: list[dict[str, Any]]) -> None:
    cards = Fraction(0)
    for document in objects:
        if document["kind"] == "Node":
            offered = document["status"]["allocatable"]
            assert not {"nvidia.com/gpu", "openb/gpu-milli"} <= set(offered)
            cards += int(offered.get("nvidia.com/gpu", 0)) + Fraction(
                int(offered.get("openb/gpu-milli", 0)), 1000
            )
    assert cards == 6212


def test_nodes_are_dealt_out_as_the_tasks_ask() -> None:
    pods = [pod_row(num_gpu="3", gpu_milli="1000"), pod_row(num_gpu="1", gpu_milli="500")] * 2
    assert shared_part(pods) == Fraction(1, 7)
    nodes = only("Node", [node_row(f"n{i}", "8", "G2") for i in range(14)], pods)
    assert [document["metadata"]["labels"]["pool"] for document in nodes] == (
        ["g2-whole"] * 6 + ["g2-shared"]
    ) * 2


def test_a_task_of_whole_cards_asks_for_cards() -> None:
    [pod] = only("Pod", [], [pod_row(num_gpu="2", gpu_milli="1000")])
    assert requests(pod) == {"cpu": "500m", "memory": "64Mi", "nvidia.com/gpu": "2"}


def test_a_task_that_shares_a_card_asks_for_thousandths() -> None:
    [pod] = only("Pod", [], [pod_row(num_gpu="1", gpu_milli="460")])
    assert requests(pod) == {"cpu": "500m", "memory": "64Mi", "openb/gpu-milli": "460"}


def test_acceptable_models_become_a_required_affinity() -> None:
    [pod] = only("Pod", [], [pod_row(num_gpu="1", gpu_milli="1000", gpu_spec="V100M16|V100M32")])
    required = pod["spec"]["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
    assert required["nodeSelectorTerms"] == [
        {"matchExpressions": [{"key": "openb/gpu-model", "operator": "In", "values": ["V100M16", "V100M32"]}]}
    ]


def test_a_typed_task_goes_to_a_node_of_its_model() -> None:
    nodes = [node_row("a", "8", "G2"), node_row("b", "8", "V100M32")]
    pods = [pod_row(num_gpu="1", gpu_milli="1000", gpu_spec="V100M16|V100M32")]
    [decision] = Simulation(RunInput(objects=convert(nodes, pods)["items"]))
    assert decision.chosen == "b"


def test_every_task_is_pending_whatever_became_of_it() -> None:
    [pod] = only("Pod", [], [pod_row(pod_phase="Succeeded")])
    assert pod["status"] == {"phase": "Pending"}
    assert "nodeName" not in pod["spec"]


def test_the_age_is_the_trace_s() -> None:
    [pod] = only("Pod", [], [pod_row(creation_time="12901761")])
    assert pod["metadata"]["creationTimestamp"] == "2023-05-30T07:49:21Z"


def test_the_same_tables_give_the_same_objects() -> None:
    tables = read_table(NODES_FILE), read_table(PODS_FILE)[:50]
    assert convert(*tables) == convert(*tables)


def test_the_run_tries_every_task_once_and_evicts_nobody(objects: list[dict[str, Any]]) -> None:
    decisions = list(Simulation(RunInput(objects=objects)))
    assert Counter(decision.outcome for decision in decisions) == {"scheduled": 8011, "unschedulable": 141}
    assert [decision.pod.name for decision in decisions[:3]] == [
        "openb-pod-0000",
        "openb-pod-0001",
        "openb-pod-0002",
    ]
