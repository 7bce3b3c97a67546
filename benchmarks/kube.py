"""CPU time of a decision on large uniform clusters, beside the real kube-scheduler where it is at hand.

The workloads: pods that fit anywhere, on 1,000 and 5,000 nodes; a spread over three zones; one pod a host
by anti-affinity; preemption's dry run over full nodes. `KUBE_PEER` names a program that measures the real
scheduler on the same ones (`PEER bench -runs 1` prints JSON); without it only our own figures are shown.
"""

import gc
import json
import os
import subprocess
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from benchmarks.figures import Figure
from scheduler_core.kube.configuration.profiles import build_profiles
from scheduler_core.state.build import build_state
from scheduler_core.world.arrangements import bare_world
from scheduler_core.world.world import World

GROUP = "kube-scheduler 1.36, CPU time of a decision"
HOST, ZONE = "kubernetes.io/hostname", "topology.kubernetes.io/zone"
Object = dict[str, Any]

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
WORKLOADS: list[tuple[str, int, int, Object]] = [
    ("basic", 1000, 1000, {}),
    ("basic", 5000, 2000, {}),
    ("spread over 3 zones", 5000, 1000, SPREAD),
    ("anti-affinity on the hostname", 5000, 1000, APART),
]
PREEMPTORS = 5
FIRST = "preemption by pods of which no two are alike"


def measure() -> Iterator[Figure]:
    """Measure every workload, then the real scheduler on the same ones."""
    ours = {(name, nodes): _schedule(nodes, pods, extra) for name, nodes, pods, extra in WORKLOADS}
    ours |= {("preemption", nodes): _preempt(nodes) for nodes in (500, 5000)}
    theirs = _peer()
    if ("preemption", 5000) in theirs:
        theirs[FIRST, 5000] = theirs["preemption", 5000]
    ours[FIRST, 5000] = _preempt_once_each(5000)
    for key, milliseconds in ours.items():
        name = f"{key[0]}, {key[1]:,} nodes"
        yield Figure(GROUP, name, milliseconds, "ms")
        if key in theirs:
            yield Figure(GROUP, f"{name}: the real one", theirs[key], "ms")
            yield Figure(GROUP, f"{name}: multiple of ours", theirs[key] / milliseconds, "x", "> 1")


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


def _world(objects: list[Object]) -> World:
    built = build_state(objects)
    world = bare_world(built.state, build_profiles(None))
    world.schedulers[0].admit(built.pending, built.pending)
    # What building has left behind is not the decisions' to sweep up.
    gc.collect()
    return world


def _schedule(nodes: int, pods: int, extra: Object) -> float:
    """Return the CPU milliseconds of a placement."""
    objects = [node_of(number) for number in range(nodes)]
    objects += [pod_of(f"pod-{number:05d}", "100m", 0, extra) for number in range(pods)]
    world = _world(objects)
    start = time.process_time()
    while world.step() is not None:
        pass
    return 1000 * (time.process_time() - start) / world.seq


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


def _preempt(nodes: int) -> float:
    """Return the CPU milliseconds of an attempt that looks at four victims on every node."""
    world = _world(preemption_objects(nodes, 1))
    start = time.process_time()
    for _ in range(PREEMPTORS):
        world.look()
    return 1000 * (time.process_time() - start) / PREEMPTORS


def _preempt_once_each(nodes: int) -> float:
    """Return the CPU milliseconds of a preemption with its event, by pods that each ask for something else.

    The first of all, which looks at every pod of the cluster for the first time, isn't counted.
    """
    world = _world(preemption_objects(nodes, 4 * PREEMPTORS + 1, 4 * PREEMPTORS + 1))
    world.step()
    start = time.process_time()
    for _ in range(4 * PREEMPTORS):
        world.step()
    return 1000 * (time.process_time() - start) / (4 * PREEMPTORS)


def _peer() -> dict[tuple[str, int], float]:
    """Return the real scheduler's CPU milliseconds by workload and nodes; empty without a peer."""
    peer = os.environ.get("KUBE_PEER")
    if not peer:
        return {}
    done = subprocess.run([peer, "bench", "-runs", "1"], capture_output=True, check=True, text=True)
    return {
        (result["name"], result["nodes"]): result["cpu_ms_per_decision"]["median"]
        for result in json.loads(done.stdout)["results"]
        if result["percentage_of_nodes_to_score"] == 100
        and result.get("preemption_sampling", "all nodes") == "all nodes"
    }
