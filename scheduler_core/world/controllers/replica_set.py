"""ReplicaSets and ReplicationControllers: as many pods as wanted, those that were refused tried again.

They come in batches of 1, 2, 4, …, and after a refusal no more are tried for the moment. Pods that an edit
adds or takes away come and go with it, and copies of evicted pods in the decision that evicts them; what is
left is done here. Where a snapshot shows other pods than a set's status counts, the difference stays as it
is.

Source: kubernetes v1.36 pkg/controller/replicaset/replica_set.go syncReplicaSet, manageReplicas,
getPodsToDelete, slowStartBatch; BurstReplicas.
"""

from __future__ import annotations

from scheduler_core.objects.identity import namespace_of
from scheduler_core.objects.kinds import REPLICA_SET, REPLICATION_CONTROLLER, kind_of
from scheduler_core.objects.workloads.workload_pods import make_pods, wanted_replicas
from scheduler_core.state.register import Register
from scheduler_core.world.controllers.controller import Around
from scheduler_core.world.controllers.known_objects import key_of
from scheduler_core.world.controllers.workload_controller import Object, Step, WorkloadController
from scheduler_core.world.edits.ranking import first_to_go
from scheduler_core.world.edits.rollout import hash_of

BURST = 500


class ReplicaSets(WorkloadController):
    """Looks at a set, and makes what it lacks."""

    remembered = {"missing": "_missing", "templates": "_templates"}

    name = "replicaset-controller"
    kind = REPLICA_SET

    def __init__(self, around: Around) -> None:
        super().__init__(around)
        self._missing: Register[str, int] = Register(self.state.journal)
        """How many pods fewer than it wants (or more, below zero) the snapshot shows of a set."""
        self._templates: Register[str, str] = Register(self.state.journal)
        """A hash of the template of each set that came in the run, as it was first seen."""

    def begin(self) -> None:
        for one in self.known.of_kind(self.kind):
            present, wanted = self._present(one), wanted_replicas(one)
            if present == wanted:
                continue
            if (one.get("status") or {}).get("replicas") == present < wanted:
                self.enqueue(key_of(one), 0, 0)
            else:
                self._missing.put(key_of(one), wanted - present)

    def counts(self, workload: Object) -> dict[str, int]:
        found = self.count_pods(workload, self.owned.active(self.uid(workload)))
        return found | {"fullyLabeledReplicas": found["replicas"]}

    def replaces(self, pod: Object) -> bool:
        """Return whether a pod comes back by its set's template: where that has changed in the run."""
        owner = self.known.owner_of(pod)
        if owner is None or kind_of(owner) != self.kind:
            return False
        first = self.known.at_start(owner)
        before = self._templates.get(key_of(owner)) if first is None else hash_of(first)
        return before is not None and before != hash_of(owner)

    def look(self, workload: Object) -> Step:
        step = Step()
        if self.known.at_start(workload) is None and self._templates.get(key_of(workload)) is None:
            self._templates.put(key_of(workload), hash_of(workload))
        lacking = wanted_replicas(workload) - self._present(workload)
        lacking -= self._missing.get(key_of(workload)) or 0
        if lacking > 0:
            pods = make_pods(workload, min(lacking, BURST), self.owned.names(namespace_of(workload)))
            self.create_slowly(step, pods)
        surplus = self._active(workload) - wanted_replicas(workload)
        surplus += self._missing.get(key_of(workload)) or 0
        if surplus > 0:
            for pod in self._first_to_go(workload, self.owned.active(self.uid(workload)))[:surplus]:
                self.delete(step, pod)
        return step

    def _first_to_go(self, workload: Object, active: list[int]) -> list[int]:
        """Return the pods in the order in which they go, which their company on nodes decides too."""
        owner = self.known.owner_of(workload)
        sets = [workload] if owner is None else list(self.known.owned_by(owner, self.kind))
        related = [pod for one in sets for pod in self.owned.active(self.uid(one))]
        documents = {pod: self.owned.as_it_is(pod) for pod in dict.fromkeys([*active, *related])}
        rows = {id(document): pod for pod, document in documents.items()}
        ranked = first_to_go(workload, [documents[pod] for pod in active], list(documents.values()))
        return [rows[id(document)] for document in ranked]

    def _active(self, workload: Object) -> int:
        """Return how many pods of a set are there and not on their way out."""
        uid, by_owner = self.uid(workload), self.owned.by_owner
        return len(by_owner.of(uid)) - len(by_owner.inactive(uid))

    def _present(self, workload: Object) -> int:
        """Return how many pods a set has, with those that have ended: a kubelet would start them again."""
        ended = self.cluster.ended.values
        out = self.owned.by_owner.inactive(self.uid(workload))
        again = sum(pod in ended and ended[pod][1] in ("finished", "failed") for pod in out)
        return self._active(workload) + again


class ReplicationControllers(ReplicaSets):
    """The same for ReplicationControllers."""

    name = "replication-controller"
    kind = REPLICATION_CONTROLLER
