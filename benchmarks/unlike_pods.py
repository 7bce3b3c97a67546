"""A generated cluster no two pods of which are alike: notebooks, jobs and services of many teams, 2 kB a pod.

Labels, images, requests, ports, constraints and times differ from pod to pod, so that an import must read
and judge each by itself.
"""

import json
import random
import uuid
from collections.abc import Iterator
from typing import Any

Object = dict[str, Any]

_APPS, _TEAMS, _POOLS, _ZONES = 4000, 20, 30, 3
_TOKEN = "kube-api-access"
_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
_NOT_READY = [
    {
        "effect": "NoExecute",
        "key": f"node.kubernetes.io/{key}",
        "operator": "Exists",
        "tolerationSeconds": 300,
    }
    for key in ("not-ready", "unreachable")
]


def unlike_pods(nodes: int, pods: int) -> Iterator[bytes]:
    """Yield, piece by piece, what `kubectl get nodes,pods -A -o json` prints; the same at each call."""
    source = random.Random(7)
    yield b'{"apiVersion":"v1","kind":"List","items":['
    for number in range(nodes):
        yield (b"," if number else b"") + json.dumps(_node(number)).encode()
    for number in range(pods):
        yield b"," + json.dumps(_pod(source, number, f"node-{number % nodes:05d}")).encode()
    yield b"]}\n"


def _node(number: int) -> Object:
    name, amounts = f"node-{number:05d}", {"cpu": "640", "memory": "2638Gi", "pods": "110"}
    labels = {
        "kubernetes.io/hostname": name,
        "topology.kubernetes.io/zone": f"zone-{number % _ZONES}",
        "pool": f"pool-{number % _POOLS}",
    }
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "uid": str(uuid.UUID(int=number)), "labels": labels},
        "spec": {},
        "status": {"allocatable": amounts, "capacity": amounts},
    }


def _pod(source: random.Random, number: int, node: str) -> Object:
    app = f"app-{source.randrange(_APPS)}"
    made = f"2026-05-{source.randint(1, 28):02d}T{source.randrange(24):02d}:{source.randrange(60):02d}:07Z"
    labels = {
        "app": app,
        "version": f"v{source.randrange(9)}.{source.randrange(30)}",
        "pod-template-hash": f"{source.getrandbits(32):08x}",
    }
    metadata = {
        "name": f"{app}-{number:06d}",
        "generateName": f"{app}-",
        "namespace": f"team-{source.randrange(_TEAMS):02d}",
        "uid": str(uuid.UUID(int=source.getrandbits(128))),
        "resourceVersion": str(1000 + number),
        "creationTimestamp": made,
        "labels": labels,
        "annotations": {"checksum/config": f"{source.getrandbits(128):032x}"},
    }
    status = {
        "phase": "Running",
        "qosClass": "Burstable",
        "podIP": f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}",
        "startTime": made,
        "conditions": [
            {"type": kind, "status": "True", "lastProbeTime": None, "lastTransitionTime": made}
            for kind in ("Initialized", "Ready")
        ],
    }
    spec = _spec(source, app, node)
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": status}


def _spec(source: random.Random, app: str, node: str) -> Object:
    spec = {
        "containers": [_container(source, app, place) for place in range(1 + (source.random() < 0.25))],
        "dnsPolicy": "ClusterFirst",
        "enableServiceLinks": True,
        "nodeName": node,
        "preemptionPolicy": "PreemptLowerPriority",
        "priority": source.choice([0, 100, 1000]),
        "restartPolicy": "Always",
        "schedulerName": "default-scheduler",
        "securityContext": {},
        "serviceAccountName": f"account-{source.randrange(300)}",
        "terminationGracePeriodSeconds": 30,
        "tolerations": [*_NOT_READY],
        "volumes": [{"name": _TOKEN, "emptyDir": {}}],
        **_placing(source, app),
    }
    if source.random() < 0.3:
        key, value = f"dedicated-{source.randrange(50)}", f"team-{source.randrange(_TEAMS)}"
        spec["tolerations"].append({"key": key, "operator": "Equal", "value": value, "effect": "NoSchedule"})
    return spec


def _container(source: random.Random, app: str, place: int) -> Object:
    requests = {"cpu": f"{source.randrange(10, 4000)}m", "memory": f"{source.randrange(16, 9000)}Mi"}
    return {
        "name": f"main-{place}",
        "image": f"registry.example.com/{app}:{source.randrange(200)}",
        "imagePullPolicy": "IfNotPresent",
        "env": [{"name": "LEVEL", "value": str(source.randrange(1000))}],
        "ports": [{"containerPort": 8000 + source.randrange(1000), "name": "http", "protocol": "TCP"}],
        "resources": {"requests": requests, "limits": {"memory": f"{source.randrange(9000, 20000)}Mi"}},
        "terminationMessagePath": "/dev/termination-log",
        "terminationMessagePolicy": "File",
        "volumeMounts": [{"name": _TOKEN, "mountPath": "/var/run/secrets/kubernetes.io/serviceaccount"}],
    }


def _placing(source: random.Random, app: str) -> Object:
    """Return where a pod wants to be, which half of them care about."""
    chance, selector = source.random(), {"matchLabels": {"app": app}}
    if chance < 0.3:
        term = {"topologyKey": "kubernetes.io/hostname", "labelSelector": selector}
        preferred = [{"weight": source.randint(1, 100), "podAffinityTerm": term}]
        return {
            "affinity": {"podAntiAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": preferred}}
        }
    if chance < 0.4:
        return {"nodeSelector": {"pool": f"pool-{source.randrange(_POOLS)}"}}
    if chance < 0.5:
        spread = {
            "maxSkew": source.randint(1, 3),
            "topologyKey": "topology.kubernetes.io/zone",
            "whenUnsatisfiable": "ScheduleAnyway",
            "labelSelector": selector,
        }
        return {"topologySpreadConstraints": [spread]}
    return {}
