"""Whole predictions: what becomes of a cluster after something was done to it, with a clock.

A case has the cluster as kubectl printed it (`before`), what was done (`actions`), and what became of it
(`outcome`), recorded on a real control plane of Kubernetes 1.36.1. In goes a case, out comes the outcome by
the engine: of each workload the pods by node, those that wait and what the scheduler says of them, those that
are terminating, those that have succeeded; how many pods went from which node for which cause; and what the
statuses of budgets and workloads say.

Source: docs/verification.md "Whole predictions".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from scheduler_core.events.decisions import Attempt, ClusterChange, Decision, Eviction
from scheduler_core.objects.identity import name_of, namespace_of
from scheduler_core.objects.kinds import DEPLOYMENT, JOB, NODE, POD_DISRUPTION_BUDGET, STATEFUL_SET, kind_of
from scheduler_core.world import RunInput, Simulation
from scheduler_core.world.clocked.timed_run import TimedRun

READY_SECONDS = 0.3
"""The kubelets of the recordings were quick …"""
GRACE_SHARE = 20
"""… and let pods end after this part of their grace period; here whole seconds are the least."""
MONITOR_GRACE = 8.0
"""Seconds without a word of its kubelet after which a node was unreachable."""
SETTLED = 60.0
"""Seconds that pass where the recording waited until nothing changed any more."""
AFTERWARDS = 280.0
"""So long a play goes on after the last action: before pods that fit nowhere are tried again by a flush."""
_COUNTED = ("nodes", "pending", "terminating", "succeeded", "failed", "messages", "pods")
_STATUS = ("currentHealthy", "desiredHealthy", "disruptionsAllowed", "expectedPods")
_STATUSES = {
    DEPLOYMENT: ("replicas", "readyReplicas", "availableReplicas", "updatedReplicas", "unavailableReplicas"),
    STATEFUL_SET: ("replicas", "readyReplicas", "availableReplicas", "currentReplicas", "updatedReplicas"),
    JOB: ("active", "ready", "terminating", "succeeded", "failed", "completedIndexes", "failedIndexes"),
}
"""What is compared of each workload's status."""
_CAUSES = {"preempted": "PreemptionByScheduler", "deleted": "Deleted", "removed": "Deleted"}
_COLLECTOR = "pod-garbage-collector-controller"
_EVICTED = {"evicted": "EvictionByEvictionAPI", "tainted": "DeletionByTaintManager"}

Object = dict[str, Any]


def play(case: Mapping[str, Any]) -> dict[str, Any]:
    """Return what becomes of the workloads and which pods are lost. Raises BadInput."""
    edits = list(edits_of(case))
    last = max((edit.get("at", 0.0) for edit in edits), default=0.0)
    simulation = Simulation(
        RunInput(
            objects=_with_quick_ends(case["before"]["items"]),
            driver="timed",
            edits=edits,
            until=last + AFTERWARDS,
            ready_seconds=READY_SECONDS,
        )
    )
    picture = _Picture(case, simulation)
    for decision in simulation:
        picture.take(decision)
    return {
        "workloads": picture.workloads(),
        "lost": picture.lost(),
        "budgets": picture.budgets(),
        "statuses": picture.statuses(),
    }


def expected(case: Mapping[str, Any]) -> dict[str, Any]:
    """Return the recorded outcome as `play` returns it."""
    outcome = case["outcome"]
    workloads = {key: _trimmed(_as_said(row, case)) for key, row in outcome["workloads"].items()}
    return {
        "workloads": {key: row for key, row in workloads.items() if row},
        "lost": outcome["lost"],
        "budgets": outcome["budgets"],
        "statuses": _statuses(case["after"]["items"]),
    }


def _as_said(row: Object, case: Mapping[str, Any]) -> Object:
    """Return a recorded row with places by the case's level, and messages without the condition's reason."""
    places, level = _Places(case), {**_empty(), **row}
    for name in ("nodes", "terminating"):
        level[name] = places.put(level[name])
    level["pods"] = {pod: node and places.of(node) for pod, node in level["pods"].items()}
    said: Counter[str] = Counter()
    for message, count in level["messages"].items():
        said[message.removeprefix("Unschedulable: ")] += count
    return {**level, "messages": dict(said)}


