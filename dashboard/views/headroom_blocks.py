"""The picture of headroom: a block for one more pod, node by node, or a histogram of each pool."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from dashboard.answers.printers.words import counted
from scheduler_core.world.headroom.results import PoolRoom, Room

NODES_DRAWN = 200
"""Of more nodes that take any, a histogram is drawn for each pool."""
TALLEST = 20
"""A column of more blocks is a bar."""
SIZE, GAP = 10, 2


class Column(NamedTuple):
    """A node, or in a histogram a number of nodes: how many blocks, as rectangles' y and height."""

    says: str
    x: int
    rectangles: list[tuple[int, int]]


class Pool(NamedTuple):
    """The picture of a pool; `says`: the same in words."""

    name: str
    says: str
    width: int
    height: int
    columns: list[Column]
    is_histogram: bool


def blocks(room: Room) -> list[Pool]:
    """Return the pictures of all pools, those that take any before all."""
    drawn = sum(len(pool.taking) for pool in room.pools)
    most = max((most for pool in room.pools for most in pool.taking.values()), default=0)
    pools = sorted(room.pools, key=lambda pool: not pool.fit)
    if drawn > NODES_DRAWN:
        return [_histogram(pool) for pool in pools]
    return [_nodes(pool, most) for pool in pools]


def _nodes(pool: PoolRoom, most: int) -> Pool:
    taking = sorted(pool.taking.items(), key=lambda pair: (-pair[1], pair[0]))
    height = min(most, TALLEST) * (SIZE + GAP)
    columns = [
        Column(f"{name}: {count:,} more", at * (SIZE + GAP), _column(count, most, height))
        for at, (name, count) in enumerate(taking)
    ]
    return _pool(pool, columns, height, is_histogram=False)


def _column(count: int, most: int, height: int) -> list[tuple[int, int]]:
    if most > TALLEST:
        tall = max(1, round(height * count / most))
        return [(height - tall, tall)]
    return [(height - (at + 1) * (SIZE + GAP), SIZE) for at in range(count)]


def _histogram(pool: PoolRoom) -> Pool:
    counts = Counter(pool.taking.values())
    if left := pool.nodes - len(pool.taking):
        counts[0] = left
    height, most = TALLEST * 4, max(counts.values(), default=1)
    columns = []
    for at, (count, nodes) in enumerate(sorted(counts.items())):
        tall = max(1, round(height * nodes / most))
        said = f"{nodes:,} {counted(nodes, 'node')}, each with {count:,} more"
        columns.append(Column(said, at * (SIZE + GAP), [(height - tall, tall)]))
    return _pool(pool, columns, height, is_histogram=True)


def _pool(pool: PoolRoom, columns: list[Column], height: int, *, is_histogram: bool) -> Pool:
    full = pool.nodes - len(pool.taking)
    if pool.closed:
        says = f"closed: {pool.nodes:,} {counted(pool.nodes, 'node')}"
    else:
        says = f"{pool.fit:,} more on {len(pool.taking):,} of {pool.nodes:,} {counted(pool.nodes, 'node')}"
        says += f", {full:,} take none" if full and pool.fit else ""
    width = max(1, len(columns)) * (SIZE + GAP)
    return Pool(pool.pool or "no pool", says, width, max(height, 1), columns, is_histogram)
