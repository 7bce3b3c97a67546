"""Clusters that decisions are timed on: equal nodes, pods of one app, one question each.

`beside.py` plays them by turns with another tree, `kube.py` beside the real kube-scheduler.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

Object = dict[str, Any]

HOST, ZONE = "kubernetes.io/hostname", "topology.kubernetes.io/zone"
SELECTOR = {"matchLabels": {"app": "bench"}}
SPREAD = {
    "topologySpreadConstraints": [
        {"maxSkew": 1, "topologyKey": ZONE, "whenUnsatisfiable": "DoNotSchedule", "labelSelector": SELECTOR}
    ]
}
APART = {
    "affinity": {
        "podAntiAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": [
                {"topologyKey": HOST, "labelSelector": SELECTOR}
            ]
        }
    }
}
SAMPLED = {
    "apiVersion": "kubescheduler.config.k8s.io/v1",
    "kind": "KubeSchedulerConfiguration",
    "percentageOfNodesToScore": 0,
}
"""A configuration with which nodes are sampled as the real scheduler does by itself."""


def node_of(number: int) -> Object:
    """Return one of the uniform nodes."""
    name = f"node-{number:04d}"
    return {
        "kind": "Node",
        "metadata": {"name": name, "uid": name, "labels": {HOST: name, ZONE: f"zone-{number % 3}"}},
        "status": {"allocatable": {"cpu": "4", "memory": "32Gi", "pods": "110"}},
    }


def pod_of(name: str, cpu: str, priority: int, extra: Object, started: str | None = None) -> Object:
    """Return a pod of the app that spread and anti-affinity are about."""
    requests = {"cpu": cpu, "memory": "500Mi"}
    container = {
        "name": "main",
        "image": "registry.example.com/pause:3.10",
        "resources": {"requests": requests},
    }
    return {
        "kind": "Pod",
        "metadata": {"namespace": "default", "name": name, "uid": name, "labels": {"app": "bench"}},
        "spec": {
            "schedulerName": "default-scheduler",
            "priority": priority,
            "containers": [container],
            **extra,
        },
        "status": {"startTime": started} if started else {},
    }


def uniform(nodes: int, pods: int, extra: Object, *others: Object) -> Callable[[], list[Object]]:
    """Pods of one spec."""

    def objects() -> list[Object]:
        of_nodes = [node_of(number) for number in range(nodes)]
        return [*of_nodes, *others, *(pod_of(f"pod-{n:05d}", "100m", 0, extra) for n in range(pods))]

    return objects


def claiming(nodes: int, pods: int, devices: int) -> Callable[[], list[Object]]:
    """Nodes with so many devices each, and pods with a claim of their own for one."""

    def objects() -> list[Object]:
        selector = {"cel": {"expression": "device.driver == 'gpu.example'"}}
        made = [_of_devices("DeviceClass", "gpu", {"selectors": [selector]})]
        for number in range(nodes):
            node = node_of(number)
            made += [node, _slice_of(node["metadata"]["name"], devices)]
        request = {"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 1}
        asked = {"devices": {"requests": [{"name": "gpu", "exactly": request}]}}
        for number in range(pods):
            claim = _of_devices("ResourceClaim", f"claim-{number:05d}", asked)
            claim["metadata"]["namespace"] = "default"
            entry = {"name": "gpu", "resourceClaimName": claim["metadata"]["name"]}
            made += [claim, pod_of(f"pod-{number:05d}", "100m", 0, {"resourceClaims": [entry]})]
        return made

    return objects


def _of_devices(kind: str, name: str, spec: Object) -> Object:
    return {"apiVersion": "resource.k8s.io/v1", "kind": kind, "metadata": {"name": name}, "spec": spec}


def _slice_of(node: str, devices: int) -> Object:
    offered = [
        {
            "name": f"gpu-{number}",
            "attributes": {"index": {"int": number}},
            "capacity": {"memory": {"value": "80Gi"}},
        }
        for number in range(devices)
    ]
    pool = {"name": node, "generation": 1, "resourceSliceCount": 1}
    spec = {"driver": "gpu.example", "nodeName": node, "pool": pool, "devices": offered}
    return _of_devices("ResourceSlice", f"slice-{node}", spec)


def interleaved(nodes: int, pods: int, specs: int) -> Callable[[], list[Object]]:
    """Pods of so many specs by turns: they ask for different amounts."""

    def objects() -> list[Object]:
        of_nodes = [node_of(number) for number in range(nodes)]
        asked = (f"{100 + number % specs}m" for number in range(pods))
        return [*of_nodes, *(pod_of(f"pod-{n:05d}", cpu, 0, {}) for n, cpu in enumerate(asked))]

    return objects


def preemption_objects(nodes: int, preemptors: int, classes: int = 1) -> list[Object]:
    """Return nodes full with four pods each, and pods that fit only where three of them go.

    The pods are of so many classes, by turns: they ask for different amounts.
    """
    birth = datetime(2026, 5, 1, tzinfo=UTC)
    objects = [node_of(number) for number in range(nodes)]
    for number in range(nodes):
        for place in range(4):
            started = birth + timedelta(seconds=4 * number + place)
            where = {"nodeName": f"node-{number:04d}"}
            stamp = started.strftime("%Y-%m-%dT%H:%M:%SZ")
            objects.append(pod_of(f"low-{number:04d}-{place}", "900m", 0, where, stamp))
    asked = [f"{3000 + number % classes}m" for number in range(preemptors)]
    return objects + [pod_of(f"high-{number}", cpu, 1000, {}) for number, cpu in enumerate(asked)]
