"""The pods of workloads as their controllers see them in a run, make them and delete them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scheduler_core.kube.queueing.report import Report
from scheduler_core.objects.identity import derived_uid, name_of, namespace_of
from scheduler_core.objects.storage import PersistentVolumeClaim
from scheduler_core.objects.timestamps import format_timestamp
from scheduler_core.objects.workloads.workload_pods import TakenNames
from scheduler_core.schedulers.run_parts import TimedRunPods
from scheduler_core.world.controllers.live_admission import LiveAdmission
from scheduler_core.world.controllers.pods_by_owner import PodsByOwner
from scheduler_core.world.controllers.seen_cluster import LiveCluster

Object = dict[str, Any]


class WorkloadPods:
    """What the controllers of workloads have in common. Pods are named by row."""

    def __init__(
        self,
        cluster: LiveCluster,
        pods: TimedRunPods,
        admission: LiveAdmission,
        document: Callable[[int], Object],
        is_taken: Callable[[tuple[str, str]], bool],
    ) -> None:
        self.cluster = cluster
        self.state = cluster.state
        self.admission = admission
        self.by_owner = PodsByOwner(cluster.state)
        self.document = document
        self._is_taken = is_taken
        self._pods = pods

    # -- how they are ---------------------------------------------------------------------------------

    def of(self, uid: str) -> list[int]:
        """Return the pods of a controller that are there, those on their way out too."""
        gone = self.state.gone.values
        return [pod for pod in self.by_owner.of(uid) if pod not in gone]

    def active(self, uid: str) -> list[int]:
        """Return the pods of a controller that are there and not on their way out."""
        return self.by_owner.active(uid)

    def is_terminating(self, pod: int) -> bool:
        """Return whether a pod was asked to go."""
        return self.state.pods.infos[pod].pod.metadata.deletion_timestamp is not None

    def is_active(self, pod: int) -> bool:
        """Return whether a pod is there and not on its way out."""
        return pod not in self.state.gone.values and not self.is_terminating(pod)

    def is_ready(self, pod: int) -> bool:
        """Return whether a pod runs and is ready."""
        return bool(self.state.pods.infos[pod].pod.spec.node_name) and self.cluster.is_ready(pod)

    def is_available(self, pod: int, seconds: int) -> bool:
        """Return whether a pod has been ready for so long."""
        if not self.is_ready(pod):
            return False
        since = self.cluster.ready_from.get(pod)
        return since is None or since + seconds * 10**9 <= self.cluster.now

    def available_at(self, pod: int, seconds: int) -> int | None:
        """Return when a pod will have been ready for so long; None where nothing is known of it."""
        since = self.cluster.ready_from.get(pod)
        return None if since is None else since + seconds * 10**9

    def as_it_is(self, pod: int) -> Object:
        """Return a pod as its API server has it."""
        document, version = self.document(pod), self.state.pods.infos[pod].pod
        node = version.spec.node_name
        if not node or (document.get("spec") or {}).get("nodeName"):
            return dict(document)
        since = self.cluster.ready_from.get(pod)
        ready = self.is_ready(pod)
        at = self.cluster.epoch + (since if ready and since is not None else self.cluster.now)
        condition = {
            "type": "Ready",
            "status": "True" if ready else "False",
            "lastTransitionTime": format_timestamp(at),
        }
        return {
            **document,
            "spec": {**document["spec"], "nodeName": node},
            "status": {"phase": "Running", "conditions": [condition]},
        }

    # -- what is done to them -------------------------------------------------------------------------

    def names(self, namespace: str) -> TakenNames:
        """Return the names that no new pod is to have."""
        return TakenNames(namespace, self._is_taken)

    def create(self, pod: Object, replaces: str | None = None) -> str:
        """Let a pod come, admitted; return why the API server refuses it, empty where it doesn't.

        `replaces` is the uid of the one in whose place it is.
        """
        metadata = pod["metadata"] | {
            "creationTimestamp": format_timestamp(self.cluster.epoch + self.cluster.now)
        }
        number, uid = 1, metadata["uid"]
        while metadata["uid"] in self.state.pods.by_uid:
            metadata["uid"] = derived_uid("again", uid, number)
            number += 1
        admitted, why = self.admission.admit(pod | {"metadata": metadata})
        if not why:
            self._pods.create(admitted, replaces)
        return why

    def over_quota(self, pod: Object) -> str:
        """Return why a quota refuses a pod whose workload is there; empty where none does."""
        if self.cluster.objects.owner_of(pod) is None:
            return ""
        return self.admission.over_quota(pod)

    def create_claim(self, claim: Object) -> bool:
        """Let a claim come unless it is there; return whether it came."""
        key = namespace_of(claim), name_of(claim)
        if self.state.volumes.find(PersistentVolumeClaim, key) is not None:
            return False
        self._pods.create_claim(claim)
        return True

    def delete(self, pod: int) -> None:
        """Ask a pod to go."""
        self._pods.delete(self.state.pods.infos[pod].uid)

    def take_report(self) -> Report:
        """Return what was done to queues since it was asked last."""
        report: Report = self._pods.take_report()
        return report
