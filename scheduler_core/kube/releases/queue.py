"""The scheduling queue of 1.11 and 1.13: active, unschedulable, nominations, and move requests.

Cluster events move pods from unschedulable to active. A pod whose attempt was under way when such an event
came may have missed it, so that it becomes active again instead of being set aside: the move mark tells.

Source: kubernetes v1.11 pkg/scheduler/core/scheduling_queue.go, v1.13 pkg/scheduler/internal/queue
PriorityQueue, nominatedPodMap.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from scheduler_core.kube.queueing.queue_parts import ACTIVE, UNSCHEDULABLE, QueueParts
from scheduler_core.kube.releases.queued_pod import QueuedPod
from scheduler_core.state.journal import Journal
from scheduler_core.state.ordered_lists import OrderedLists
from scheduler_core.state.register import Register

ASIDE_AT_MOST = 60 * 10**9
"""The periodic flush moves who is set aside for longer, in nanoseconds (1.13)."""

IN_UNSCHEDULABLE = "pod is already present in unschedulableQ"
IN_ACTIVE = "pod is already present in the activeQ"


# -- nominations -------------------------------------------------------------------------------------


class Nominee(NamedTuple):
    """A nominated pod: it is known by its uid; people know it by its key."""

    uid: str
    key: str


class NominationsByNode:
    """1.11: node to pods. A pod is sought under the node that the given version names, and nowhere else."""

    forgotten_by_pop = True

    def __init__(self, journal: Journal) -> None:
        self._nodes: OrderedLists[Nominee] = OrderedLists(journal)

    def of_nodes(self) -> dict[str, list[str]]:
        """Return each node's nominated pods (`namespace/name`) in the order of their nominations."""
        return {node: [nominee.key for nominee in nominees] for node, nominees in self._nodes.items()}

    def add(self, pod: QueuedPod, node: str = "") -> None:
        """Enter the pod under its nominated node, unless it is there already."""
        node, nominee = node or pod.nominated_node, Nominee(pod.uid, pod.key)
        if node and nominee not in self._nodes.get(node):
            self._nodes.append(node, nominee)

    def delete(self, pod: QueuedPod) -> None:
        """Remove the pod."""
        self._remove(pod, pod.nominated_node)

    def _remove(self, pod: QueuedPod, node: str) -> None:
        nominee = Nominee(pod.uid, pod.key)
        if nominee in self._nodes.get(node):
            self._nodes.take_out(node, nominee)

    def update(self, old: QueuedPod, new: QueuedPod) -> None:
        """Replace a version of a pod by another."""
        self.delete(old)
        self.add(new)


class NominationsByPod(NominationsByNode):
    """1.13: with an index by pod, so that a pod has one nomination at most, whatever version is given."""

    forgotten_by_pop = False

    def __init__(self, journal: Journal) -> None:
        super().__init__(journal)
        self._node_of: Register[str, str] = Register(journal)

    def add(self, pod: QueuedPod, node: str = "") -> None:
        self.delete(pod)
        super().add(pod, node)
        if node or pod.nominated_node:
            self._node_of.put(pod.uid, node or pod.nominated_node)

    def delete(self, pod: QueuedPod) -> None:
        node = self._node_of.get(pod.uid)
        if node:
            self._node_of.drop(pod.uid)
            self._remove(pod, node)


# -- the move mark -----------------------------------------------------------------------------------


class MoveFlag:
    """1.11: whether a move request came since the last pop."""

    def __init__(self, journal: Journal) -> None:
        self._mark: Register[str, bool] = Register(journal, {"received": False}.items())

    def popped(self) -> None:
        """A pod is being tried from now on."""
        self._mark.put("received", False)

    def requested(self) -> None:
        """A cluster event came."""
        self._mark.put("received", True)

    def missed_by(self, cycle: int) -> bool:
        """Return whether the attempt of this cycle may have missed an event."""
        return self._mark.values["received"]

    def figures(self) -> dict[str, bool | int]:
        """Return the mark as the recordings name it."""
        return {"received_move_request": self._mark.values["received"]}


class MoveCycle:
    """1.13: in which scheduling cycle the last move request came."""

    def __init__(self, journal: Journal) -> None:
        self._cycles: Register[str, int] = Register(journal, {"current": 0, "moved": -1}.items())

    def popped(self) -> None:
        """A pod is being tried from now on."""
        self._cycles.put("current", self._cycles.values["current"] + 1)

    def requested(self) -> None:
        """A cluster event came."""
        self._cycles.put("moved", self._cycles.values["current"])

    def missed_by(self, cycle: int) -> bool:
        """Return whether the attempt of this cycle may have missed an event."""
        return cycle <= self._cycles.values["moved"]

    def figures(self) -> dict[str, bool | int]:
        """Return the mark as the recordings name it."""
        cycles = self._cycles.values
        return {"scheduling_cycle": cycles["current"], "move_request_cycle": cycles["moved"]}


