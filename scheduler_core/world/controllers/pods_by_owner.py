"""Which pods belong to which controller: what follows from the state, kept up with it."""

from __future__ import annotations

from collections.abc import Set as AnySet

from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.journal import Appear, Change, Set

_NOBODY: AnySet[int] = frozenset()


class PodsByOwner:
    """Rows of pods by their controller's uid, those that are gone too; and which of them are not active."""

    def __init__(self, state: ClusterState) -> None:
        self._state = state
        self._rows: dict[str, list[int]] = {}
        self._inactive: dict[str, set[int]] = {}
        self.replaced()
        state.journal.listen(self)

    def of(self, uid: str) -> list[int]:
        """Return the pods that have been made for a controller, the earliest first."""
        return self._rows.get(uid, [])

    def inactive(self, uid: str) -> AnySet[int]:
        """Return those of a controller's pods that are gone, or on their way out."""
        return self._inactive.get(uid, _NOBODY)

    def active(self, uid: str) -> list[int]:
        """Return those of a controller's pods that are there and stay, the earliest first."""
        rows, out = self.of(uid), self.inactive(uid)
        return [pod for pod in rows if pod not in out] if out else list(rows)

    def owner(self, pod: int) -> str:
        """Return the uid of a pod's controller, empty where it has none."""
        owners = self._state.pods.infos[pod].pod.metadata.owner_references or ()
        return next((owner.uid for owner in owners if owner.controller), "")

    def changed(self, change: Change, sign: int) -> None:
        """Follow a pod that appears, changes or goes, or doesn't any more."""
        if isinstance(change, Set):
            if change.table is self._state.gone or (
                change.table is self._state.pod_changes and change.field == "version"
            ):
                self._note(change.key, self.owner(change.key))
        elif isinstance(change, Appear) and change.table is self._state.pod_changes:
            if sign > 0:
                self._take(change.key)
            else:
                self._forget(change.key)

    def _forget(self, pod: int) -> None:
        for rows in self._rows.values():
            if rows and rows[-1] == pod:
                rows.pop()
        for out in self._inactive.values():
            out.discard(pod)

    def replaced(self) -> None:
        """Look at all pods anew."""
        self._rows, self._inactive = {}, {}
        for pod in range(len(self._state.pods)):
            self._take(pod)

    def _take(self, pod: int) -> None:
        if uid := self.owner(pod):
            self._rows.setdefault(uid, []).append(pod)
            self._note(pod, uid)

    def _note(self, pod: int, uid: str) -> None:
        """Note whether a pod is active by now."""
        state = self._state
        if pod in state.gone.values or state.pods.infos[pod].pod.metadata.deletion_timestamp is not None:
            self._inactive.setdefault(uid, set()).add(pod)
        elif uid in self._inactive:
            self._inactive[uid].discard(pod)
