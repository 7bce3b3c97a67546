"""What the API server makes of the pods that workloads' controllers create in a run, and which it refuses.

Source: kubernetes v1.36 plugin/pkg/admission/*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from scheduler_core.objects.api_server.admission import ADMISSION_KINDS, Admission, Webhook
from scheduler_core.objects.identity import name_of, namespace_of
from scheduler_core.objects.kinds import RESOURCE_QUOTA, STORAGE_CLASS, kind_of
from scheduler_core.state.cluster import ClusterState
from scheduler_core.world.controllers.counted_quotas import CountedQuotas
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
        self._known = known
        self._quotas = CountedQuotas(state, document)
        self._webhook = webhook
        self._classes = [item for item in objects if kind_of(item) == STORAGE_CLASS]
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
        if admitted.quota_refusals:
            return pod, _forbidden(pod, admitted.quota_refusals)
        return admitted.document, self.over_quota(admitted.document)

    def over_quota(self, pod: Object) -> str:
        """Return why the quotas of the pod's namespace leave it no room, empty where they do."""
        namespace = namespace_of(pod)
        quotas = [one for one in self._known.of_kind(RESOURCE_QUOTA) if namespace_of(one) == namespace]
        return _forbidden(pod, self._quotas.reasons(pod, namespace, quotas)) if quotas else ""

    def _admission(self) -> Admission:
        objects = [item for kind in ADMISSION_KINDS for item in self._known.of_kind(kind)]
        if self._made is None or self._made[0] != objects:
            self._made = objects, Admission([*objects, *self._classes], webhook=self._webhook)
        return self._made[1]


def _forbidden(pod: Object, reasons: list[str]) -> str:
    return f'pods "{name_of(pod)}" is forbidden: {reasons[0]}' if reasons else ""
