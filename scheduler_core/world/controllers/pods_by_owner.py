"""Which pods belong to which controller: what follows from the state, kept up with it."""

from __future__ import annotations

from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.journal import Appear, Change


class PodsByOwner:
    """Rows of pods by their controller's uid, those that are gone too."""

    def __init__(self, state: ClusterState) -> None:
        self._state = state
        self._rows: dict[str, list[int]] = {}
        self.replaced()
        state.journal.listen(self)

    def of(self, uid: str) -> list[int]:
        """Return the pods that have been made for a controller, the earliest first."""
        return self._rows.get(uid, [])

    def owner(self, pod: int) -> str:
        """Return the uid of a pod's controller, empty where it has none."""
        owners = self._state.pods.infos[pod].pod.metadata.owner_references or ()
        return next((owner.uid for owner in owners if owner.controller), "")

    def changed(self, change: Change, sign: int) -> None:
        """Follow a pod that appears, or doesn't any more."""
        if not isinstance(change, Appear) or change.table is not self._state.pod_changes:
            return
        if sign > 0:
            self._take(change.key)
            return
        for rows in self._rows.values():
            if rows and rows[-1] == change.key:
                rows.pop()

    def replaced(self) -> None:
        """Look at all pods anew."""
        self._rows = {}
        for pod in range(len(self._state.pods)):
            self._take(pod)

    def _take(self, pod: int) -> None:
        if uid := self.owner(pod):
            self._rows.setdefault(uid, []).append(pod)
