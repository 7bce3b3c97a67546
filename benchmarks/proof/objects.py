"""The objects of made-up clusters. Nodes differ in size, and no workload likes two of them alike."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

Object = dict[str, Any]

HOSTNAME, ZONE = "kubernetes.io/hostname", "topology.kubernetes.io/zone"
LIKED = (100, 83, 69, 57, 47, 39, 32, 26, 21, 16, 11, 6)
"""How much a workload likes its first, second … node."""
MOST_LIKED = len(LIKED)
QUICK = 4
"""Seconds that the pods of a made-up cluster tolerate a node that is lost."""


def node(number: int, zone: str, cpu: int, taints: Sequence[Object] = ()) -> Object:
    """Return a node `nNUMBER` of so many cores."""
    name = f"n{number}"
    room = {"cpu": str(cpu), "memory": f"{4 * cpu + number % 7}Gi", "pods": "110"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {HOSTNAME: name, ZONE: zone}},
        "spec": {"taints": list(taints)} if taints else {},
        "status": {"capacity": room, "allocatable": room},
    }


def priority_class(name: str, value: int) -> Object:
    """Return a PriorityClass."""
    return {
        "apiVersion": "scheduling.k8s.io/v1",
        "kind": "PriorityClass",
        "metadata": {"name": name},
        "value": value,
    }


def template(name: str, random: Random, nodes: Sequence[str]) -> Object:
    """Return a pod template that likes these nodes in a random order, and only runs there."""
    liked = random.sample(list(nodes), min(len(nodes), MOST_LIKED))
    affinity: Object = {
        "nodeAffinity": {
            "preferredDuringSchedulingIgnoredDuringExecution": [
                {"weight": weight, "preference": _on(place)}
                for weight, place in zip(LIKED, liked, strict=False)
            ]
        }
    }
    if len(nodes) > MOST_LIKED:
        affinity["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"] = {
            "nodeSelectorTerms": [_on(*liked)]
        }
    spec: Object = {
        "containers": [{"name": "main", "image": "registry.k8s.io/pause:3.10", "resources": _asks(random)}],
        "affinity": affinity,
        "tolerations": [_lost("unreachable", QUICK), _lost("not-ready", QUICK)],
    }
    labels = {"app": name}
    match random.randrange(8):
        case 0:
            term = {"labelSelector": {"matchLabels": labels}, "topologyKey": HOSTNAME}
            affinity["podAntiAffinity"] = {"requiredDuringSchedulingIgnoredDuringExecution": [term]}
        case 1:
            spec["topologySpreadConstraints"] = [
                {
                    "maxSkew": 1,
                    "topologyKey": ZONE,
                    "whenUnsatisfiable": "DoNotSchedule",
                    "labelSelector": {"matchLabels": labels},
                }
            ]
        case 2:
            spec["tolerations"].append({"key": "maintenance", "operator": "Exists"})
        case 3:
            spec["priorityClassName"] = "high"
    if random.random() < 0.3:
        spec["terminationGracePeriodSeconds"] = random.choice([20, 60])
    return {"metadata": {"labels": labels}, "spec": spec}


def workload(kind: str, name: str, random: Random, nodes: Sequence[str], replicas: int) -> Object:
    """Return a Deployment, StatefulSet, DaemonSet, Job or a bare Pod."""
    made = template(name, random, nodes)
    labels, spec = made["metadata"]["labels"], made["spec"]
    metadata = {"name": name, "namespace": "default"}
    if kind == "Pod":
        return {"apiVersion": "v1", "kind": "Pod", "metadata": {**metadata, "labels": labels}, "spec": spec}
    if kind == "Job":
        spec["restartPolicy"] = "Never"
        job = {"parallelism": replicas, "completions": replicas, "template": made}
        return {"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": job}
    selected: Object = {"selector": {"matchLabels": labels}, "template": made}
    if kind == "DaemonSet":
        del spec["affinity"]
        spec.pop("topologySpreadConstraints", None)
        spec["containers"][0]["resources"]["requests"]["cpu"] = "100m"
    else:
        selected["replicas"] = replicas
    if kind == "StatefulSet":
        selected["serviceName"] = name
        if random.random() < 0.3:
            selected["podManagementPolicy"] = "Parallel"
    return {"apiVersion": "apps/v1", "kind": kind, "metadata": metadata, "spec": selected}


def budget(name: str, least: int) -> Object:
    """Return a PodDisruptionBudget for the pods of a workload."""
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"minAvailable": least, "selector": {"matchLabels": {"app": name}}},
    }


def quota(pods: int) -> Object:
    """Return a ResourceQuota for so many pods."""
    return {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": "limit", "namespace": "default"},
        "spec": {"hard": {"pods": str(pods)}},
    }


def _on(*names: str) -> Object:
    return {"matchExpressions": [{"key": HOSTNAME, "operator": "In", "values": list(names)}]}


def _asks(random: Random) -> Object:
    cpu, memory = random.choice([200, 300, 500, 700, 900, 1300]), random.choice([128, 256, 512])
    return {"requests": {"cpu": f"{cpu}m", "memory": f"{memory}Mi"}}


def _lost(what: str, seconds: int) -> Object:
    return {
        "key": f"node.kubernetes.io/{what}",
        "operator": "Exists",
        "effect": "NoExecute",
        "tolerationSeconds": seconds,
    }
