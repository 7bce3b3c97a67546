"""The picture of evictions: who evicts, whom, and where these are now, in bands as wide as their pods."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from dashboard.answers.ended_run import workload
from dashboard.answers.moved import TAKERS
from dashboard.answers.printers.words import plain
from dashboard.shapes.outcome import Flow

LARGEST = 8
"""So many workloads stand in a column; the others are one."""
_OTHERS = "\0others"
_ASKED = "drains and evictions asked"
_WIDTH, _BAR, _HEIGHT, _SLOT, _GAP = 1264, 10, 200, 34, 6
_COLUMNS = (0, 460, 920)
_WHERE = {
    "free": ("back, in free room", "is-free"),
    "evicting": ("back, by evicting", "is-evicting"),
    "pending": ("still pending", "is-pending"),
    "gone": ("not replaced", "is-gone"),
}


class Block(NamedTuple):
    """A bar of a column, with what it says; y and height in the picture's units."""

    x: int
    y: float
    height: float
    css: str
    title: str
    pods: int


class Band(NamedTuple):
    """What flows from one bar to another, as a path."""

    path: str
    css: str
    text: str


class Picture(NamedTuple):
    """The whole picture; `rows` are the flows themselves, to be read as a list."""

    width: int
    height: float
    blocks: list[Block]
    bands: list[Band]
    rows: list[dict[str, Any]]


def flow_picture(flows: Sequence[Flow]) -> Picture | None:
    """Return the picture of a run's evictions; None where nobody was evicted."""
    if not flows:
        return None
    flows = [{**flow, "by": flow.get("taker") or flow["by"]} for flow in flows]
    by, whom = _largest(flows, "by"), _largest(flows, "whom")
    first: Counter[tuple[str, str]] = Counter()
    second: Counter[tuple[str, str]] = Counter()
    for flow in flows:
        left, middle = by.get(flow["by"], _OTHERS), whom.get(flow["whom"], _OTHERS)
        first[left, middle] += flow["pods"]
        for where in _WHERE:
            second[middle, where] += flow[where]  # type: ignore[literal-required]
    columns = [
        _column(0, _sums(first, 0), _titles(flows, "by")),
        _column(1, _sums(first, 1), _titles(flows, "whom")),
        _column(2, _sums(second, 1), {key: words for key, (words, _) in _WHERE.items()}),
    ]
    scale = _HEIGHT / max(1, sum(first.values()))
    bands = [*_bands(columns[0], columns[1], first, scale), *_bands(columns[1], columns[2], second, scale)]
    blocks = [block for column in columns for block in column.values()]
    height = max(block.y + max(block.height, _SLOT) for block in blocks)
    return Picture(_WIDTH, height, blocks, bands, [_row(flow) for flow in flows])


def name_of(key: str) -> str:
    """Return how a workload is called in the picture, or what takes pods for none."""
    return TAKERS.get(key) or (plain([workload(key)]) if key else _ASKED)


def _largest(flows: Sequence[Flow], side: str) -> dict[str, str]:
    pods: Counter[str] = Counter()
    for flow in flows:
        pods[str(flow[side])] += flow["pods"]  # type: ignore[literal-required]
    ranked = sorted(pods, key=lambda key: (-pods[key], key))
    kept = ranked if len(ranked) <= LARGEST else ranked[: LARGEST - 1]
    return {key: key for key in kept}


def _titles(flows: Sequence[Flow], side: str) -> dict[str, str]:
    keys = dict.fromkeys(str(flow[side]) for flow in flows)  # type: ignore[literal-required]
    others = len(keys) - LARGEST + 1
    return {key: name_of(key) for key in keys} | {_OTHERS: f"{others:,} others"}


def _sums(pairs: Mapping[tuple[str, str], int], side: int) -> dict[str, int]:
    sums: Counter[str] = Counter()
    for pair, pods in pairs.items():
        sums[pair[side]] += pods
    order = list(_WHERE)
    ranked = sorted(
        (key for key in sums if sums[key]),
        key=lambda key: (key == _OTHERS, order.index(key) if key in order else 0, -sums[key], key),
    )
    return {key: sums[key] for key in ranked}


def _column(number: int, sums: Mapping[str, int], titles: Mapping[str, str]) -> dict[str, Block]:
    scale, y = _HEIGHT / max(1, sum(sums.values())), 0.0
    blocks: dict[str, Block] = {}
    for key, pods in sums.items():
        height = max(2.0, pods * scale)
        css = _WHERE[key][1] if number == 2 else "is-by" if number == 0 else "is-victim"
        blocks[key] = Block(_COLUMNS[number], round(y, 1), round(height, 1), css, titles[key], pods)
        y += max(height, _SLOT) + _GAP
    return blocks


def _bands(
    left: Mapping[str, Block], right: Mapping[str, Block], pairs: Mapping[tuple[str, str], int], scale: float
) -> list[Band]:
    """Return the bands between two columns, each beginning where the one before it ends."""
    out = {key: block.y for key, block in left.items()}
    into = {key: block.y for key, block in right.items()}
    bands = []
    for key, block in left.items():
        for other, end in right.items():
            pods = pairs.get((key, other), 0)
            if not pods:
                continue
            width = pods * scale
            css = end.css if end.x == _COLUMNS[2] else "is-victim"
            path = _path(block.x + _BAR, out[key], end.x, into[other], width)
            bands.append(Band(path, css, f"{block.title}: {pods:,} {end.title}"))
            out[key] += width
            into[other] += width
    return bands


def _path(x: int, y: float, to_x: int, to_y: float, width: float) -> str:
    middle = (x + to_x) / 2
    low, to_low = y + width, to_y + width
    return (
        f"M{x} {y:.1f}C{middle:.0f} {y:.1f} {middle:.0f} {to_y:.1f} {to_x} {to_y:.1f}"
        f"V{to_low:.1f}C{middle:.0f} {to_low:.1f} {middle:.0f} {low:.1f} {x} {low:.1f}Z"
    )


def _row(flow: Flow) -> dict[str, Any]:
    return {**flow, "by": name_of(flow["by"]), "whom": name_of(flow["whom"])}