# -- the queue ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Policies:
    """What 1.11 and 1.13 do differently. `tried` is asked for a pod's turn among those of its priority."""

    nominations: type[NominationsByNode]
    moves: type[MoveFlag] | type[MoveCycle]
    tried: Callable[[QueuedPod], int]


POLICIES: dict[str, Policies] = {
    "1.11": Policies(NominationsByNode, MoveFlag, lambda pod: 0),
    "1.13": Policies(NominationsByPod, MoveCycle, lambda pod: pod.timestamp),
}
"""1.13 tries among equals who was tried longer ago; 1.11 who came first."""


class Versions(Register[str, QueuedPod]):
    """The version of each pod that was handed over last, by which its part ranks it."""

    def __init__(self, journal: Journal, parts: QueueParts[str]) -> None:
        super().__init__(journal)
        self._parts = parts

    def write(self, key: str, field: str, value: Any) -> None:
        super().write(key, field, value)
        self._parts.rank_again(key)


class ReleaseQueue:
    """Pods are known by namespace and name; the queue holds the version that was handed over last."""

    def __init__(self, policies: Policies, journal: Journal) -> None:
        self.nominations = policies.nominations(journal)
        self.moves = policies.moves(journal)
        self._tried = policies.tried
        self._parts: QueueParts[str] = QueueParts(journal, {ACTIVE: self._rank})
        self._versions = Versions(journal, self._parts)

    def _rank(self, key: str, order: int) -> tuple[int, ...]:
        pod = self._versions.values[key]
        return -pod.priority, self._tried(pod), order

    @property
    def active(self) -> list[QueuedPod]:
        """The active pods in the order in which they would be popped; equals as they came."""
        return [self._versions.values[key] for key in self._parts.in_turn(ACTIVE)]

    @property
    def unschedulable(self) -> list[QueuedPod]:
        """The pods set aside, in the order in which they came."""
        return [self._versions.values[key] for key in self._parts.get(UNSCHEDULABLE)]

    def add(self, pod: QueuedPod) -> None:
        """Take in a new pod."""
        if self._parts.part_of(pod.key) == UNSCHEDULABLE:
            self.nominations.delete(pod)
        self._put(pod, ACTIVE)
        self.nominations.add(pod)

    def add_if_not_present(self, pod: QueuedPod) -> None:
        """Take in a pod unless it is in the queue."""
        if self._parts.part_of(pod.key) is None:
            self._put(pod, ACTIVE)
            self.nominations.add(pod)

    def add_unschedulable_if_not_present(self, pod: QueuedPod, cycle: int = 0) -> str | None:
        """Set a pod aside that was tried in this cycle; return why that is refused, if it is."""
        part = self._parts.part_of(pod.key)
        if part is not None:
            return IN_UNSCHEDULABLE if part == UNSCHEDULABLE else IN_ACTIVE
        aside = pod.is_unschedulable and not self.moves.missed_by(cycle)
        self._put(pod, UNSCHEDULABLE if aside else ACTIVE)
        self.nominations.add(pod)
        return None

    def update(self, old: QueuedPod, new: QueuedPod) -> None:
        """Take note of a new version: one that may have become schedulable becomes active."""
        part = self._parts.part_of(new.key)
        if part is None:
            self._put(new, ACTIVE)
            self.nominations.add(new)
            return
        self.nominations.update(old, new)
        self._put(new, ACTIVE if new.differs_from(old) else part)

    def delete(self, pod: QueuedPod) -> None:
        """Forget a pod."""
        self.nominations.delete(pod)
        if self._parts.part_of(pod.key) is not None:
            self._take_out(pod.key)

    def pop(self) -> QueuedPod | None:
        """Return the pod that is tried next and take it out; None where nobody is active."""
        key = self._parts.first(ACTIVE)
        if key is None:
            return None
        pod = self._take_out(key)
        if self.nominations.forgotten_by_pop:
            self.nominations.delete(pod)
        self.moves.popped()
        return pod

    def _put(self, pod: QueuedPod, part: str) -> None:
        """Keep this version of a pod, in a part; one that is there already keeps its order."""
        stays = self._parts.part_of(pod.key) == part
        if not stays:
            self._parts.exit(pod.key)
        self._versions.put(pod.key, pod)
        if not stays:
            self._parts.append(part, pod.key)

    def _take_out(self, key: str) -> QueuedPod:
        pod = self._versions.values[key]
        self._parts.exit(key)
        self._versions.drop(key)
        return pod

    # -- cluster events ------------------------------------------------------------------------------

    def move_all_to_active(self) -> None:
        """Some event may have made anybody schedulable."""
        self._parts.move_members(UNSCHEDULABLE, ACTIVE)
        self.moves.requested()

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
            self._parts.enter(pod.key, ACTIVE)
        self.moves.requested()
