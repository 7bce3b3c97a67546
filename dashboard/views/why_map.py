"""The map of a cluster coloured by why a pod does not fit: a square a node, by pool, the nearest first."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from dashboard.answers.why_words import ROOM, words_of_held
from dashboard.models import Node, Snapshot
from dashboard.natural_order import natural_key
from scheduler_core.schedulers.cause import Answered, Held

CELL, MARK, WIDTH = 14, 11, 44
SMALL_CELL, SMALL_MARK, SMALL_WIDTH = 9, 7, 68
MANY = 600
"""Of more nodes the squares are small."""
NEAR, MIDDLE = 100, 500
"""In thousandths of what is asked for: what is short up to here has a larger mark."""
_CORDONED = frozenset({"NodeUnschedulable", "CheckNodeUnschedulable"})
_LEGEND = {
    "fits": "fits",
    "near": "short by up to 10 % of what it asks",
    "middle": "up to 50 %",
    "far": "more",
    "closed": "has room, refused for something else",
    "closed-full": "without room, and refused for something else",
    "cordoned": "cordoned",
}


class Square(NamedTuple):
    """A node: its place and size in pixels, what is seen, and the words for it."""

    node: str
    x: int
    y: int
    size: int
    kind: str
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
    legend: list[tuple[str, str]]
    number: int


def node_map(snapshot: Snapshot, answered: Answered) -> NodeMap | None:
    """Return the map of an answer; None where it is not about nodes."""
    marks, cause = answered.marks, answered.cause
    if not marks.names:
        return None
    pools = dict(Node.objects.filter(snapshot=snapshot).order_by().values_list("name", "pool"))
    nearest = cause.nearest[0].node if cause.nearest else ""
    by_pool: dict[str, list[tuple[tuple[int, int, str], str, str, str]]] = {}
    for row, name in enumerate(marks.names):
        first, number, short = int(marks.first[row]), int(marks.number[row]), int(marks.short[row])
        kind = _kind(cause.held, first, short)
        says = "fits" if first < 0 else _says(cause.held[first], number)
        entry = (number, short, natural_key(name)), name, kind, says
        by_pool.setdefault(pools.get(name) or "", []).append(entry)
    small = len(marks.names) > MANY
    found = [_pool(name, entries, nearest, small=small) for name, entries in by_pool.items()]
    found.sort(key=lambda pool: (-len(pool.squares), pool.name))
    seen = {square.kind for pool in found for square in pool.squares}
    legend = [(kind, words) for kind, words in _LEGEND.items() if kind in seen]
    return NodeMap(found, legend, len(marks.names))


def _kind(held: list[Held], first: int, short: int) -> str:
    """Return how a node is drawn: by who rejects first, and for lack of room by how much is short."""
    if first < 0:
        return "fits"
    if held[first].plugin in ROOM:
        return "near" if short <= NEAR else "middle" if short <= MIDDLE else "far"
    if held[first].plugin in _CORDONED:
        return "cordoned"
    return "closed-full" if short else "closed"


def _says(held: Held, number: int) -> str:
    others = f", and {number - 1} more" if number > 1 else ""
    return f"{words_of_held(held).title}{others}"


def _pool(
    name: str, entries: list[tuple[tuple[int, int, str], str, str, str]], nearest: str, *, small: bool
) -> Pool:
    cell, size, most = (SMALL_CELL, SMALL_MARK, SMALL_WIDTH) if small else (CELL, MARK, WIDTH)
    entries.sort()
    squares = [
        Square(
            node,
            (place % most) * cell + 2,
            (place // most) * cell + 2,
            size,
            kind,
            f"{node}: {says}",
            node == nearest,
        )
        for place, (_, node, kind, says) in enumerate(entries)
    ]
    counts = Counter(says for _, _, _, says in entries)
    told = [says if len(counts) == 1 else f"{count:,} {says}" for says, count in counts.most_common(3)]
    says = f"all: {told[0]}" if len(counts) == 1 and len(entries) > 1 else "; ".join(told)
    rows = -(-len(entries) // most)
    return Pool(name or "no pool", says, squares, most * cell + 4, rows * cell + 4)