def _with_quick_ends(thing: Any) -> Any:
    """Return objects whose pods end as quickly as in the recordings."""
    if isinstance(thing, list):
        return [_with_quick_ends(one) for one in thing]
    if not isinstance(thing, dict):
        return thing
    return {
        key: -(-value // GRACE_SHARE) if key == "terminationGracePeriodSeconds" else _with_quick_ends(value)
        for key, value in thing.items()
    }


# -- what was done -------------------------------------------------------------------------------------


def edits_of(case: Mapping[str, Any]) -> Iterator[Object]:
    """Yield the actions as edits; the first are those of the start, which need no instant.

    After a drain kubectl comes back when the pods are gone: a minute later.
    """
    at = 0.0
    taints = {
        item["metadata"]["name"]: list(item["spec"].get("taints") or ())
        for item in case["before"]["items"]
        if kind_of(item) == NODE
    }
    for action in case["actions"]:
        match action["do"]:
            case "settle":
                at += SETTLED
            case "wait":
                at += action["seconds"]
            case "drain":
                nodes = action.get("nodes") or [action["name"]]
                yield from (_at(at, op="cordon", node=node) for node in nodes[1:])
                for node in nodes:
                    yield _at(at, op="drain", node=node, timeout=action.get("timeout"))
                    at += SETTLED
            case _:
                yield _at(at, **_edit(action, taints))


def _at(instant: float, **edit: Any) -> Object:
    given = {name: value for name, value in edit.items() if value is not None}
    return given | ({"at": instant} if instant else {})


def _edit(action: Mapping[str, Any], taints: dict[str, list[Object]]) -> Object:
    name = str(action.get("name") or action.get("node") or "")
    match action["do"]:
        case "apply":
            return {"op": "add", "manifest": {"apiVersion": "v1", "kind": "List", "items": action["objects"]}}
        case "cordon" | "uncordon":
            return {"op": action["do"], "node": name}
        case "evict":
            return {"op": "evict", "pod": f"{action.get('namespace', 'default')}/{name}"}
        case "taint" | "untaint" as do:
            taint = action["taint"]
            kept = [
                one for one in taints[name] if (one["key"], one["effect"]) != (taint["key"], taint["effect"])
            ]
            return _tainted(name, taints, [*kept, *([taint] if do == "taint" else [])])
        case "stop-kubelet":
            return {"op": "stop-kubelet", "node": name, "gracePeriod": MONITOR_GRACE}
        case "start-kubelet":
            return {"op": "start-kubelet", "node": name}
    return {"op": action["do"], **{key: value for key, value in action.items() if key != "do"}}


def _tainted(node: Any, taints: dict[str, list[Object]], new: list[Object]) -> Object:
    taints[node] = new
    return {"op": "patch", "kind": "Node", "name": node, "patch": {"spec": {"taints": new}}}


# -- what became of it ---------------------------------------------------------------------------------


class _Places:
    """Nodes by name, or by the label by which a case's places are the same each time."""

    def __init__(self, case: Mapping[str, Any]) -> None:
        nodes = (item["metadata"] for item in case["after"]["items"] if kind_of(item) == NODE)
        level = case.get("level", "node")
        self._names = {node["name"]: node["labels"].get(level, node["name"]) for node in nodes}

    def of(self, node: str) -> str:
        """Return what counts as a node's place."""
        return str(self._names.get(node, node))

    def put(self, counts: Mapping[str, int]) -> dict[str, int]:
        """Return counts by node as counts by place."""
        total: Counter[str] = Counter()
        for node, count in counts.items():
            total[self.of(node)] += count
        return dict(total)


@dataclass
class _Picture:
    """What the decisions of a play come to."""

    case: Mapping[str, Any]
    simulation: Simulation
    said: dict[str, str] = field(default_factory=dict)
    evicted: dict[str, str] = field(default_factory=dict)

    def take(self, decision: Decision) -> None:
        """Note what the scheduler says of a pod, and why one is evicted."""
        if isinstance(decision, Attempt):
            self.said[decision.pod.uid] = decision.message or ""
        elif isinstance(decision, Eviction) and decision.outcome in _EVICTED:
            self.evicted[decision.pod.uid] = _EVICTED[decision.outcome]
        elif isinstance(decision, ClusterChange) and decision.actor == _COLLECTOR and decision.pod:
            self.evicted[decision.pod.uid] = "DeletionByPodGC"

    def workloads(self) -> dict[str, Object]:
        """Return by workload what became of its pods; those of nothing are left out."""
        places = _Places(self.case)
        rows: dict[str, Object] = {}
        for pod in self.simulation.state().pods():
            row = rows.setdefault(_owner(pod), _empty())
            node = places.of(pod.node)
            if pod.terminating:
                row["terminating"][node] = row["terminating"].get(node, 0) + 1
                continue
            if _owner(pod).startswith("StatefulSet/"):
                row["pods"][pod.name] = node or None
            if node:
                row["nodes"][node] = row["nodes"].get(node, 0) + 1
            else:
                row["pending"] += 1
                said = self.said.get(pod.uid, "")
                row["messages"][said] = row["messages"].get(said, 0) + 1
        for why, name in (("finished", "succeeded"), ("failed", "failed")):
            for key, count in self._ended_by(why).items():
                rows.setdefault(key, _empty())[name] = count
        trimmed = {key: _trimmed(row) for key, row in rows.items()}
        return {key: row for key, row in trimmed.items() if row}

    def _ended_by(self, reason: str) -> Counter[str]:
        return Counter(key for key, _, why in self._ended() if why == reason)

    def lost(self) -> dict[str, dict[str, int]]:
        """Return by workload how many pods went, by cause and node."""
        lost: dict[str, Counter[str]] = {}
        for key, node, why in self._ended():
            if why not in ("finished", "failed"):
                lost.setdefault(key, Counter())[f"{why} {node}".rstrip()] += 1
        return {key: dict(counts) for key, counts in sorted(lost.items())}

    def budgets(self) -> dict[str, dict[str, int]]:
        """Return what each budget's status says."""
        found = (item for item in self.simulation.objects_at_end() if kind_of(item) == POD_DISRUPTION_BUDGET)
        return {
            f"{namespace_of(item)}/{name_of(item)}": {name: item["status"].get(name, 0) for name in _STATUS}
            for item in found
        }

    def statuses(self) -> dict[str, Object]:
        """Return what each workload's status says."""
        return _statuses(self.simulation.objects_at_end())

    def _ended(self) -> Iterator[tuple[str, str, str]]:
        """Yield workload, node and cause of each pod that is gone."""
        run = self.simulation._world
        assert isinstance(run, TimedRun)
        for pod, (_, why) in run.world.cluster.ended.values.items():
            row = run.state.pod_changes.row(pod)
            cause = self.evicted.get(row["uid"], _CAUSES.get(why, why))
            yield _owner_of(row["workload"], row["namespace"], row["name"]), row["node"], cause


def _statuses(items: Iterable[Object]) -> dict[str, Object]:
    """Return of each workload what its status counts, and with which condition and reason a Job has ended."""
    found = {}
    for item in items:
        kind, status = kind_of(item), item.get("status") or {}
        if kind in _STATUSES:
            ends = [one for one in status.get("conditions") or () if one["type"] in ("Complete", "Failed")]
            said = {one["type"]: one.get("reason") for one in ends if kind == JOB}
            counts = {name: status[name] for name in _STATUSES[kind] if status.get(name)}
            found[f"{kind}/{namespace_of(item)}/{name_of(item)}"] = counts | said
    return found


def _owner(pod: Any) -> str:
    return _owner_of(pod.workload, pod.namespace, pod.name)


def _owner_of(workload: str, namespace: str, name: str) -> str:
    return workload or f"Pod/{namespace}/{name}"


def _empty() -> Object:
    return {
        "nodes": {},
        "pending": 0,
        "terminating": {},
        "succeeded": 0,
        "failed": 0,
        "messages": {},
        "pods": {},
    }


def _trimmed(row: Object) -> Object:
    return {name: row[name] for name in _COUNTED if row[name]}
