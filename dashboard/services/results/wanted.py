"""How many pods each workload is to have, while they come and go: whom somebody misses at a run's end."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from dashboard.services.results.waits import NO_WORKLOAD, workload_of
from dashboard.shapes.outcome import BelowReplicas
from scheduler_core.events.state import PodRow

Group = tuple[str, str]
"""A namespace and a workload in it."""


def group_of(pod: PodRow) -> Group:
    """Return the workload that a pod is of, with its namespace."""
    return pod.namespace, workload_of(pod)


class Wanted:
    """Counts the pods that were there at the start or came by an edit, and whom nobody has come for.

    A pod that was evicted, or deleted since its job restarts, is wanted on, and who comes for it (its copy,
    or its namesake) counts once. A pod that finished or was deleted otherwise is missed by nobody, unless
    a copy comes for it.
    """

    def __init__(self, pods: Iterable[PodRow]) -> None:
        self._pods = Counter(map(group_of, pods))
        self._unwanted: set[str] = set()
        self._lost: dict[tuple[str, str], PodRow] = {}
        self._copied: set[str] = set()

    def arrive(self, row: PodRow, rows: Mapping[str, PodRow]) -> None:
        """Count a pod that comes, unless it comes for another one; `rows` are all pods known so far."""
        namesake = self._lost.pop(_name(row), None)
        if row.replaces is not None:
            self._copied.add(row.replaces)
            if row.replaces in rows:
                self._lost.pop(_name(rows[row.replaces]), None)
        if namesake is None and (row.replaces is None or row.replaces in self._unwanted):
            self._pods[group_of(row)] += 1

    def leave(self, row: PodRow, is_missed: bool) -> None:
        """Note a pod that is gone; one that was evicted, or went as its job restarts, `is_missed`."""
        if not is_missed:
            self._unwanted.add(row.uid)
            self._pods[group_of(row)] -= 1
        elif row.uid not in self._copied:
            self._lost[_name(row)] = row

    def below(self, running: Counter[Group], is_over: Callable[[str], bool]) -> list[BelowReplicas]:
        """Return the workloads of which fewer pods run than are wanted, most are missing first.

        `is_over` says of a pod group that it has completed or is gone: whom it lost, it doesn't miss.
        """
        forgotten = Counter(group_of(row) for row in self._lost.values() if is_over(row.group))
        rows: list[BelowReplicas] = [
            {"workload": group[1], "running": running[group], "replicas": wanted - forgotten[group]}
            for group, wanted in self._pods.items()
            if running[group] < wanted - forgotten[group] and group[1] != NO_WORKLOAD
        ]
        return sorted(rows, key=lambda row: (row["running"] - row["replicas"], row["workload"]))


def _name(row: PodRow) -> tuple[str, str]:
    return row.namespace, row.name
