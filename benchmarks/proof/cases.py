"""Fresh cases: a made-up cluster, and what is done to it. Same seed, same cases."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from benchmarks.proof import objects
from benchmarks.proof.objects import Object

Action = dict[str, Any]
SETTLE = {"do": "settle"}
LOST_AFTER = 22
"""Seconds until an unreachable node's pods are deleted there, and their copies run."""
COLLECTED_AFTER = 75
"""Seconds until a deleted node's pods are surely collected."""
SCALABLE = ("Deployment", "StatefulSet")


@dataclass
class Made:
    """A cluster: its nodes by name, its workloads with kind and replicas, and the chance that makes it."""

    random: Random
    nodes: list[str]
    zones: list[str]
    workloads: dict[str, tuple[str, int]]

    def node(self) -> str:
        """Return any node that a workload may be on."""
        return self.random.choice(self.nodes[: objects.MOST_LIKED])

    def of(self, *kinds: str) -> str | None:
        """Return any workload of these kinds."""
        found = [name for name, (kind, _) in self.workloads.items() if kind in kinds]
        return self.random.choice(found) if found else None


def cases(seed: int, count: int) -> Iterator[Object]:
    """Yield so many cases in the form that `recorded/cluster_cases.py` plays, kind after kind."""
    kinds = list(KINDS)
    for number in range(count):
        yield case(seed, number, kinds[number % len(kinds)])


def case(seed: int, number: int, kind: str) -> Object:
    """Return one case."""
    random = Random(f"{seed}/{number}")
    made, setup = _cluster(random, kind)
    actions = KINDS[kind](made)
    about = f"seed {seed}, {len(made.nodes)} nodes"
    return {
        "id": f"{kind}/{seed}-{number}",
        "kind": kind,
        "about": about,
        "setup": setup,
        "actions": actions,
    }


def _cluster(random: Random, kind: str) -> tuple[Made, list[Action]]:
    size = random.choices(
        [random.randint(2, 6), random.randint(7, 14), random.randint(60, 300)], [80, 15, 5]
    )[0]
    zones = [f"z{number}" for number in range(1, random.randint(1, 3) + 1)]
    nodes = [
        objects.node(number, zones[number % len(zones)], random.randint(2, 6))
        for number in range(1, size + 1)
    ]
    made = Made(random, [item["metadata"]["name"] for item in nodes], zones, {})
    classes = [objects.priority_class("high", 1000)]
    setup: list[Action] = [_apply(*nodes), _apply(*classes)]
    kinds = [
        "Deployment",
        *random.choices(["Deployment", "StatefulSet", "DaemonSet", "Pod"], [6, 2, 1, 1], k=2),
    ]
    kinds += {"job": ["Job"], "statefulset": ["StatefulSet"]}.get(kind, [])
    for place, one in enumerate(kinds):
        setup.append(_apply(_workload(made, one, "abcdefgh"[place])))
    return made, setup


def _workload(made: Made, kind: str, name: str) -> Object:
    replicas = made.random.randint(1, 4)
    made.workloads[name] = kind, replicas
    return objects.workload(kind, name, made.random, made.nodes, replicas)


def _apply(*items: Object) -> Action:
    return {"do": "apply", "objects": list(items)}


# -- what is done --------------------------------------------------------------------------------------


def _scale(made: Made, by: int) -> list[Action]:
    name = made.of(*SCALABLE) or "a"
    kind, replicas = made.workloads[name]
    return [{"do": "scale", "kind": kind, "name": name, "replicas": max(0, replicas + by)}]


def _scaled_up(made: Made) -> list[Action]:
    return _scale(made, made.random.randint(1, 8))


def _scaled_down(made: Made) -> list[Action]:
    return _scale(made, -made.random.randint(1, 3))


def _added(made: Made) -> list[Action]:
    kind = made.random.choice(["Deployment", "DaemonSet", "Pod"])
    return [_apply(_workload(made, kind, "new"))]


def _preempting(made: Made) -> list[Action]:
    new = _workload(made, "Deployment", "new")
    spec = new["spec"]["template"]["spec"]
    spec["priorityClassName"] = "high"
    spec["containers"][0]["resources"]["requests"]["cpu"] = "1900m"
    return [_apply(new)]


def _drained(made: Made) -> list[Action]:
    return [{"do": "drain", "name": made.node()}]


