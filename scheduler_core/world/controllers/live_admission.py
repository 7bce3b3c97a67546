"""What the API server makes of the pods that workloads' controllers create in a run, and which it refuses.

A quota counts what its status said at the run's start, with the pods that have come since and without those
that are gone; where its status says nothing, it counts the pods that are there. Finished pods, which a run
doesn't keep as objects, count for `count/pods` no more.

Source: kubernetes v1.36 plugin/pkg/admission/*, k8s.io/apiserver admission/plugin/resourcequota,
pkg/controller/resourcequota.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from scheduler_core.objects.api_server.admission import ADMISSION_KINDS, Admission, Webhook
from scheduler_core.objects.api_server.limits import Quotas
from scheduler_core.objects.identity import name_of, namespace_of
from scheduler_core.objects.kinds import RESOURCE_QUOTA, STORAGE_CLASS, kind_of
from scheduler_core.state.cluster import ClusterState
from scheduler_core.world.controllers.known_objects import KnownObjects

Object = dict[str, Any]
Answer = tuple[Object, str]
"""A pod as it is stored, and why it is refused, empty where it isn't."""


class LiveAdmission:
    """Answers by the classes, ranges and quotas of now. `document` returns a pod, by row, as an object."""

    def __init__(
        self,
        state: ClusterState,
        known: KnownObjects,
        document: Callable[[int], Object],
        objects: Iterable[Object] = (),
        webhook: Webhook | None = None,
    ) -> None:
        self._state = state
        self._known = known
        self._document = document
        self._webhook = webhook
        self._classes = [item for item in objects if kind_of(item) == STORAGE_CLASS]
        self._started_with = len(state.pods)
        self._made: tuple[list[Object], Admission] | None = None

    def admit(self, pod: Object) -> Answer:
        """Return a new pod as the API server stores it, or why not, in its words."""
        admitted = self._admission().admit_pod(pod)
        name = name_of(pod)
        if admitted.problems:
            problem = admitted.problems[0]
            field = problem.field
            if field:
                return pod, f'Pod "{name}" is invalid: {field}: {problem.message}'
            return pod, f'pods "{name}" is forbidden: {problem.message}'
        why = admitted.quota_refusals or self.over_quota(admitted.document)
        return admitted.document, f'pods "{name}" is forbidden: {why[0]}' if why else ""

    def over_quota(self, pod: Object) -> list[str]:
        """Return why the quotas of the pod's namespace leave it no room."""
        namespace = namespace_of(pod)
        quotas = [one for one in self._known.of_kind(RESOURCE_QUOTA) if namespace_of(one) == namespace]
        return self._counted(quotas, namespace).charge(pod) if quotas else []

    def _counted(self, quotas: list[Object], namespace: str) -> Quotas:
        present = [info.row for info in self._state.pods.infos if info.namespace == namespace]
        gone = self._state.gone.values
        told = [one for one in quotas if (one.get("status") or {}).get("used") is not None]
        untold = [one for one in quotas if one not in told]
        there = [self._document(pod) for pod in present if pod not in gone]
        counted = Quotas(told, ())
        for pod in present:
            document = self._document(pod)
            was_counted = pod < self._started_with and "creationTimestamp" in document["metadata"]
            if was_counted and pod in gone:
                counted.release(document)
            elif not was_counted and pod not in gone:
                counted.count(document)
        return counted.beside(Quotas(untold, there))

    def _admission(self) -> Admission:
        objects = [item for kind in ADMISSION_KINDS for item in self._known.of_kind(kind)]
        if self._made is None or self._made[0] != objects:
            self._made = objects, Admission([*objects, *self._classes], webhook=self._webhook)
        return self._made[1]
