"""What the quotas of namespaces have used in a run, kept up with its pods instead of counted anew.

A quota counts what its status said at the run's start, with the pods that have come since and without those
that are gone; where its status says nothing, it counts the pods that are there. Finished pods, which a run
doesn't keep as objects, count for `count/pods` no more.

Source: kubernetes v1.36 pkg/controller/resourcequota, k8s.io/apiserver admission/plugin/resourcequota.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from scheduler_core.objects.api_server.limits import Quotas
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.journal import Appear, Change, Set

Object = dict[str, Any]


@dataclass
class _Counted:
    """The quotas of a namespace, and by row the pods that they count."""

    of: Sequence[Object]
    quotas: Quotas
    pods: dict[int, Object]


class CountedQuotas:
    """Follows the pods of namespaces with quotas. `document` returns a pod, by row, as an object."""

    def __init__(self, state: ClusterState, document: Callable[[int], Object]) -> None:
        self._state = state
        self._document = document
        self._started_with = len(state.pods)
        self._absent = frozenset(state.gone.values)
        self._counted: dict[str, _Counted] = {}
        self._touched: set[int] = set()
        state.journal.listen(self)

    def reasons(self, pod: Object, namespace: str, of: Sequence[Object]) -> list[str]:
        """Return why these quotas of a namespace leave a new pod no room; none where they do."""
        self._catch_up()
        counted = self._counted.get(namespace)
        if counted is None or not _are_same(counted.of, of):
            counted = self._counted[namespace] = self._count(namespace, of)
        return counted.quotas.reasons(pod)

    def changed(self, change: Change, sign: int) -> None:
        """Note which pod comes or goes, or doesn't any more; while nothing is counted, nothing need be."""
        if not self._counted:
            return
        match change:
            case Set(table=table) if table is self._state.gone:
                self._touched.add(change.key)
            case Appear(table=table) if table is self._state.pod_changes:
                self._touched.add(change.key)

    def replaced(self) -> None:
        """Count anew: another state stands here."""
        self._counted.clear()
        self._touched.clear()

    def _count(self, namespace: str, of: Sequence[Object]) -> _Counted:
        there = (info for info in self._state.pods.infos if info.row not in self._absent)
        rows = [info.row for info in there if info.namespace == namespace]
        documents = {row: self._document(row) for row in rows}
        told = {row: documents[row] for row in rows if self._was_counted(row, documents[row])}
        counted = _Counted(of, Quotas(of, told.values()), told)
        for row in rows:
            self._follow(counted, row, documents[row])
        return counted

    def _was_counted(self, row: int, document: Object) -> bool:
        """Return whether a quota's status speaks of the pod: edits made it otherwise."""
        return row < self._started_with and "creationTimestamp" in document["metadata"]

    def _catch_up(self) -> None:
        infos = self._state.pods.infos
        for row in sorted(self._touched):
            info = infos[row] if row < len(infos) else None
            for namespace, counted in self._counted.items():
                is_own = info is not None and info.namespace == namespace
                self._follow(counted, row, self._document(row) if is_own else None)
        self._touched.clear()

    def _follow(self, counted: _Counted, row: int, document: Object | None) -> None:
        """Count a row's pod if it is there; let go of what was counted if it isn't."""
        if row in self._state.gone.values:
            document = None
        before = counted.pods.get(row)
        if before is document:
            return
        if before is not None:
            counted.quotas.release(counted.pods.pop(row))
        if document is not None:
            counted.quotas.count(document)
            counted.pods[row] = document


def _are_same(some: Sequence[Object], others: Sequence[Object]) -> bool:
    return len(some) == len(others) and all(one is other for one, other in zip(some, others, strict=True))
