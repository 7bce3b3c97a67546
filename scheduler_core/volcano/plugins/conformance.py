"""conformance: what the cluster lives on is not evicted.

Source: volcano v1.16 pkg/scheduler/plugins/conformance/conformance.go.
"""

from __future__ import annotations

from collections.abc import Sequence

from scheduler_core.volcano.framework.plugin import Plugin
from scheduler_core.volcano.model.eviction import Eviction
from scheduler_core.volcano.model.tasks import Task

_CLASSES = ("system-cluster-critical", "system-node-critical")


class Conformance(Plugin):
    """Protects the namespace kube-system and the two system classes."""

    name = "conformance"

    def preemptable(self, evictor: Task, candidates: Sequence[Task]) -> list[Task]:
        """Let everybody else go."""
        return self._others(candidates)

    def _others(self, candidates: Sequence[Task]) -> list[Task]:
        return [
            task
            for task in candidates
            if task.namespace != "kube-system" and task.pod.spec.priority_class_name not in _CLASSES
        ]

    def evictable(self, eviction: Eviction, candidates: Sequence[Task]) -> list[Task]:
        """Let everybody else go."""
        return self._others(candidates)

    def reclaimable(self, evictor: Task, candidates: Sequence[Task]) -> list[Task]:
        """Let everybody else go."""
        return self._others(candidates)
