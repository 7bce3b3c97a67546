"""Volcano's older GPU sharing: cards that pods share by memory alone, or that pods have to themselves.

Which idle cards a pod gets that asks for a number of them, Volcano leaves to chance: here the first ones.

Source: volcano v1.16 pkg/scheduler/api/devices/nvidia/gpushare/device_info.go, share.go.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from scheduler_core.go.parse import parse_int
from scheduler_core.objects.amounts.go_quantity import whole
from scheduler_core.objects.types import Container, Node, Pod
from scheduler_core.volcano.model.custom_resources import annotation
from scheduler_core.volcano.model.node_devices import CannotAllocate, NodeDevices
from scheduler_core.volcano.model.tasks import COMPLETED, Task

MEMORY, NUMBER = "volcano.sh/gpu-memory", "volcano.sh/gpu-number"
INDEX = "volcano.sh/gpu-index"
"""The annotation that says which cards a pod holds."""
_UNHEALTHY = "volcano.sh/gpu-unhealthy-ids"


@dataclass
class GpuShareNode(NodeDevices):
    """A node's cards by index, all with `memory`; who is on each by uid.

    by_memory, by_number: which of the two the configuration has switched on.
    """

    node: str
    memory: int
    cards: dict[int, dict[str, Task]]
    by_memory: bool
    by_number: bool
    score: float = field(default=0.0, init=False)

    def asked_by(self, task: Task) -> bool:
        return (self.by_memory and _asked(task.pod, MEMORY) > 0) or (
            self.by_number and _asked(task.pod, NUMBER) > 0
        )

    def add(self, task: Task) -> None:
        if _asked(task.pod, MEMORY) > 0 or _asked(task.pod, NUMBER) > 0:
            for place in _held(task):
                if place in self.cards:
                    self.cards[place][task.uid] = task

    def remove(self, task: Task) -> None:
        if _asked(task.pod, MEMORY) > 0 or _asked(task.pod, NUMBER) > 0:
            self._take_off(task)

    def release(self, task: Task) -> tuple[str, ...]:
        self._take_off(task)
        return (INDEX,)

    def _take_off(self, task: Task) -> None:
        """Take a pod off the cards that its annotation names, off all where it names none."""
        for place in _held(task) or list(self.cards):
            self.cards.get(place, {}).pop(task.uid, None)

    def refusal(self, task: Task, policy: str) -> str:
        if self.by_memory and _asked(task.pod, MEMORY) > 0 and not self._roomy(task):
            return f"GpuShare no enough gpu memory on node {self.node}"
        if self.by_number and _asked(task.pod, NUMBER) > 0 and not self._idle(task):
            return f"GpuNumber no enough gpu number on node {self.node}"
        return ""

    def allocate(self, task: Task, policy: str) -> dict[str, str]:
        if _asked(task.pod, MEMORY) > 0:
            places = self._roomy(task)[:1]
        elif _asked(task.pod, NUMBER) > 0:
            places = self._idle(task)
        else:
            return {}
        if not places:
            raise CannotAllocate(f"the node can't place the pod {task.name} in ns {task.namespace}")
        for place in places:
            self.cards[place][task.uid] = task
        return {INDEX: ",".join(map(str, places))}

    def copied(self) -> GpuShareNode:
        cards = {place: dict(pods) for place, pods in self.cards.items()}
        return GpuShareNode(self.node, self.memory, cards, self.by_memory, self.by_number)

    def _roomy(self, task: Task) -> list[int]:
        """Return the cards with enough memory, in their order."""
        asked = _asked(task.pod, MEMORY)
        return [place for place, pods in sorted(self.cards.items()) if self._left(pods) >= asked]

    def _left(self, pods: dict[str, Task]) -> int:
        used = sum(_asked(task.pod, MEMORY) for task in pods.values() if task.status not in COMPLETED)
        return max(self.memory - used, 0)

    def _idle(self, task: Task) -> list[int]:
        """Return as many cards without a pod as are asked for, none where there are fewer."""
        idle, asked = (
            [place for place, pods in sorted(self.cards.items()) if not pods],
            _asked(task.pod, NUMBER),
        )
        return idle[:asked] if len(idle) >= asked else []


def gpu_share_node(node: Node, *, by_memory: bool, by_number: bool) -> GpuShareNode | None:
    """Return a node's cards, None where its capacity names none."""
    capacity = node.status.capacity or {}
    if MEMORY not in capacity or NUMBER not in capacity:
        return None
    number = whole(capacity[NUMBER])
    if number <= 0:
        return None
    cards: dict[int, dict[str, Task]] = {place: {} for place in range(number)}
    for text in (annotation(node.metadata, _UNHEALTHY) or "").split(","):
        cards.pop(_place(text), None)
    return GpuShareNode(node.metadata.name, whole(capacity[MEMORY]) // number, cards, by_memory, by_number)


def _place(text: str) -> int:
    number = parse_int(text)
    return -1 if number is None else number


def _held(task: Task) -> list[int]:
    """Return the cards that a pod's annotation names; none where one of them is no number."""
    text = task.annotation(INDEX)
    places = [] if text is None else [parse_int(part) for part in text.split(",")]
    return [] if None in places else [place for place in places if place is not None]


def _asked(pod: Pod, name: str) -> int:
    """Return what a pod's limits come to: its containers together, or its largest init container."""
    spec = pod.spec
    first = max((_limit(one, name) for one in spec.init_containers or ()), default=0)
    return max(sum(_limit(one, name) for one in spec.containers or ()), first)


def _limit(container: Container, name: str) -> int:
    limits = (container.resources.limits if container.resources else None) or {}
    return whole(limits[name]) if name in limits else 0
