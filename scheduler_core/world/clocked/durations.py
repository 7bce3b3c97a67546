"""How long pods run that run out, as the edits that added them or their workload say.

Source: docs/semantics.md "Time".
"""

from __future__ import annotations

from collections.abc import Mapping

from scheduler_core.state.cluster import ClusterState


class Durations:
    """How long pods run, in nanoseconds; `by_uid`: of pods and of workloads."""

    def __init__(self, state: ClusterState) -> None:
        self._state = state
        self.by_uid: Mapping[str, int] = {}

    def of(self, pod: int) -> int | None:
        """Return how long a pod (its row) runs, None if it goes on. A copy runs as long as its original."""
        pods, replaces = self._state.pods, self._state.pod_changes.replaces
        row: int | None = pod
        while row is not None:
            info = pods.infos[row]
            owners = info.pod.metadata.owner_references or ()
            for uid in (info.uid, *(owner.uid for owner in owners)):
                if (duration := self.by_uid.get(uid)) is not None:
                    return duration
            original = replaces.get(row)
            row = None if original is None else pods.by_uid[original]
        return None
