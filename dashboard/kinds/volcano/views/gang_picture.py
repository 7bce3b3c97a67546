"""The pods of a job as a picture: a square for each, and the nodes by pool with how many of them each has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from dashboard.natural_order import natural_key

CELL, MARK, WIDTH = 14, 11, 44
SMALL_CELL, SMALL_MARK, SMALL_WIDTH = 9, 7, 68
MANY = 600
"""Of more nodes, or pods, the squares are small."""
MOST_PODS = 5000
Fate = Literal["placed", "nominated", "waits"]


class Member(NamedTuple):
    """A pod of the job; `node` is where it is, or will be if it is nominated; empty for nowhere."""

    name: str
    node: str
    nominated: bool = False

    @property
    def fate(self) -> Fate:
        """How its square is drawn."""
        return "waits" if not self.node else "nominated" if self.nominated else "placed"

    @property
    def says(self) -> str:
        """Where it is, in words."""
        where = {"placed": f"on {self.node}", "nominated": f"nominated to {self.node}", "waits": "no node"}
        return f"{self.name}: {where[self.fate]}"


class Square(NamedTuple):
    """A square, its place in pixels; `number`: how many pods a node has of the job, 0 for a pod's square."""

    x: int
    y: int
    fate: Fate
    says: str
    number: int = 0


class Field(NamedTuple):
    """Squares on a ground: `others` is the path of squares of nodes without a pod of the job, empty for none.

    size: of a square. total: how many squares, with the others.
    """

    name: str
    squares: list[Square]
    others: str
    size: int
    width: int
    height: int
    total: int


class Picture(NamedTuple):
    """The pods, and the pools in which any of them is, the one with most of them first.

    placed, all_pods, nodes: how many pods are on how many nodes. fates: those that are drawn.
    """

    pods: Field
    pools: list[Field]
    placed: int
    all_pods: int
    nodes: int
    fates: list[Fate]


def picture_of(members: Sequence[Member], pools: Mapping[str, str]) -> Picture | None:
    """Return the picture of a job's pods; None where it has none, or very many.

    pools: of every node that there is, by its name.
    """
    if not members or len(members) > MOST_PODS:
        return None
    pods = sorted(members, key=lambda one: natural_key(one.name))
    on: dict[str, list[Member]] = {}
    for one in pods:
        if one.node:
            on.setdefault(one.node, []).append(one)
    by_pool: dict[str, list[str]] = {}
    for node in sorted(pools.keys() | on.keys(), key=natural_key):
        by_pool.setdefault(pools.get(node, ""), []).append(node)
    many = len(pools) > MANY
    fields = [_pool(name, nodes, on, small=many) for name, nodes in by_pool.items()]
    used = [one for one in fields if one.squares]
    placed = [one for one in pods if one.fate == "placed"]
    return Picture(
        _field("", [(one.fate, one.says, 0) for one in pods], small=len(pods) > MANY),
        sorted(used, key=lambda one: (-sum(square.number for square in one.squares), one.name)),
        len(placed),
        len(pods),
        len({one.node for one in placed}),
        [fate for fate in ("placed", "nominated", "waits") if any(one.fate == fate for one in pods)],
    )


def _pool(name: str, nodes: Iterable[str], on: Mapping[str, list[Member]], *, small: bool) -> Field:
    return _field(name or "no pool", [_of_node(node, on.get(node, [])) for node in nodes], small=small)


def _of_node(node: str, members: list[Member]) -> tuple[Fate | None, str, int]:
    if not members:
        return None, "", 0
    counts = Counter(one.fate for one in members)
    fate: Fate = "placed" if counts["placed"] else "nominated"
    parts = [(counts["placed"], "on it"), (counts["nominated"], "nominated to it")]
    told = ", ".join(f"{number:,} {words}" for number, words in parts if number)
    return fate, f"{node}: {told}", len(members)


def _field(name: str, entries: Sequence[tuple[Fate | None, str, int]], *, small: bool) -> Field:
    cell, size, most = (SMALL_CELL, SMALL_MARK, SMALL_WIDTH) if small else (CELL, MARK, WIDTH)
    squares, others = [], []
    for place, (fate, says, number) in enumerate(entries):
        x, y = (place % most) * cell + 2, (place // most) * cell + 2
        if fate is None:
            others.append(f"M{x} {y}h{size}v{size}h-{size}z")
        else:
            squares.append(Square(x, y, fate, says, number))
    rows = -(-len(entries) // most)
    return Field(name, squares, "".join(others), size, most * cell + 4, rows * cell + 4, len(entries))
