"""The scheduling queue of 1.11 and 1.13: active, unschedulable, nominations, and move requests.

Cluster events move pods from unschedulable to active. A pod whose attempt was under way when such an event
came may have missed it, so that it becomes active again instead of being set aside: the move mark tells.

Source: kubernetes v1.11 pkg/scheduler/core/scheduling_queue.go, v1.13 pkg/scheduler/internal/queue
PriorityQueue, nominatedPodMap.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from scheduler_core.kube.releases.queued_pod import QueuedPod

ASIDE_AT_MOST = 60 * 10**9
"""The periodic flush moves who is set aside for longer, in nanoseconds (1.13)."""

IN_UNSCHEDULABLE = "pod is already present in unschedulableQ"
IN_ACTIVE = "pod is already present in the activeQ"


# -- nominations -------------------------------------------------------------------------------------


@dataclass
class NominationsByNode:
    """1.11: node to pods. A pod is sought under the node that the given version names, and nowhere else."""

    pods: dict[str, list[QueuedPod]] = field(default_factory=dict)
    forgotten_by_pop = True

    def add(self, pod: QueuedPod, node: str = "") -> None:
        """Enter the pod under its nominated node, unless it is there already."""
        node = node or pod.nominated_node
        if node and all(other.uid != pod.uid for other in self.pods.get(node, ())):
            self.pods.setdefault(node, []).append(pod)

    def delete(self, pod: QueuedPod) -> None:
        """Remove the pod."""
        self._remove(pod, pod.nominated_node)

    def _remove(self, pod: QueuedPod, node: str) -> None:
        left = [other for other in self.pods.get(node, ()) if other.uid != pod.uid]
        if left:
            self.pods[node] = left
        else:
            self.pods.pop(node, None)

    def update(self, old: QueuedPod, new: QueuedPod) -> None:
        """Replace a version of a pod by another."""
        self.delete(old)
        self.add(new)


@dataclass
class NominationsByPod(NominationsByNode):
    """1.13: with an index by pod, so that a pod has one nomination at most, whatever version is given."""

    node_of: dict[str, str] = field(default_factory=dict)
    forgotten_by_pop = False

    def add(self, pod: QueuedPod, node: str = "") -> None:
        self.delete(pod)
        super().add(pod, node)
        if node or pod.nominated_node:
            self.node_of[pod.uid] = node or pod.nominated_node

    def delete(self, pod: QueuedPod) -> None:
        node = self.node_of.pop(pod.uid, "")
        if node:
            self._remove(pod, node)


# -- the move mark -----------------------------------------------------------------------------------


@dataclass
class MoveFlag:
    """1.11: whether a move request came since the last pop."""

    received: bool = False

    def popped(self) -> None:
        """A pod is being tried from now on."""
        self.received = False

    def requested(self) -> None:
        """A cluster event came."""
        self.received = True

    def missed_by(self, cycle: int) -> bool:
        """Return whether the attempt of this cycle may have missed an event."""
        return self.received

    def figures(self) -> dict[str, bool | int]:
        """Return the mark as the recordings name it."""
        return {"received_move_request": self.received}


@dataclass
class MoveCycle:
    """1.13: in which scheduling cycle the last move request came."""

    current: int = 0
    last: int = -1

    def popped(self) -> None:
        """A pod is being tried from now on."""
        self.current += 1

    def requested(self) -> None:
        """A cluster event came."""
        self.last = self.current

    def missed_by(self, cycle: int) -> bool:
        """Return whether the attempt of this cycle may have missed an event."""
        return cycle <= self.last

    def figures(self) -> dict[str, bool | int]:
        """Return the mark as the recordings name it."""
        return {"scheduling_cycle": self.current, "move_request_cycle": self.last}


# -- the queue ---------------------------------------------------------------------------------------

Rank = Callable[[QueuedPod], tuple[int, ...]]


def by_priority(pod: QueuedPod) -> tuple[int, ...]:
    """1.11: the higher priority first."""
    return (-pod.priority,)


def by_priority_and_time(pod: QueuedPod) -> tuple[int, ...]:
    """1.13: the higher priority first, then who was tried longer ago."""
    return -pod.priority, pod.timestamp


class ReleaseQueue:
    """Pods are known by namespace and name; each part holds the version that was handed over last."""

    def __init__(self, rank: Rank, nominations: NominationsByNode, moves: MoveFlag | MoveCycle) -> None:
        self._rank = rank
        self.nominations = nominations
        self.moves = moves
        self._active: dict[str, QueuedPod] = {}
        self._unschedulable: dict[str, QueuedPod] = {}

    @property
    def active(self) -> list[QueuedPod]:
        """The active pods in the order in which they would be popped; equals as they came."""
        return sorted(self._active.values(), key=self._rank)

    @property
    def unschedulable(self) -> list[QueuedPod]:
        """The pods set aside, in the order in which they came."""
        return list(self._unschedulable.values())

    def add(self, pod: QueuedPod) -> None:
        """Take in a new pod."""
        self._active[pod.key] = pod
        if pod.key in self._unschedulable:
            self.nominations.delete(pod)
            del self._unschedulable[pod.key]
        self.nominations.add(pod)

    def add_if_not_present(self, pod: QueuedPod) -> None:
        """Take in a pod unless it is in the queue."""
        if pod.key not in self._active and pod.key not in self._unschedulable:
            self._active[pod.key] = pod
            self.nominations.add(pod)

    def add_unschedulable_if_not_present(self, pod: QueuedPod, cycle: int = 0) -> str | None:
        """Set a pod aside that was tried in this cycle; return why that is refused, if it is."""
        if pod.key in self._unschedulable:
            return IN_UNSCHEDULABLE
        if pod.key in self._active:
            return IN_ACTIVE
        aside = pod.is_unschedulable and not self.moves.missed_by(cycle)
        (self._unschedulable if aside else self._active)[pod.key] = pod
        self.nominations.add(pod)
        return None

    def update(self, old: QueuedPod, new: QueuedPod) -> None:
        """Take note of a new version: one that may have become schedulable becomes active."""
        if new.key in self._active:
            self.nominations.update(old, new)
            self._active[new.key] = new
        elif new.key in self._unschedulable:
            self.nominations.update(old, new)
            if new.differs_from(old):
                del self._unschedulable[new.key]
                self._active[new.key] = new
            else:
                self._unschedulable[new.key] = new
        else:
            self._active[new.key] = new
            self.nominations.add(new)

    def delete(self, pod: QueuedPod) -> None:
        """Forget a pod."""
        self.nominations.delete(pod)
        if self._active.pop(pod.key, None) is None:
            self._unschedulable.pop(pod.key, None)

    def pop(self) -> QueuedPod | None:
        """Return the pod that is tried next and take it out; None where nobody is active."""
        pod = next(iter(self.active), None)
        if pod is not None:
            del self._active[pod.key]
            if self.nominations.forgotten_by_pop:
                self.nominations.delete(pod)
            self.moves.popped()
        return pod

    # -- cluster events ------------------------------------------------------------------------------

    def move_all_to_active(self) -> None:
        """Some event may have made anybody schedulable."""
        self._move(self.unschedulable)

    def assigned_pod_changed(self, pod: QueuedPod) -> None:
        """A bound pod came or changed: move who has a required affinity term that selects it."""
        self._move(
            waiting
            for waiting in self.unschedulable
            if any(term.matches(pod.namespace, pod.labels, {}) for term in waiting.required_affinity)
        )

    def flush_unschedulable_leftover(self, now: int) -> None:
        """Move who is set aside for too long; `now` in nanoseconds."""
        late = [pod for pod in self.unschedulable if now - pod.timestamp > ASIDE_AT_MOST]
        if late:
            self._move(late)

    def _move(self, pods: Iterable[QueuedPod]) -> None:
        for pod in list(pods):
            del self._unschedulable[pod.key]
            self._active[pod.key] = pod
        self.moves.requested()


QUEUES: dict[str, Callable[[], ReleaseQueue]] = {
    "1.11": lambda: ReleaseQueue(by_priority, NominationsByNode(), MoveFlag()),
    "1.13": lambda: ReleaseQueue(by_priority_and_time, NominationsByPod(), MoveCycle()),
}
