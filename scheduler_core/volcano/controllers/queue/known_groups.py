"""The pod groups known of each queue, with how many of them are in which phase.

What an event changes is counted as it comes: the real controller counts all groups of a queue at each sync.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from scheduler_core.volcano.controllers.informers import Informers
from scheduler_core.volcano.controllers.kinds import POD_GROUP, Object, key_of, phase_of


class KnownGroups:
    """Groups by key, `namespace/name`, in the order in which their queue came to know them.

    A group that has moved to another queue is known of both. One that is gone may still be known of a queue
    that it has left: it counts in no phase, and is known until the queue forgets it.
    """

    def __init__(self, informers: Informers) -> None:
        self._informers = informers
        self._clear()

    def _clear(self) -> None:
        self._of_queue: dict[str, dict[str, None]] = {}
        self._queues: dict[str, set[str]] = {}
        """By group, which queues know it."""
        self._phase: dict[str, str] = {}
        self._phases: dict[str, Counter[str]] = {}
        self._gone: dict[str, set[str]] = {}

    def of(self, queue: str) -> Mapping[str, None]:
        """Return the groups that are known of a queue, those that are gone and not forgotten, too."""
        return self._of_queue.get(queue, {})

    def in_phases(self, queue: str, phases: Iterable[str]) -> Counter[str]:
        """Return how many of a queue's groups are in each of these phases."""
        known = self._phases.get(queue, Counter())
        return Counter({phase: known[phase] for phase in phases})

    # -- what changes --------------------------------------------------------------------------------

    def hear(self, key: str, now: Object | None) -> None:
        """Follow a group that came, changed or went, in all queues that know it."""
        before, after = self._phase.pop(key, None), None if now is None else phase_of(now)
        if after is not None:
            self._phase[key] = after
        if before != after:
            for queue in self._queues.get(key, ()):
                self._count(queue, key, before, -1)
                self._count(queue, key, after, 1)

    def add(self, queue: str, key: str) -> None:
        """Let a queue know a group."""
        known = self._of_queue.setdefault(queue, {})
        if key not in known:
            known[key] = None
            self._queues.setdefault(key, set()).add(queue)
            self._count(queue, key, self._phase.get(key), 1)

    def drop(self, queue: str, key: str) -> None:
        """Let a queue forget a group."""
        known = self._of_queue.get(queue, {})
        if key in known:
            del known[key]
            self._queues[key].discard(queue)
            self._count(queue, key, self._phase.get(key), -1)

    def forget_gone(self, queue: str) -> None:
        """Let a queue forget the groups that are gone."""
        for key in list(self._gone.get(queue, ())):
            self.drop(queue, key)

    def forget_queue(self, queue: str) -> None:
        """Forget a queue with all that it knows."""
        for key in list(self.of(queue)):
            self.drop(queue, key)
        self._of_queue.pop(queue, None)

    def _count(self, queue: str, key: str, phase: str | None, by: int) -> None:
        if phase is not None:
            self._phases.setdefault(queue, Counter())[phase] += by
        elif by > 0:
            self._gone.setdefault(queue, set()).add(key)
        else:
            self._gone[queue].discard(key)

    # -- checkpoints ---------------------------------------------------------------------------------

    def dump(self) -> dict[str, list[str]]:
        """Return as plain data which groups are known of each queue."""
        return {queue: list(groups) for queue, groups in self._of_queue.items()}

    def load(self, data: Mapping[str, Iterable[str]]) -> None:
        """Restore what `dump` returned, with the informers' copies as they are now."""
        self._clear()
        for item in self._informers.list(POD_GROUP):
            self._phase[key_of(item)] = phase_of(item)
        for queue, groups in data.items():
            self._of_queue[queue] = {}
            for key in groups:
                self.add(queue, key)
