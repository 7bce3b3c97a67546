"""The picture of headroom: a block for one more pod, node by node, or a histogram of each pool.

The colour and the pattern of a block say what is out on its node after the last one.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from dashboard.answers.more_fit import stop
from dashboard.answers.printers.words import counted, plain
from dashboard.natural_order import natural_key
from scheduler_core.world.headroom.results import PoolRoom, Room

NODES_DRAWN = 200
"""Of more nodes that take any, a histogram is drawn for each pool."""
TALLEST = 20
"""A column of more blocks is a bar."""
SIZE, GAP = 10, 2
KEPT_APART = ("cpu", "memory", "pods")
"""What has a pattern of its own; all else has one together."""
OTHER, UNKNOWN = "other", "unknown"


class Rectangle(NamedTuple):
    """One block, or a bar of several; `out`: one of KEPT_APART, OTHER, or UNKNOWN where nothing is said."""

    y: int
    height: int
    out: str


class Column(NamedTuple):
    """A node, or in a histogram a number of nodes, in words and as rectangles."""

    says: str
    x: int
    rectangles: list[Rectangle]


class Pool(NamedTuple):
    """The picture of a pool; `says`: the same in words."""

    name: str
    says: str
    width: int
    height: int
    columns: list[Column]
    is_histogram: bool


class Key(NamedTuple):
    """What a pattern means."""

    out: str
    says: str


def blocks(room: Room) -> list[Pool]:
    """Return the pictures of all pools, those that take any before all."""
    drawn = sum(len(pool.taking) for pool in room.pools)
    most = max((most for pool in room.pools for most in pool.taking.values()), default=0)
    pools = sorted(room.pools, key=lambda pool: not pool.fit)
    if drawn > NODES_DRAWN:
        return [_histogram(pool, room) for pool in pools]
    return [_nodes(pool, room, most) for pool in pools]


def keys(room: Room) -> list[Key]:
    """Return what the patterns mean that the pictures of a room have, what is out on most nodes first."""
    counts = Counter(_out(room, node) for pool in room.pools for node in pool.taking)
    others = {_words(room, node) for pool in room.pools for node in pool.taking if _out(room, node) == OTHER}
    says = {"cpu": "then cpu is out", "memory": "then memory", "pods": "then the pod limit"}
    says[OTHER] = f"then {next(iter(others))}" if len(others) == 1 else "then something else"
    return [Key(out, says[out]) for out, _ in counts.most_common() if out != UNKNOWN]


def _out(room: Room, node: str) -> str:
    if node not in room.stopped:
        return UNKNOWN
    resource = room.stops[room.stopped[node]].resource
    return resource if resource in KEPT_APART else OTHER


def _words(room: Room, node: str) -> str:
    return plain(stop(room.stops[room.stopped[node]], room)) if node in room.stopped else ""


def _nodes(pool: PoolRoom, room: Room, most: int) -> Pool:
    taking = sorted(pool.taking.items(), key=lambda pair: (-pair[1], natural_key(pair[0])))
    height = min(most, TALLEST) * (SIZE + GAP)
    columns = []
    for at, (name, count) in enumerate(taking):
        then = _words(room, name)
        says = f"{name}: {_more(count, room)}" + (f", then {then} stops the next one" if then else "")
        columns.append(Column(says, at * (SIZE + GAP), _column(count, most, height, _out(room, name))))
    return _pool(pool, room, columns, height, is_histogram=False)


def _column(count: int, most: int, height: int, out: str) -> list[Rectangle]:
    if most > TALLEST:
        tall = max(1, round(height * count / most))
        return [Rectangle(height - tall, tall, out)]
    return [Rectangle(height - (at + 1) * (SIZE + GAP), SIZE, out) for at in range(count)]


def _histogram(pool: PoolRoom, room: Room) -> Pool:
    """Draw how many nodes take how many more, each column in parts of what is out there."""
    counts: dict[int, Counter[str]] = {}
    for name, count in pool.taking.items():
        counts.setdefault(count, Counter())[_out(room, name)] += 1
    left = pool.nodes - len(pool.taking)
    if left and _is_whole(room):
        counts[0] = Counter({UNKNOWN: left})
    height, most = TALLEST * 4, max((parts.total() for parts in counts.values()), default=1)
    columns = []
    for at, (count, parts) in enumerate(sorted(counts.items())):
        nodes = parts.total()
        says = f"{nodes:,} {counted(nodes, 'node')}, each with {_more(count, room)}"
        columns.append(Column(says, at * (SIZE + GAP), _stack(parts, most, height)))
    return _pool(pool, room, columns, height, is_histogram=True)


def _stack(parts: Counter[str], most: int, height: int) -> list[Rectangle]:
    rectangles, below, seen = [], height, 0
    for out, nodes in parts.most_common():
        seen += nodes
        top = min(height - max(1, round(height * seen / most)), below - 1)
        rectangles.append(Rectangle(top, below - top, out))
        below = top
    return rectangles


def _more(count: int, room: Room) -> str:
    return f"{count:,} {counted(count, 'pod')}" if room.size > 1 else f"{count:,} more"


def _pool(pool: PoolRoom, room: Room, columns: list[Column], height: int, *, is_histogram: bool) -> Pool:
    width = max(1, len(columns)) * (SIZE + GAP)
    says = _says(pool, room)
    return Pool(pool.pool or "no pool", says, width, max(height, 1), columns, is_histogram)


def _says(pool: PoolRoom, room: Room) -> str:
    nodes = f"{pool.nodes:,} {counted(pool.nodes, 'node')}"
    if pool.closed:
        return f"closed: {nodes}"
    if not pool.fit and not _is_whole(room):
        return f"none tried before the count ended: {nodes}"
    says = f"{_more(pool.fit, room)} on {len(pool.taking):,} of {nodes}"
    if not _is_whole(room):
        return f"{says}, where the count ended"
    full = pool.nodes - len(pool.taking)
    return f"{says}, {full:,} {'takes' if full == 1 else 'take'} none" if full and pool.fit else says


def _is_whole(room: Room) -> bool:
    """Whether one more was tried that did not fit: else nobody knows what more a node takes."""
    return room.ended_by == "first"
