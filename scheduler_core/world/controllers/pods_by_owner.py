"""Which pods belong to which controller, as controllers see them in a run."""

from __future__ import annotations

from collections.abc import Set as AnySet

import numpy as np

from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.journal import Appear, Change, Set
from scheduler_core.state.pod_index import controller_uid

_NOBODY: AnySet[int] = frozenset()


class PodsByOwner:
    """Rows of pods by controller, those that go in the run too; and which of them are not active."""

    def __init__(self, state: ClusterState) -> None:
        self._state = state
        self._absent = frozenset(state.gone.values)
        """Who was gone before the run."""
        self._with_absent = frozenset(map(self.owner, self._absent))
        self._inactive: dict[str, set[int]] = {}
        self.replaced()
        state.journal.listen(self)

    def of(self, uid: str) -> list[int]:
        """Return the pods that have been made for a controller, the earliest first."""
        rows = self._state.pods.index.controlled(uid)
        return [pod for pod in rows if pod not in self._absent] if uid in self._with_absent else rows

    def inactive(self, uid: str) -> AnySet[int]:
        """Return those of a controller's pods that are gone, or on their way out."""
        return self._inactive.get(uid, _NOBODY)

    def active(self, uid: str) -> list[int]:
        """Return those of a controller's pods that are there and stay, the earliest first."""
        rows, out = self.of(uid), self.inactive(uid)
        return [pod for pod in rows if pod not in out] if out else list(rows)

    def owner(self, pod: int) -> str:
        """Return the uid of a pod's controller, empty where it has none."""
        return controller_uid(self._state.pods.infos[pod].pod)

    def changed(self, change: Change, sign: int) -> None:
        """Follow a pod that appears, changes or goes, or doesn't any more."""
        if isinstance(change, Set):
            if change.table is self._state.gone:
                self._note(change.key)
            elif change.table is self._state.pod_changes and change.field == "version":
                if controller_uid(change.old) != controller_uid(change.new):
                    self._forget(change.key)
                self._note(change.key)
        elif isinstance(change, Appear) and change.table is self._state.pod_changes:
            if sign > 0:
                self._note(change.key)
            else:
                self._forget(change.key)

    def _forget(self, pod: int) -> None:
        for out in self._inactive.values():
            out.discard(pod)

    def replaced(self) -> None:
        """Look at all pods anew."""
        self._inactive.clear()
        for pod in {*self._state.gone.values, *np.flatnonzero(self._state.pods.terminating).tolist()}:
            if pod not in self._absent:
                self._note(pod)

    def _note(self, pod: int) -> None:
        """Note whether a pod is active by now."""
        state, uid = self._state, self.owner(pod)
        if pod in state.gone.values or state.pods.infos[pod].pod.metadata.deletion_timestamp is not None:
            self._inactive.setdefault(uid, set()).add(pod)
        elif uid in self._inactive:
            self._inactive[uid].discard(pod)
