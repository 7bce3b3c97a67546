"""A version of a pod as the scheduling queue of 1.11 and 1.13 reads it.

Source: kubernetes v1.11 and v1.13 pkg/scheduler/core/scheduling_queue.go, internal/queue: NominatedNodeName,
isPodUnschedulable, isPodUpdated, podTimestamp.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from scheduler_core.objects import types
from scheduler_core.objects.timestamps import parse_timestamp
from scheduler_core.predicates.affinity_terms import AffinityTerm, terms_of

Object = dict[str, Any]
_SCHEDULED = "PodScheduled"
_NOT_AN_UPDATE = ("resourceVersion", "generation")


@dataclass(frozen=True)
class QueuedPod:
    """One version of a pod; `document` is the object as kubectl prints it."""

    document: Object

    @cached_property
    def _typed(self) -> types.Pod:
        return types.convert(self.document, types.Pod)

    @property
    def key(self) -> str:
        """`namespace/name`: by it the queue knows a pod."""
        return f"{self.namespace}/{self._typed.metadata.name}"

    @property
    def namespace(self) -> str:
        """Its namespace."""
        return self._typed.metadata.namespace or "default"

    @property
    def uid(self) -> str:
        """By it nominations know a pod."""
        return self._typed.metadata.uid or self.key

    @property
    def labels(self) -> dict[str, str]:
        """Its labels."""
        return self._typed.metadata.labels or {}

    @property
    def priority(self) -> int:
        """Its effective priority: an absent one is 0."""
        return self._typed.spec.priority or 0

    @property
    def nominated_node(self) -> str:
        """The node that its status nominates, or the empty string."""
        return self._typed.status.nominated_node_name or ""

    @cached_property
    def required_affinity(self) -> tuple[AffinityTerm, ...]:
        """The terms of its required pod affinity."""
        return terms_of(self._typed, self.namespace).required

    @property
    def is_unschedulable(self) -> bool:
        """Whether its condition says that it was tried and did not fit."""
        condition = self._condition() or {}
        return condition.get("status") == "False" and condition.get("reason") == "Unschedulable"

    @property
    def timestamp(self) -> int:
        """When it was tried last (probe time, else transition time), or created; nanoseconds."""
        condition = self._condition()
        if condition is None:
            return parse_timestamp(self._typed.metadata.creation_timestamp, 0)
        tried = condition.get("lastProbeTime") or condition.get("lastTransitionTime")
        return parse_timestamp(tried, 0)

    def _condition(self) -> Object | None:
        conditions = (self.document.get("status") or {}).get("conditions") or ()
        return next((entry for entry in conditions if entry.get("type") == _SCHEDULED), None)

    def differs_from(self, other: "QueuedPod") -> bool:
        """Return whether anything but status, resource version and generation differs."""
        return _essence(self.document) != _essence(other.document)


def _essence(document: Object) -> Object:
    metadata = {name: value for name, value in document["metadata"].items() if name not in _NOT_AN_UPDATE}
    return {name: value for name, value in document.items() if name != "status"} | {"metadata": metadata}
