"""Pods by workload and by namespace: what each one came to, while the decisions go by."""

from collections import Counter
from collections.abc import Iterable

from dashboard.services.results.wanted import Group, group_of
from dashboard.shapes.outcome import Namespace, Workload
from scheduler_core.events.state import PodRow


class WorkloadTally:
    """Counts placed and evicted pods."""

    def __init__(self) -> None:
        self._placed: Counter[Group] = Counter()
        self._evicted: Counter[Group] = Counter()

    def place(self, pod: PodRow, by: int = 1) -> None:
        """Count a pod that gets a node, or by -1 one whose binding failed."""
        self._placed[group_of(pod)] += by

    def evict(self, pod: PodRow) -> None:
        """Count a pod that is evicted."""
        self._evicted[group_of(pod)] += 1

    @property
    def placed(self) -> int:
        """How many pods got a node in all."""
        return self._placed.total()

    @property
    def evicted(self) -> int:
        """How many pods were evicted in all."""
        return self._evicted.total()

    def rows(self, pending: Iterable[PodRow]) -> list[Workload]:
        """Return placed, evicted and pending pods of each workload that had any, the busiest first."""
        waiting = Counter(map(group_of, pending))
        rows: list[Workload] = [
            {
                "workload": group[1],
                "namespace": group[0],
                "placed": self._placed[group],
                "evicted": self._evicted[group],
                "pending": waiting[group],
            }
            for group in {**self._placed, **self._evicted, **waiting}
        ]
        return sorted(
            rows, key=lambda row: (-row["evicted"], -row["pending"], -row["placed"], row["workload"])
        )


def by_namespace(workloads: Iterable[Workload]) -> list[Namespace]:
    """Return placed, evicted and pending pods of workloads by namespace, in name order."""
    sums: dict[str, Namespace] = {}
    for row in workloads:
        name = row["namespace"]
        none: Namespace = {"namespace": name, "placed": 0, "evicted": 0, "pending": 0}
        counts = sums.setdefault(name, none)
        counts["placed"] += row["placed"]
        counts["evicted"] += row["evicted"]
        counts["pending"] += row["pending"]
    return [sums[name] for name in sorted(sums)]
