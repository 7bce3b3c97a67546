"""The map of a cluster coloured by why a pod does not fit: a square a node, by pool, the nearest first."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from dashboard.answers.node_marks import MarkKind, counted, node_marks, of_one
from dashboard.models import Node, Snapshot
from scheduler_core.schedulers.cause import Answered

CELL, MARK, WIDTH = 14, 11, 44
SMALL_CELL, SMALL_MARK, SMALL_WIDTH = 9, 7, 68
MANY = 600
"""Of more nodes the squares are small."""


class _Entry(NamedTuple):
    """A node: its place by how near it comes, and what stands against the pod there."""

    rank: int
    node: str
    kind: MarkKind
    title: str
    number: int


class Square(NamedTuple):
    """A node: its place and size in pixels, what is seen, and the words for it."""

    node: str
    x: int
    y: int
    size: int
    kind: MarkKind
    says: str
    is_nearest: bool


@dataclass(frozen=True)
class Pool:
    """The nodes of a pool; `says` is what stands against the pod on all of them, or how many are how."""

    name: str
    says: str
    squares: list[Square]
    width: int
    height: int


@dataclass(frozen=True)
class NodeMap:
    """All pools, and what the kinds of squares mean that are there."""

    pools: list[Pool]
    legend: list[tuple[MarkKind, str]]
    number: int


def node_map(snapshot: Snapshot, answered: Answered) -> NodeMap | None:
    """Return the map of an answer; None where it is not about nodes."""
    marks = node_marks(answered)
    if marks is None:
        return None
    pools = dict(Node.objects.filter(snapshot=snapshot).order_by().values_list("name", "pool"))
    by_pool: dict[str, list[_Entry]] = {}
    for row, name in enumerate(marks.nodes):
        first = marks.first[row]
        title = "" if first < 0 else marks.titles[first]
        entry = _Entry(marks.rank[row], name, marks.kinds[row], title, marks.number[row])
        by_pool.setdefault(pools.get(name) or "", []).append(entry)
    small = len(marks.nodes) > MANY
    found = [_pool(name, entries, marks.nearest, small=small) for name, entries in by_pool.items()]
    found.sort(key=lambda pool: (-len(pool.squares), pool.name))
    return NodeMap(found, marks.legend, len(marks.nodes))


def _pool(name: str, entries: list[_Entry], nearest: str, *, small: bool) -> Pool:
    cell, size, most = (SMALL_CELL, SMALL_MARK, SMALL_WIDTH) if small else (CELL, MARK, WIDTH)
    entries.sort()
    squares = [
        Square(
            node,
            (place % most) * cell + 2,
            (place // most) * cell + 2,
            size,
            kind,
            f"{node}: {of_one(title, number)}",
            node == nearest,
        )
        for place, (_, node, kind, title, number) in enumerate(entries)
    ]
    told = counted(Counter(entry.title for entry in entries))
    rows = -(-len(entries) // most)
    return Pool(name or "no pool", told, squares, most * cell + 4, rows * cell + 4)
