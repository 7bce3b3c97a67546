"""lowNodeUtilization: pods of nodes above the target go, as long as nodes below the thresholds take them.

Of nodes that are equally busy the first by name is looked at first, of pods that are alike the one that came
to the node first; Volcano leaves both to chance. A pod is known by its name alone, whatever its namespace.

Source: volcano v1.16 pkg/scheduler/plugins/rescheduling/low_node_utilization.go, node_utilization_util.go.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from scheduler_core.objects.amounts.go_quantity import GoQuantity, go_quantity
from scheduler_core.objects.quality_of_service import qos_class
from scheduler_core.objects.types import Node, Pod, ResourceList
from scheduler_core.volcano.framework.session import Session
from scheduler_core.volcano.model.node_load import PERIOD, load_of
from scheduler_core.volcano.model.tasks import Task

_RESOURCES = {"cpu": -3, "memory": 0}
"""The power of ten in which amounts are whole numbers: milli-CPU and bytes."""
_QUALITIES = ("BestEffort", "Burstable", "Guaranteed")


class Thresholds(NamedTuple):
    """Per cent of cpu and memory: a node with less of both is idle, one with more of either is busy."""

    idle: Mapping[str, float] = {"cpu": 100.0, "memory": 100.0}
    busy: Mapping[str, float] = {"cpu": 100.0, "memory": 100.0}


def read_thresholds(params: Mapping[str, Any]) -> Thresholds:
    """Return what a strategy's parameters say. The first that is no mapping ends the reading."""
    found = [Thresholds().idle, Thresholds().busy]
    for place, key in enumerate(("thresholds", "targetThresholds")):
        if key not in params:
            continue
        given = params[key]
        if not isinstance(given, Mapping):
            break
        found[place] = {
            name: float(given[name]) if name in given else usual for name, usual in found[place].items()
        }
    return Thresholds(*found)


@dataclass
class _Node:
    """`use` is in per cent, and falls with every pod that is to go."""

    source: Node
    use: dict[str, float]
    pods: list[Pod] = field(default_factory=list)

    def exceeds(self, most: Mapping[str, float], *, or_reaches: bool) -> bool:
        """Return whether the use of some resource is above its threshold, or at it."""
        return any(use >= most[name] if or_reaches else use > most[name] for name, use in self.use.items())

    @property
    def is_idle_by(self) -> float:
        """By what nodes are ordered: the most used comes first."""
        return -sum(self.use.values())


def victims_of(
    session: Session, running: Sequence[Task], thresholds: Thresholds, period: str
) -> Iterator[Task]:
    """Yield the pods that are to go, in the order in which they are found.

    period: over which time use is averaged; Volcano has figures of `10m` only, and none of any other.
    """
    nodes = list(_nodes(session, known=session.configuration.measures and period == PERIOD))
    idle = [
        node
        for node in nodes
        if not node.source.spec.unschedulable and not node.exceeds(thresholds.idle, or_reaches=True)
    ]
    busy = [node for node in nodes if node not in idle and node.exceeds(thresholds.busy, or_reaches=False)]
    if not idle or not busy:
        return
    room = {name: sum(_room(node, name, thresholds.busy[name]) for node in idle) for name in _RESOURCES}
    by_name: dict[str, Task] = {}
    for task in running:
        by_name.setdefault(task.name, task)
    for node in sorted(busy, key=lambda node: (node.is_idle_by, node.source.metadata.name)):
        for pod in sorted(node.pods, key=_before):
            if 0 in room.values() or not node.exceeds(thresholds.busy, or_reaches=True):
                break
            named = by_name.get(pod.metadata.name)
            if named is not None:
                _take(named, node, room)
                yield named


def _nodes(session: Session, *, known: bool) -> Iterator[_Node]:
    for node, tasks in zip(session.state.nodes.objects, session.nodes.tasks, strict=True):
        load = load_of(node.metadata.annotations) if known else None
        use = dict.fromkeys(_RESOURCES, 0.0) if load is None else load._asdict()
        yield _Node(node, use, [task.pod for task, _ in tasks.values()])


def _room(node: _Node, name: str, most: float) -> int:
    """Return how much of a resource there is up to the target, below 0 where there is more in use."""
    status = node.source.status
    size = float(_amount(status.allocatable or status.capacity, name).in_units_of(_RESOURCES[name]))
    return int(most * size * 0.01) - int(node.use[name] * size * 0.01)


def _take(task: Task, node: _Node, room: dict[str, int]) -> None:
    """Count a pod off: its requests are thought to be its use."""
    for name, power in _RESOURCES.items():
        asked = int(task.request.get(name))
        room[name] -= asked
        whole = _approximate(_amount(node.source.status.capacity, name))
        share = _approximate(GoQuantity(asked, power, short=True)) * 100
        node.use[name] -= share / whole if whole else (math.inf if share else math.nan)


def _amount(amounts: ResourceList | None, name: str) -> GoQuantity:
    return go_quantity((amounts or {}).get(name, "0"))


def _approximate(amount: GoQuantity) -> float:
    return float(amount.digits) * 10.0**amount.power


def _before(pod: Pod) -> tuple[bool, int, int]:
    """Return by what pods are ordered: without priority first, the lower one, the lower class of service."""
    priority = pod.spec.priority
    return priority is not None, priority or 0, _QUALITIES.index(qos_class(pod))
