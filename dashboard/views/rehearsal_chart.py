"""The picture of a rehearsal: a bar for each node, and lanes for budgets, open nodes and pods that wait.

Places are percent of the time that the rehearsal took, as texts for attributes of SVG.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from dashboard.answers.printers.words import plain
from dashboard.answers.rehearsed import WORDS, waits
from dashboard.instants import clock, lasting
from scheduler_core.world.rehearsal.rehearsed import Rehearsed, RehearsedNode, Step

FOLDED_ABOVE = 60
"""Of more nodes the rows fold by zone; those that are blocked stay single."""
TICKS = 7
LEAST_WIDE = 0.2
"""So many percent is a piece of a lane at least: in a rehearsal of hours seconds would be seen nowhere."""
_STEPS = (5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 43200, 86400, 604800)


class Piece(NamedTuple):
    """A piece of a bar: what it is (a class), from where, how wide."""

    kind: str
    x: str
    width: str


class Row(NamedTuple):
    """A node's row. `says`: what held it up; `label`: the bar in words."""

    node: RehearsedNode
    pieces: list[Piece]
    cordoned: str
    back: str
    says: str
    took: str
    label: str
    is_blocked: bool


class Group(NamedTuple):
    """Rows that fold; an empty title doesn't."""

    title: str
    says: str
    rows: list[Row]


class Lane(NamedTuple):
    """Something that was counted over time: its areas as x, width, y and height in percent."""

    name: str
    under: str
    says: str
    most: int
    areas: list[tuple[str, str, str, str]]


class Chart(NamedTuple):
    """The whole picture; `ticks` are places and words of the axis, `line` is the sentence's time."""

    ticks: list[tuple[str, str]]
    groups: list[Group]
    lanes: list[Lane]
    line: str


def chart(found: Rehearsed) -> Chart:
    """Return the picture of a rehearsal."""
    whole = max(1, found.end, found.time, *(node.given_up or 0 for node in found.nodes))
    rows = [_row(node, whole) for node in found.nodes]
    lanes = [
        _lane(
            one.budget,
            f"{one.healthy:,} healthy, {one.needed:,} needed",
            f"{WORDS[one.verdict]}, {one.refused:,} tries refused",
            one.steps,
            whole,
        )
        for one in found.budgets
        if one.refused
    ]
    least = min((value for _, value in found.open), default=found.open_before)
    opened = f"{least:,} at least, {found.open_before:,} before"
    lanes.append(_lane("nodes open to pods", "", opened, found.open, whole))
    waiting = f"{found.most_waiting:,} at most"
    lanes.append(_lane("pods that wait", "more than before", waiting, found.waiting, whole))
    return Chart(_ticks(whole), _groups(rows), lanes, _at(found.time, whole))


def _row(node: RehearsedNode, whole: int) -> Row:
    pieces: list[Piece] = []
    if node.cordoned is not None:
        end = node.given_up if node.given_up is not None else node.empty or node.cordoned
        pieces.append(_piece("evicting", node.cordoned, end, whole))
        for block in node.blocks:
            kind = "later" if block.verdict == "later" else "never"
            pieces.append(_piece(kind, block.since, end if block.until is None else block.until, whole))
        if node.empty is not None:
            pieces.append(_piece("emptied", node.empty, whole if node.back is None else node.back, whole))
    return Row(
        node,
        pieces,
        "" if node.cordoned is None else _at(node.cordoned, whole),
        "" if node.back is None else _at(node.back, whole),
        plain(waits(node)),
        _took(node),
        _label(node),
        node.verdict in ("never", "late", "unreached"),
    )


def _took(node: RehearsedNode) -> str:
    if node.empty is None or node.cordoned is None:
        return f"{node.left:,} of {node.pods:,}, stays"
    return f"{node.pods:,} · {lasting(node.empty - node.cordoned)}"


def _label(node: RehearsedNode) -> str:
    instants = (
        ("cordoned", node.cordoned),
        ("empty", node.empty),
        ("back", node.back),
        ("given up", node.given_up),
    )
    said = [f"{word} at {clock(at)[:-4]}" for word, at in instants if at is not None]
    return ", ".join(said) or "its turn did not come"


def _groups(rows: Sequence[Row]) -> list[Group]:
    if len(rows) <= FOLDED_ABOVE:
        return [Group("", "", list(rows))]
    blocked = [row for row in rows if row.is_blocked]
    groups = [Group("", "", blocked)] if blocked else []
    zones: dict[str, list[Row]] = {}
    for row in rows:
        if not row.is_blocked:
            zones.setdefault(row.node.zone, []).append(row)
    for zone, some in zones.items():
        later = sum(row.node.verdict == "later" for row in some)
        says = f"{len(some):,} nodes empty" + (f", {later:,} at a later try" if later else "")
        groups.append(Group(f"zone {zone}" if zone else "no zone", says, some))
    return groups


def _lane(name: str, under: str, says: str, steps: Sequence[Step], whole: int) -> Lane:
    most = max((value for _, value in steps), default=0)
    ends = [at for at, _ in steps[1:]] + [whole]
    areas = []
    for (at, value), end in zip(steps, ends, strict=True):
        if value > 0 and end > at:
            height = 100 * value / most
            wide = max(_percent(end - at, whole), LEAST_WIDE)
            left = min(_percent(at, whole), 100 - wide)
            areas.append((f"{left:.2f}%", f"{wide:.2f}%", f"{100 - height:.1f}%", f"{height:.1f}%"))
    return Lane(name, under, says, most, areas)


def _piece(kind: str, since: int, until: int, whole: int) -> Piece:
    return Piece(kind, _at(since, whole), _at(max(0, until - since), whole))


def _at(instant: int, whole: int) -> str:
    return f"{_percent(instant, whole):.2f}%"


def _percent(instant: int, whole: int) -> float:
    return min(100.0, 100 * instant / whole)


def _ticks(whole: int) -> list[tuple[str, str]]:
    seconds = whole / 1000
    step = next((one for one in _STEPS if seconds / one <= TICKS), _STEPS[-1])
    found: Iterable[int] = range(0, int(seconds) + 1, step)
    return [(_at(at * 1000, whole), clock(at * 1000)[:-4]) for at in found]
