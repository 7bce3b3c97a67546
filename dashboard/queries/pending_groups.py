"""The pods of a snapshot that wait, by workload, and what each asks for."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, NamedTuple

from django.db.models import Count, Min, QuerySet

from dashboard.models import Pod, Snapshot
from dashboard.queries.device_asks import devices_asked
from dashboard.queries.pending import PENDING
from dashboard.queries.pod_asks import asks_of

MOST_READ = 5_000
"""Of more waiting pods only the columns are read: they are told apart by cpu and memory, not by devices."""
_FIRST = ("cpu", "memory")


class PendingGroup(NamedTuple):
    """Waiting pods of a workload and a priority that ask for the same; `first` is the name of one of them.

    workload: `Kind/namespace/name` or empty. asks: of each pod by resource, in the log's units. devices: what
    its claims ask for, in words.
    """

    namespace: str
    workload: str
    priority: int
    asks: dict[str, int]
    pods: int
    first: str
    devices: tuple[str, ...] = ()


def pending_groups(snapshot: Snapshot, limit: int) -> tuple[list[PendingGroup], int]:
    """Return the first groups, the highest priority first, then the most pods; and how many there are."""
    pods = Pod.objects.filter(PENDING, snapshot=snapshot).order_by()
    found = list(_read(snapshot, pods) if snapshot.pending <= MOST_READ else _counted(pods))
    found.sort(key=lambda one: (-one.priority, -one.pods, one.namespace, one.workload, one.first))
    return found[:limit], len(found)


def resources_asked(groups: Iterable[PendingGroup]) -> list[str]:
    """Return the resources that any of the groups asks for: cpu, memory, then others by name."""
    names = {name for group in groups for name, amount in group.asks.items() if amount}
    return [name for name in _FIRST if name in names] + sorted(names.difference(_FIRST))


def _read(snapshot: Snapshot, pods: QuerySet[Pod]) -> Iterator[PendingGroup]:
    def key(one: tuple[Any, ...]) -> Any:
        return one[:3], sorted(one[3].items()), one[5]

    rows = pods.values_list("namespace", "workload", "priority", "object", "name")
    told = (
        (*row[:3], asks_of(row[3]), row[4], tuple(devices_asked(snapshot, row[3]))) for row in rows.iterator()
    )
    asking = sorted(told, key=key)
    for _, alike in groupby(asking, key):
        first, *others = sorted(alike, key=lambda one: str(one[4]))
        namespace, workload, priority, asks, name, devices = first
        yield PendingGroup(namespace, workload, priority, asks, 1 + len(others), name, devices)


def _counted(pods: QuerySet[Pod]) -> Iterator[PendingGroup]:
    grouped = pods.values("namespace", "workload", "priority", "cpu_milli", "memory_bytes")
    for row in grouped.annotate(pods=Count("pk"), first=Min("name")):
        asks = {"cpu": row["cpu_milli"], "memory": row["memory_bytes"]}
        yield PendingGroup(
            row["namespace"], row["workload"], row["priority"], asks, row["pods"], row["first"]
        )
