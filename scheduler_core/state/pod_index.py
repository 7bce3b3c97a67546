"""Finds pods by name and by controller: what follows from the rows of pods, kept up with them."""

from __future__ import annotations

import bisect
from collections.abc import Iterable

from scheduler_core.objects.types import Pod


class PodIndex:
    """Rows of pods, those that are gone too; a name is `namespace/name`."""

    def __init__(self) -> None:
        self._last: dict[str, int] = {}
        """By name the last pod that has it."""
        self._before: dict[int, int] = {}
        """By pod the one before it that has the same name."""
        self._controlled: dict[str, list[int]] = {}

    def add(self, row: int, name: str, pod: Pod) -> None:
        """Take in the next row."""
        if name in self._last:
            self._before[row] = self._last[name]
        self._last[name] = row
        if uid := controller_uid(pod):
            self._controlled.setdefault(uid, []).append(row)

    def remove_last(self, row: int, name: str, pod: Pod) -> None:
        """Forget the row that was added last."""
        if row in self._before:
            self._last[name] = self._before.pop(row)
        else:
            del self._last[name]
        if uid := controller_uid(pod):
            self._controlled[uid].pop()

    def replace(self, row: int, old: Pod, new: Pod) -> None:
        """Note another version of a pod; its name stays."""
        before, now = controller_uid(old), controller_uid(new)
        if before == now:
            return
        if before:
            self._controlled[before].remove(row)
        if now:
            bisect.insort(self._controlled.setdefault(now, []), row)

    def controlled(self, uid: str) -> list[int]:
        """Return the pods of a controller, the earliest first."""
        return self._controlled.get(uid, [])

    def named(self, without: Iterable[tuple[int, str]]) -> dict[str, int]:
        """Return by name the last pod that has it, as if these rows with their names were not there."""
        found, absent = self._last.copy(), dict(without)
        for name in absent.values():
            row: int | None = self._last[name]
            while row in absent:
                row = self._before.get(row)
            if row is None:
                found.pop(name, None)
            else:
                found[name] = row
        return found


def controller_uid(pod: Pod) -> str:
    """Return the uid of a pod's controller, empty where it has none."""
    for owner in pod.metadata.owner_references or ():
        if owner.controller:
            return owner.uid
    return ""
