"""Classes of tasks that no plugin tells apart on a node: what is found out about one holds for all of it.

Name, uid, priority of the job and age play no part in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cached_property

import msgspec

from scheduler_core.objects.types import Pod
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.pods import PodInfo
from scheduler_core.volcano.model.tasks import Task

Signature = bytes


class TaskClasses:
    """The classes of a session's tasks, as far as they have been asked for."""

    def __init__(self, state: ClusterState) -> None:
        self._state = state
        self._classes: dict[Signature, int] = {}
        self._of: dict[str, int | None] = {}
        self._members: Counter[int] = Counter()
        self._parts: list[Callable[[Task], object]] = []

    def tell_apart_by(self, parts: Iterable[Callable[[Task], object]]) -> None:
        """Add to the signature what plugins read beside a pod's spec (`Plugin.class_part`)."""
        self._parts += parts

    def of(self, task: Task) -> int | None:
        """Return a task's class, None for one that is to be looked at by itself."""
        if task.uid not in self._of:
            signature = self._signature(task)
            if signature is None:
                self._of[task.uid] = None
            else:
                known = self._classes.setdefault(signature, len(self._classes))
                self._of[task.uid] = known
                self._members[known] += 1
        return self._of[task.uid]

    def recurs(self, known: int) -> bool:
        """Return whether a second task of a class has been seen."""
        return self._members[known] > 1

    def _signature(self, task: Task) -> Signature | None:
        """What a pod has from a kubelet may change its requests, so that it stands for itself."""
        if task.row is None:
            return None
        info = self._state.pods.infos[task.row]
        if _resized(info.pod):
            return None
        told = [part for of in self._parts if (part := of(task)) is not None]
        parts = (info.namespace, info.pod.spec, self._grouping(info), told)
        return msgspec.msgpack.encode(parts)

    def _grouping(self, info: PodInfo) -> object:
        """Return what Services and controllers know a pod by, where there are any."""
        return (info.label_class, info.pod.metadata.owner_references) if self._grouped else None

    @cached_property
    def _grouped(self) -> bool:
        groups = self._state.groups
        return bool(groups.services or groups.replication_controllers or groups.selectors)


def _resized(pod: Pod) -> bool:
    status = pod.status
    return bool(
        status.container_statuses
        or status.init_container_statuses
        or status.resources
        or status.allocated_resources
    )
