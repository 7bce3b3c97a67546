"""The trace for HAMi: nodes register single cards, tasks ask for slices of them or for whole ones.

In come the trace's two tables, out go the objects that `conversion` makes of them; only what concerns cards
is different. Every node with cards offers all of them, both for sharing and whole: HAMi sees single cards, so
that none is sold twice.

The trace tells a task's share in thousandths of a card, of whatever model it gets. So it becomes that share
of the card's cores and of its memory, in whole percent, rounded up.

Every pod names HAMi's kube-scheduler, those without cards too: one scheduler decides about the whole trace.
"""

import json
from collections.abc import Iterable, Iterator

from samples.openb.conversion import (
    MODEL_LABEL,
    POD_LIMIT,
    POOL_LABEL,
    Object,
    Row,
    convert,
    convert_empty,
    manifest,
)

SCHEDULER_NAME = "hami-scheduler"
CARDS, CORES = "nvidia.com/gpu", "nvidia.com/gpucores"
MEMORY_SHARE = "nvidia.com/gpumem-percentage"
USE_TYPES = "nvidia.com/use-gputype"
SLOTS = 20
"""How many tasks may share a card: as many as the trace's smallest share, 50 thousandths, allows."""
MEMORY_MIB = {
    "P100": 16_280,
    "T4": 15_109,
    "V100M16": 16_160,
    "A10": 22_731,
    "V100M32": 32_510,
    "G2": 20_000,
    "G3": 30_000,
}
"""A card's memory by model.

G2 and G3 are models that the trace doesn't name: 20,000 and 30,000 stand for theirs. Which number it is
matters little, as tasks ask for percents of a card, and all cards of a node are of one model.

Source: hkust-adsl/kubernetes-scheduler-simulator pkg/type/open-gpu-share/utils/const.go.
"""


def convert_for_hami(node_rows: Iterable[Row], pod_rows: Iterable[Row]) -> Object:
    """Return the List of the namespace, the nodes and the pods. Raises KeyError for an unknown model."""
    nodes, pods = list(node_rows), list(pod_rows)
    made = convert(nodes, pods)
    return {**made, "items": list(_with_single_cards(made["items"], nodes, pods))}


def convert_empty_for_hami(node_rows: Iterable[Row]) -> Object:
    """Return the List of the namespace and the nodes alone. Raises KeyError for an unknown model."""
    nodes = list(node_rows)
    made = convert_empty(nodes, [])
    return {**made, "items": list(_with_single_cards(made["items"], nodes, []))}


def manifest_for_hami(row: Row) -> Object:
    """Return a task as somebody would create it: without what an API server adds."""
    return _asking(manifest(row), row)


def _with_single_cards(items: Iterable[Object], nodes: list[Row], pods: list[Row]) -> Iterator[Object]:
    node_rows, pod_rows = iter(nodes), iter(pods)
    for item in items:
        if item["kind"] == "Node":
            yield _offering(item, next(node_rows))
        elif item["kind"] == "Pod":
            yield _asking(item, next(pod_rows))
        else:
            yield item


# -- nodes -------------------------------------------------------------------------------------------


def _offering(node: Object, row: Row) -> Object:
    """Return a node that registers its cards as the device plugin does, all on one NUMA node."""
    number, model = int(row["gpu"]), row["model"]
    if not number:
        return node
    cards = [_card(row["sn"], index, model) for index in range(number)]
    metadata = {
        **node["metadata"],
        "labels": {"kubernetes.io/hostname": row["sn"], POOL_LABEL: model.lower(), MODEL_LABEL: model},
        "annotations": {
            "hami.io/node-handshake": "Reported_2023-01-01 00:00:00",
            "hami.io/node-nvidia-register": json.dumps(cards),
        },
    }
    amounts = {
        "cpu": f"{row['cpu_milli']}m",
        "memory": f"{row['memory_mib']}Mi",
        "pods": POD_LIMIT,
        CARDS: str(number * SLOTS),
    }
    return {**node, "metadata": metadata, "status": {"capacity": amounts, "allocatable": amounts}}


def _card(node: str, index: int, model: str) -> Object:
    return {
        "id": f"{node}-gpu-{index}",
        "index": index,
        "count": SLOTS,
        "devmem": MEMORY_MIB[model],
        "devcore": 100,
        "type": f"NVIDIA-{model}",
        "numa": 0,
        "mode": "hami-core",
        "health": True,
    }


# -- pods --------------------------------------------------------------------------------------------


def _asking(pod: Object, row: Row) -> Object:
    """Return a pod that asks HAMi for its cards and for no others than its models."""
    [container] = pod["spec"]["containers"]
    spec = {name: part for name, part in pod["spec"].items() if name != "affinity"}
    asked = {**container, "resources": _resources(row)}
    models = [f"NVIDIA-{model}" for model in row["gpu_spec"].split("|") if model]
    metadata = pod["metadata"]
    if models:
        metadata = {**metadata, "annotations": {USE_TYPES: ",".join(models)}}
    return {
        **pod,
        "metadata": metadata,
        "spec": {**spec, "schedulerName": SCHEDULER_NAME, "containers": [asked]},
    }


def _resources(row: Row) -> Object:
    requests = {"cpu": f"{row['cpu_milli']}m", "memory": f"{row['memory_mib']}Mi"}
    number = int(row["num_gpu"])
    if not number:
        return {"requests": requests}
    percent = str(-(-int(row["gpu_milli"]) // 10))
    limits = {CARDS: str(number), MEMORY_SHARE: percent, CORES: percent}
    return {"requests": {**requests, **limits}, "limits": limits}
