"""How the nodes of a run are packed at its end: how many are nearly full, and what of the rest is of use.

Amounts are exact integers in the units of the events: milli-CPU, bytes, whole units. How many nodes could be
emptied is asked of the engine, once a run has finished (`scheduler_core/world/reporting/emptying.py`).
"""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from dashboard.services.results.requested import Room
from dashboard.shapes.outcome import Packing

MAIN = ("cpu", "memory")
LARGEST_WITH = 2**30
"""Bytes of memory that the largest pod asks for beside its CPU: 1 GiB."""
BANDS = 10


def packing(rooms: Iterable[Room]) -> Packing:
    """Return how nodes are packed of which one goes in for each node that is there."""
    over: Counter[str] = Counter(dict.fromkeys(MAIN, 0))
    stranded: Counter[str] = Counter(dict.fromkeys(MAIN, 0))
    bands, largest, nodes = [0] * BANDS, None, 0
    for room in rooms:
        nodes += 1
        bands[_band(room)] += 1
        full = [resource for resource in MAIN if room.is_over(resource)]
        for resource in full:
            over[resource] += 1
        for resource in room.allocatable:
            if _counts(resource):
                is_out = bool(full) and full != [resource]
                stranded[resource] += room.free(resource) if is_out else 0
        if room.is_open and room.free("pods") and room.free("memory") >= LARGEST_WITH:
            largest = max(largest or 0, room.free("cpu"))
    return {
        "nodes": nodes,
        "over": dict(over),
        "stranded": dict(stranded),
        "largest": largest,
        "by_cpu": bands,
    }


@lru_cache(maxsize=1024)
def _counts(resource: str) -> bool:
    """Return whether what is free of a resource may be stranded: cpu, memory, and devices."""
    return resource in MAIN or ("/" in resource and not resource.startswith("hugepages-"))


def _band(room: Room) -> int:
    """Return the tenth of its CPU up to which a node is asked for: 0 up to 10 percent, 9 over 90."""
    cpu, requested = room.allocatable.get("cpu", 0), room.requested.get("cpu", 0)
    return min(BANDS - 1, (BANDS * requested - 1) // cpu) if cpu and requested else 0
