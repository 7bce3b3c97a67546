"""The pods that edits delete in a run: how long each may still be there, and the names that none has again.

Source: kubernetes v1.36 pkg/registry/core/pod/strategy.go CheckGracefulDelete,
k8s.io/apiserver admission/plugin/resourcequota: a pod counts until its object is gone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scheduler_core.objects.identity import name_of, namespace_of, spec_of

Object = dict[str, Any]
DEFAULT_GRACE = 30
"""Seconds that a pod has to leave if it doesn't say."""


def grace_of(pod: Object) -> int:
    """Return how many seconds a pod has to leave."""
    grace = spec_of(pod).get("terminationGracePeriodSeconds")
    return DEFAULT_GRACE if grace is None else grace


class LeavingPods:
    """Pods that are on their way out. Instants are seconds since the run's start."""

    def __init__(self) -> None:
        self._until: list[tuple[float, Object]] = []
        self._names: set[tuple[str, str]] = set()

    def __iter__(self) -> Iterator[Object]:
        return (pod for _, pod in self._until)

    def copy(self) -> LeavingPods:
        """Return the same pods, to which others can be added while these stay as they are."""
        twin = LeavingPods()
        twin._until, twin._names = self._until.copy(), self._names.copy()
        return twin

    def keep_name(self, pod: Object) -> None:
        """Let no pod that a controller makes have the name of this one."""
        self._names.add((namespace_of(pod), name_of(pod)))

    def add(self, pod: Object, now: float) -> None:
        """Take in a pod that is deleted now: it has its grace period to leave."""
        self._until.append((now + grace_of(pod), pod))

    def take_gone(self, now: float) -> list[Object]:
        """Return the pods that are gone by now, and hold them no longer."""
        gone = [pod for until, pod in self._until if until <= now]
        self._until = [one for one in self._until if one[0] > now]
        return gone

    def had(self, key: tuple[str, str]) -> bool:
        """Tell whether a pod that was ever deleted in the run had a namespace and name."""
        return key in self._names
