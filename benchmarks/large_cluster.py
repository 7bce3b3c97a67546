"""A generated cluster of any size: equal nodes in three zones, and 50 workloads of equal pending pods."""

import json
import uuid
from typing import Any

WORKLOADS = 50
ZONES = 3
NAMESPACE = "bench"
Object = dict[str, Any]


def cluster(nodes: int, pods: int) -> bytes:
    """Return a List of so many nodes and, dealt out evenly to the workloads, so many pods."""
    namespace = _object("v1", "Namespace", NAMESPACE, namespaced=False)
    items = [namespace, *map(_node, range(nodes))]
    items += [_replica_set(number, pods) for number in range(WORKLOADS)]
    items += [_pod(number) for number in range(pods)]
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": items}).encode()


def _node(number: int) -> Object:
    made = _object("v1", "Node", f"node-{number:05d}", namespaced=False)
    made["metadata"]["labels"] = {
        "kubernetes.io/hostname": made["metadata"]["name"],
        "topology.kubernetes.io/zone": f"zone-{number % ZONES}",
    }
    return {**made, "status": {"allocatable": {"cpu": "32", "memory": "128Gi", "pods": "110"}}}


def _replica_set(number: int, pods: int) -> Object:
    labels = {"app": _workload(number)}
    replicas = len(range(number, pods, WORKLOADS))
    template = {"metadata": {"labels": labels}, "spec": _spec(number)}
    spec = {"replicas": replicas, "selector": {"matchLabels": labels}, "template": template}
    return {**_object("apps/v1", "ReplicaSet", _workload(number)), "spec": spec}


def _pod(number: int) -> Object:
    workload = number % WORKLOADS
    made = _object("v1", "Pod", f"{_workload(workload)}-{number:06d}")
    owner = _object("apps/v1", "ReplicaSet", _workload(workload))
    reference = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "controller": True}
    reference |= {key: owner["metadata"][key] for key in ("name", "uid")}
    made["metadata"] |= {"labels": {"app": _workload(workload)}, "ownerReferences": [reference]}
    return {**made, "spec": _spec(workload), "status": {"phase": "Pending"}}


def _workload(number: int) -> str:
    return f"workload-{number:02d}"


def _spec(workload: int) -> Object:
    """Return the pods' spec: half a core to two and a half, 1 to 8 GiB."""
    requests = {"cpu": f"{500 * (1 + workload % 5)}m", "memory": f"{1 + workload % 8}Gi"}
    container = {"name": "main", "image": "registry.example.com/app:1", "resources": {"requests": requests}}
    return {"schedulerName": "default-scheduler", "priority": 0, "containers": [container]}


def _object(version: str, kind: str, name: str, *, namespaced: bool = True) -> Object:
    metadata: Object = {"name": name, "uid": str(uuid.uuid5(uuid.NAMESPACE_URL, f"bench/{kind}/{name}"))}
    if namespaced:
        metadata["namespace"] = NAMESPACE
    return {"apiVersion": version, "kind": kind, "metadata": metadata}