def _drained_all(made: Made) -> list[Action]:
    some = made.random.sample(made.nodes[: objects.MOST_LIKED], min(2, len(made.nodes)))
    return [{"do": "drain", "nodes": some}]


def _under_budget(made: Made) -> list[Action]:
    name = made.of("Deployment") or "a"
    least = made.random.randint(0, made.workloads[name][1])
    return [_apply(objects.budget(name, least)), SETTLE, *_drained(made)]


def _tainted(made: Made) -> list[Action]:
    taint = {"key": "maintenance", "effect": made.random.choice(["NoExecute", "NoExecute", "NoSchedule"])}
    name = made.node()
    actions: list[Action] = [{"do": "taint", "node": name, "taint": taint}]
    if made.random.random() < 0.5:
        actions += [SETTLE, *_scaled_up(made)]
    return actions


def _cordoned(made: Made) -> list[Action]:
    return [{"do": "cordon", "name": made.node()}, *_scaled_up(made)]


def _pod_evicted(made: Made) -> list[Action]:
    name = made.of("StatefulSet", "Pod")
    if name is None:
        return _drained(made)
    pod = name if made.workloads[name][0] == "Pod" else f"{name}-0"
    if made.random.random() < 0.5:
        return [{"do": "delete", "kind": "Pod", "name": pod}]
    return [{"do": "evict", "name": pod}]


def _workload_deleted(made: Made) -> list[Action]:
    name = made.of("Deployment") or "a"
    return [{"do": "delete", "kind": "Deployment", "name": name}, SETTLE, *_added(made)]


def _node_deleted(made: Made) -> list[Action]:
    name = made.node()
    return [{"do": "delete", "kind": "Node", "name": name}, {"do": "wait", "seconds": COLLECTED_AFTER}]


def _node_added(made: Made) -> list[Action]:
    cpu, number = made.random.randint(2, 6), len(made.nodes) + 1
    more = _scale(made, 12)
    return [*more, SETTLE, _apply(objects.node(number, made.zones[0], cpu))]


def _node_lost(made: Made) -> list[Action]:
    return [{"do": "stop-kubelet", "name": made.node()}, {"do": "wait", "seconds": LOST_AFTER}]


def _node_back(made: Made) -> list[Action]:
    name = made.node()
    lost = {"do": "stop-kubelet", "name": name}, {"do": "wait", "seconds": LOST_AFTER}
    return [*lost, SETTLE, {"do": "start-kubelet", "name": name}]


def _lost_and_deleted(made: Made) -> list[Action]:
    name = made.node()
    lost = {"do": "stop-kubelet", "name": name}, {"do": "wait", "seconds": LOST_AFTER}
    deleted = {"do": "delete", "kind": "Node", "name": name}, {"do": "wait", "seconds": COLLECTED_AFTER}
    return [*lost, *deleted]


def _job_met(made: Made) -> list[Action]:
    return made.random.choice([_drained, _node_lost, _tainted])(made)


def _stateful_set_met(made: Made) -> list[Action]:
    return made.random.choice([_scaled_up, _scaled_down, _drained, _node_lost])(made)


def _rolled_out(made: Made) -> list[Action]:
    name = made.of("Deployment") or "a"
    container = {"name": "main", "image": "registry.k8s.io/pause:3.11"}
    patch = {"spec": {"template": {"spec": {"containers": [container]}}}}
    return [{"do": "patch", "kind": "Deployment", "name": name, "patch": patch}]


def _under_quota(made: Made) -> list[Action]:
    limit = sum(replicas for _, replicas in made.workloads.values()) + made.random.randint(0, 3)
    return [_apply(objects.quota(limit)), SETTLE, *_scaled_up(made)]


KINDS: dict[str, Callable[[Made], list[Action]]] = {
    "scale-up": _scaled_up,
    "drain": _drained,
    "node-lost": _node_lost,
    "scale-down": _scaled_down,
    "budget": _under_budget,
    "node-deleted": _node_deleted,
    "taint": _tainted,
    "added": _added,
    "node-back": _node_back,
    "drain-several": _drained_all,
    "node-added": _node_added,
    "preempt": _preempting,
    "cordon": _cordoned,
    "pod-gone": _pod_evicted,
    "lost-and-deleted": _lost_and_deleted,
    "workload-deleted": _workload_deleted,
    "statefulset": _stateful_set_met,
    "job": _job_met,
    "rollout": _rolled_out,
    "quota": _under_quota,
}
"""What is done to clusters, by kind."""
