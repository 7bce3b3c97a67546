"""Whose room was it: room that one pod's preemption freed and another pod took, or was kept out of.

What is claimed is what the log shows: a pod evicted others on a node for itself, before it came back another
pod was bound there, and the first one did not get the node when it was tried again; while in the other run
the same decision did not let the other pod in, and the first one got the node.
"""

from dataclasses import dataclass

from dashboard.queries.comparison_meaning import Seen
from scheduler_core.events.decisions import PodRef


@dataclass(frozen=True)
class Room:
    """`taker` took the room on `node` that `owner` had freed, at decision `seq` of the run `taken_in`."""

    taken_in: str
    seq: int
    node: str
    owner: PodRef
    taker: PodRef


class RoomWatch:
    """One run: who has freed which node for themselves, and what became of it after the first difference."""

    def __init__(self) -> None:
        self._freed: dict[str, tuple[PodRef, str]] = {}
        self._at: Seen | None = None
        self._owners: list[tuple[PodRef, str]] = []
        self._came_to: dict[str, str] = {}

    def look_at(self, seen: Seen) -> None:
        """Remember the first decision that differs, and the owners of freed room before it."""
        self._at = seen
        self._owners = [(pod, node) for pod, node in self._freed.values() if pod.uid != seen.uid]

    def take(self, seen: Seen) -> None:
        """Follow a decision."""
        uid = seen.uid
        if self._at is not None and seen.seq > self._at.seq:
            self._came_to.setdefault(uid, seen.chosen or "")
        preempts = seen.preemption is not None and seen.preemption.nominated and seen.preemption.victims
        if preempts and seen.pod is not None and seen.preemption is not None:
            self._freed[uid] = (seen.pod, seen.preemption.nominated)
        elif seen.chosen:
            self._freed.pop(uid, None)
        for pod in seen.preemption.cleared if seen.preemption else ():
            self._freed.pop(pod.uid, None)

    def stolen(self, side: str, other: "RoomWatch") -> Room | None:
        """Return the room that this run's differing decision took and the other's did not."""
        here, there = self._at, other._at
        if here is None or there is None or here.pod is None or here.uid != there.uid:
            return None
        if not here.chosen or here.chosen == there.chosen:
            return None
        for owner, node in self._owners:
            lost = owner.uid in self._came_to and self._came_to[owner.uid] != node
            if node == here.chosen and lost and other._held(owner.uid, node):
                return Room(side, here.seq, node, owner, here.pod)
        return None

    def _held(self, uid: str, node: str) -> bool:
        owns = any(pod.uid == uid and held == node for pod, held in self._owners)
        return owns and self._came_to.get(uid) == node
