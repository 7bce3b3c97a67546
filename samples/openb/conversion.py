"""Makes Kubernetes objects of the Alibaba GPU trace: a Node for each server, a pending Pod for each task.

In come the trace's two tables (nodes: sn, cpu_milli, memory_mib, gpu, model; pods: name, cpu_milli,
memory_mib, num_gpu, gpu_milli, gpu_spec, qos, pod_phase, creation_time, deletion_time, scheduled_time), out
goes a List. Units: milli-CPU, MiB, thousandths of a card, seconds since the trace began.

kube-scheduler counts an extended resource as one number for each node and sees no single cards. A task that
takes whole cards asks for `nvidia.com/gpu`, a task that shares one asks for `openb/gpu-milli`. If a node
offered all its cards as both, each card would be sold twice. So a node offers one of the two: of every model
and size the nodes are dealt out, in the order of the table, in the proportion in which the tasks ask for
whole and for shared cards. What stays wrong, and can't be right with kube-scheduler alone: thousandths of
several cards of a node add up, so that two tasks of 600 and one of 700 "fit" a node with two cards.

Left out, on purpose: pod_phase, deletion_time and scheduled_time (every task is pending and none departs;
`timed.py` plays the times), and any difference in priority (the trace has none). qos becomes a label and
means nothing to the scheduler.
"""

import csv
import gzip
import uuid
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

Row = dict[str, str]
Object = dict[str, Any]

FOLDER = Path(__file__).parent
NODES_FILE = FOLDER / "openb_node_list_all_node.csv.gz"
PODS_FILE = FOLDER / "openb_pod_list_default.csv.gz"

NAMESPACE = "openb"
TRACE_START = datetime(2023, 1, 1, tzinfo=UTC)
"""Stands for second 0: the trace tells no date."""
POD_LIMIT = "110"
"""The kubelet's default: the trace tells none, and no node comes near it."""
WHOLE_CARDS = "nvidia.com/gpu"
SHARED_CARDS = "openb/gpu-milli"
MODEL_LABEL = "openb/gpu-model"
POOL_LABEL = "pool"
WHOLE_CARD_MILLI = 1000


def read_table(path: Path) -> list[Row]:
    """Return the rows of a table, compressed by gzip or not."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def convert(node_rows: Iterable[Row], pod_rows: Iterable[Row]) -> Object:
    """Return the List of the namespace, the nodes and the pods, each in the order of its table."""
    pods = list(pod_rows)
    return _list([*_empty_cluster(node_rows, pods), *map(_pod, pods)])


def convert_empty(node_rows: Iterable[Row], pod_rows: Iterable[Row]) -> Object:
    """Return the List of the namespace and the nodes alone, their cards dealt out as the pods ask."""
    return _list(_empty_cluster(node_rows, pod_rows))


def manifest(row: Row) -> Object:
    """Return a task as somebody would create it: without what an API server adds."""
    metadata = {"name": row["name"], "namespace": NAMESPACE, "labels": {"openb/qos": row["qos"]}}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": _spec(row)}


def shared_part(pod_rows: Iterable[Row]) -> Fraction:
    """Return the part of all asked cards that is asked for in thousandths."""
    whole = shared = 0
    for row in pod_rows:
        count, milli = int(row["num_gpu"]), int(row["gpu_milli"])
        if milli == WHOLE_CARD_MILLI:
            whole += count * WHOLE_CARD_MILLI
        else:
            shared += count * milli
    return Fraction(shared, whole + shared) if whole + shared else Fraction(0)


class _Dealer:
    """Deals the nodes of each model and size out to shared and whole use, evenly in a proportion."""

    def __init__(self, shared: Fraction) -> None:
        self._shared = shared
        self._dealt: dict[tuple[str, str], int] = {}

    def is_shared(self, model: str, cards: str) -> bool:
        """Decide about the next node of this model and size."""
        number = self._dealt.get((model, cards), 0)
        self._dealt[model, cards] = number + 1
        return int((number + 1) * self._shared) > int(number * self._shared)


def _list(items: list[Object]) -> Object:
    return {"apiVersion": "v1", "kind": "List", "items": items}


def _empty_cluster(node_rows: Iterable[Row], pod_rows: Iterable[Row]) -> list[Object]:
    dealer = _Dealer(shared_part(pod_rows))
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": _metadata("namespaces", NAMESPACE)}
    return [namespace, *(_node(row, dealer) for row in node_rows)]


def _node(row: Row, dealer: _Dealer) -> Object:
    cards, model = int(row["gpu"]), row["model"]
    resources = {"cpu": f"{row['cpu_milli']}m", "memory": f"{row['memory_mib']}Mi", "pods": POD_LIMIT}
    labels = {"kubernetes.io/hostname": row["sn"], POOL_LABEL: "cpu"}
    if cards:
        is_shared = dealer.is_shared(model, row["gpu"])
        labels[MODEL_LABEL] = model
        labels[POOL_LABEL] = f"{model.lower()}-{'shared' if is_shared else 'whole'}"
        if is_shared:
            resources[SHARED_CARDS] = str(cards * WHOLE_CARD_MILLI)
        else:
            resources[WHOLE_CARDS] = str(cards)
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {**_metadata("nodes", row["sn"]), "labels": labels},
        "spec": {},
        "status": {"capacity": resources, "allocatable": resources},
    }


def _pod(row: Row) -> Object:
    created = TRACE_START + timedelta(seconds=int(row["creation_time"]))
    asked = manifest(row)
    spec: Object = {
        "schedulerName": "default-scheduler",
        "priority": 0,
        "preemptionPolicy": "PreemptLowerPriority",
        **asked["spec"],
    }
    metadata = {
        **_metadata("pods", row["name"], NAMESPACE),
        "creationTimestamp": created.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "labels": asked["metadata"]["labels"],
    }
    return {**asked, "metadata": metadata, "spec": spec, "status": {"phase": "Pending"}}


def _spec(row: Row) -> Object:
    amounts = {"cpu": f"{row['cpu_milli']}m", "memory": f"{row['memory_mib']}Mi", **_cards_asked(row)}
    spec: Object = {
        "restartPolicy": "Never",
        "containers": [{"name": "task", "image": "openb/task", "resources": _resources(amounts)}],
    }
    models = [model for model in row["gpu_spec"].split("|") if model]
    if models:
        spec["affinity"] = {"nodeAffinity": _require_models(models)}
    return spec


def _cards_asked(row: Row) -> dict[str, str]:
    count, milli = int(row["num_gpu"]), int(row["gpu_milli"])
    if not count:
        return {}
    return {WHOLE_CARDS: str(count)} if milli == WHOLE_CARD_MILLI else {SHARED_CARDS: str(count * milli)}


def _resources(amounts: dict[str, str]) -> Object:
    """Return requests, with the equal limits that extended resources must have."""
    extended = {name: amount for name, amount in amounts.items() if "/" in name}
    return {"requests": amounts, "limits": extended} if extended else {"requests": amounts}


def _require_models(models: list[str]) -> Object:
    expression = {"key": MODEL_LABEL, "operator": "In", "values": models}
    terms = [{"matchExpressions": [expression]}]
    return {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}


def _metadata(resource: str, name: str, namespace: str = "") -> Object:
    uid = str(uuid.uuid5(uuid.NAMESPACE_URL, f"openb/{resource}/{name}"))
    return {"name": name, **({"namespace": namespace} if namespace else {}), "uid": uid}
