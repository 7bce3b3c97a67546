"""The pods of a run without a clock, as Volcano's controllers see, make, change and delete them.

A pod that has a node runs; one that is deleted is gone at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from scheduler_core.objects import types
from scheduler_core.objects.admission import Admission
from scheduler_core.objects.ephemeral_volumes import ephemeral_claims
from scheduler_core.objects.kinds import RESOURCE_QUOTA, kind_of
from scheduler_core.state.cluster import ClusterState
from scheduler_core.volcano.controllers.api import ApiError
from scheduler_core.world.controllers import Controllers

Object = dict[str, Any]


def admission_of(objects: Iterable[Object]) -> Admission:
    """Return what admits the pods that controllers make in a run: it counts no quotas."""
    return Admission(item for item in objects if kind_of(item) != RESOURCE_QUOTA)


class InstantPods:
    def __init__(self, state: ClusterState, controllers: Controllers, admission: Admission) -> None:
        self._state = state
        self._controllers = controllers
        self._admission = admission

    def admitted(self, pod: Object) -> Object:
        """Return a new pod as an API server stores it. Raises ApiError."""
        admitted = self._admission.admit_pod(pod)
        if admitted.problems:
            name = pod["metadata"]["name"]
            why = "; ".join(f"{one.field}: {one.message}".lstrip(": ") for one in admitted.problems)
            raise ApiError(f'pods "{name}" is forbidden: {why}')
        return admitted.document

    def create(self, pod: Object) -> None:
        """Let a pod come into being, with its claims."""
        self._controllers.add(pod)
        for claim in ephemeral_claims(pod):
            self._controllers.put_claim(claim)
        self._state.create(types.convert(pod, types.Pod))

    def change(self, pod: Object) -> None:
        """Give a pod other labels and annotations."""
        row = self._state.pods.by_uid[pod["metadata"]["uid"]]
        old = self._state.pods.infos[row].pod
        metadata = types.convert(pod, types.Pod).metadata
        if (metadata.labels, metadata.annotations) == (old.metadata.labels, old.metadata.annotations):
            return
        named = msgspec.structs.replace(
            old.metadata, labels=metadata.labels, annotations=metadata.annotations
        )
        self._controllers.add({**self.original(row), "metadata": pod["metadata"]})
        self._state.change_pod(row, msgspec.structs.replace(old, metadata=named))

    def delete(self, uid: str) -> bool:
        """Let a pod go. It doesn't stay."""
        row = self._state.pods.by_uid[uid]
        if row not in self._state.gone.values:
            self._state.nominate(row, "")
            self._state.remove(row)
        return False

    def create_claim(self, claim: Object) -> None:
        """Let a claim come into being."""
        self._controllers.put_claim(claim)

    def original(self, row: int) -> Object:
        """Return a pod as it came into being."""
        return self._controllers.document(row)

    def seen(self, pod: Object, row: int) -> Object | None:
        """Return a pod as it is in the run now; None if it is gone."""
        if row in self._state.gone.values:
            return None
        node = self._state.node_of(row)
        if not node:
            return pod
        status = (pod.get("status") or {}) | {"phase": "Running"}
        return pod | {"spec": pod["spec"] | {"nodeName": node}, "status": status}
