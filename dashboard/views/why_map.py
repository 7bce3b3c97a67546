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
_TOLD = 3
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


class _Entry(NamedTuple):
    """A node, and how near it comes: how many things stand against the pod, what is short, its name."""

    order: tuple[int, int, str]
    node: str
    kind: str
    title: str


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
    by_pool: dict[str, list[_Entry]] = {}
    for row, name in enumerate(marks.names):
        first, number, short = int(marks.first[row]), int(marks.number[row]), int(marks.short[row])
        kind = _kind(cause.held, first, short)
        title = _title(cause.held, first)
        entry = _Entry((number, short, natural_key(name)), name, kind, title)
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


def _title(held: list[Held], first: int) -> str:
    """Return what rejects the pod first on a node; empty where it fits."""
    return "" if first < 0 else _inside(words_of_held(held[first]).title)


def _inside(title: str) -> str:
    """Return a title as it stands inside of a sentence; names of plugins and extenders stay as they are."""
    return title[:1].lower() + title[1:] if title[1:] == title[1:].lower() else title


def _of_one(title: str, number: int) -> str:
    """Return what is said of one node, on which so many things stand against the pod."""
    if not title:
        return "fits"
    others = f", and {number - 1} other {'reason' if number == 2 else 'reasons'}" if number > 1 else ""
    return f"{title}{others}"


def _counted(titles: Counter[str]) -> str:
    """Return how many nodes are how: "6 fit, 1 cordoned"."""
    if len(titles) == 1 and titles.total() > 1:
        [title] = titles
        return f"all: {title}" if title else "all fit"
    parts = [
        f"{count:,} {title or ('fits' if count == 1 else 'fit')}"
        for title, count in titles.most_common(_TOLD)
    ]
    return ", ".join(parts)


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
            f"{node}: {_of_one(title, order[0])}",
            node == nearest,
        )
        for place, (order, node, kind, title) in enumerate(entries)
    ]
    told = _counted(Counter(entry.title for entry in entries))
    rows = -(-len(entries) // most)
    return Pool(name or "no pool", told, squares, most * cell + 4, rows * cell + 4)
