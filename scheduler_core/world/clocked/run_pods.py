"""The pods of a run, as a scheduler's own controllers see, make, change and delete them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from scheduler_core.kube.queueing.report import Report
from scheduler_core.objects import types
from scheduler_core.objects.api_server.admission import ADMISSION_KINDS, Admission
from scheduler_core.objects.kinds import kind_of
from scheduler_core.objects.workloads.ephemeral_volumes import ephemeral_claims
from scheduler_core.schedulers.run_parts import NotAdmitted
from scheduler_core.state.cluster import ClusterState
from scheduler_core.world.clocked.live_cluster import Cluster
from scheduler_core.world.controllers.recreated_pods import Controllers

Object = dict[str, Any]


def admission_of(objects: Iterable[Object]) -> Admission:
    """Return what admits the pods that controllers make in a run: it counts no quotas."""
    return Admission(item for item in objects if kind_of(item) in ADMISSION_KINDS)


class RunPods:
    """What both kinds of runs have in common. `admission` knows the cluster's classes and ranges."""

    def __init__(self, state: ClusterState, controllers: Controllers, admission: Admission) -> None:
        self._state = state
        self._controllers = controllers
        self._admission = admission

    def admitted(self, pod: Object) -> Object:
        """Return a new pod as an API server stores it. Raises NotAdmitted."""
        admitted = self._admission.admit_pod(pod)
        if admitted.problems:
            name = pod["metadata"]["name"]
            why = "; ".join(f"{one.field}: {one.message}".lstrip(": ") for one in admitted.problems)
            raise NotAdmitted(f'pods "{name}" is forbidden: {why}')
        return admitted.document

    def create(self, pod: Object, replaces: str | None = None) -> None:
        """Let a pod come into being, with its claims; `replaces` is the uid of the one before it."""
        self._controllers.add(pod)
        for claim in ephemeral_claims(pod):
            self.create_claim(claim)
        self._create(types.convert(pod, types.Pod), replaces)

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
        self._change(row, msgspec.structs.replace(old, metadata=named))

    def original(self, row: int) -> Object:
        """Return a pod as it came into being."""
        return self._controllers.document(row)

    def create_claim(self, claim: Object) -> None:
        """Let a claim come into being."""
        raise NotImplementedError

    def _create(self, pod: types.Pod, replaces: str | None) -> None:
        raise NotImplementedError

    def _change(self, row: int, version: types.Pod) -> None:
        raise NotImplementedError


class InstantPods(RunPods):
    """Pods where no clock moves: who has a node runs, and who is deleted is gone at once."""

    def delete(self, uid: str) -> bool:
        """Let a pod go. It doesn't stay."""
        row = self._state.pods.by_uid[uid]
        if row not in self._state.gone.values:
            self._state.nominate(row, "")
            self._state.remove(row)
        return False

    def create_claim(self, claim: Object) -> None:
        self._controllers.put_claim(claim)

    def _create(self, pod: types.Pod, replaces: str | None) -> None:
        self._state.create(pod, replaces)

    def _change(self, row: int, version: types.Pod) -> None:
        self._state.change_pod(row, version)

    def seen(self, pod: Object, row: int) -> Object | None:
        """Return a pod as it is in the run now; None if it is gone."""
        if row in self._state.gone.values:
            return None
        node = self._state.node_of(row)
        return _started(pod, node) if node else pod


class TimedPods(RunPods):
    """Pods where a clock moves. What they do to kube-schedulers' queues is kept until it is asked for."""

    def __init__(self, cluster: Cluster, controllers: Controllers, admission: Admission) -> None:
        super().__init__(cluster.state, controllers, admission)
        self._cluster = cluster
        self._report = Report()

    def take_report(self) -> Report:
        """Return what was done to the queues since it was asked last."""
        report, self._report = self._report, Report()
        return report

    def delete(self, uid: str) -> bool:
        """Ask a pod to go, and return whether it has a grace period."""
        row = self._state.pods.by_uid[uid]
        self._report.extend(self._cluster.terminate(row, "deleted"))
        return row not in self._state.gone.values

    def create_claim(self, claim: Object) -> None:
        self._report.extend(self._cluster.put(self._controllers.claim_of(claim)))

    def _create(self, pod: types.Pod, replaces: str | None) -> None:
        self._report.extend(self._cluster.add_pod(pod, replaces))

    def _change(self, row: int, version: types.Pod) -> None:
        self._report.extend(self._cluster.update(row, version))

    def seen(self, pod: Object, row: int) -> Object | None:
        """Return a pod as it is in the run now; None if it is gone.

        Who has ended is still there, unless it was asked to go before.
        """
        version = self._state.pods.infos[row].pod
        leaving = version.metadata.deletion_timestamp
        if row in self._state.gone.values:
            why = (self._cluster.ended.get(row) or (0, ""))[1]
            has_ended = why in ("finished", "failed") and leaving is None
            return _ended(pod, self._cluster.exit_codes.get(row) or 0) if has_ended else None
        if version.spec.node_name:
            pod = _started(pod, version.spec.node_name)
        marks = {} if leaving is None else {"deletionTimestamp": leaving}
        return pod | {"metadata": pod["metadata"] | marks}


def _started(pod: Object, node: str) -> Object:
    status = (pod.get("status") or {}) | {"phase": "Running"}
    return pod | {"spec": pod["spec"] | {"nodeName": node}, "status": status}


def _ended(pod: Object, exit_code: int) -> Object:
    container = {
        "name": pod["spec"]["containers"][0]["name"],
        "state": {"terminated": {"exitCode": exit_code}},
    }
    phase = "Failed" if exit_code else "Succeeded"
    return pod | {"status": {"phase": phase, "containerStatuses": [container]}}
