"""The pictures of a sweep: a point for each setting, a line along an amount, a grid of two dimensions.

What was not played has no point. Colours come from the page; shapes tell the same.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.urls import reverse

from dashboard.answers.swept import called
from dashboard.shapes.swept import STATES, Dimension, Setting, Swept
from dashboard.views.card_charts import SYMBOLS
from dashboard.views.over_time_charts import COLOURS, LINES

Chart = dict[str, Any]
ACROSS = {"evicted": "pods evicted", "nodes": "nodes", "against_budgets": "evictions against a budget"}
"""What the points may lie along: the first of these that is not the same in all."""
SHADES = 4
_SMALLEST, _LARGEST = 9, 20
_NAMED = 6
"""So many settings at one point are told."""


def pictures(swept: Swept) -> list[Chart]:
    """Return the pictures that there is something to see in."""
    shown = [one for one in swept.settings if one.is_whole]
    found = [_scatter(swept, shown), _lines(swept, shown)]
    return [one for one in found if one is not None]


def _scatter(swept: Swept, shown: Sequence[Setting]) -> Chart | None:
    along = next((name for name in ACROSS if len({one.most(name) for one in shown}) > 1), None)
    if along is None:
        return None
    at_point: dict[tuple[int, int], list[Setting]] = {}
    for one in shown:
        at_point.setdefault((one.most(along), one.most("without_node")), []).append(one)
    texts = {
        one.values: "<br>".join(_text(swept, each) for each in some[:_NAMED]) + _others(len(some) - _NAMED)
        for some in at_point.values()
        for one in some
    }
    series = [
        _series(swept, name, some, [one.most(along) for one in some], at, sizes=_sizes(swept, some))
        | {"texts": [texts[one.values] for one in some]}
        for at, (name, some) in enumerate(_by_first(shown).items())
    ]
    today = [one for one in shown if one.is_today]
    ring = _series(swept, "today's settings", today, [one.most(along) for one in today], 0)
    ring |= {"symbol": "circle-open", "colour": "--ink", "sizes": [_LARGEST + 6] * len(today)}
    ring["texts"] = [texts[one.values] for one in today]
    chart = _chart("points", "Each point is a setting", ACROSS[along], "markers", [*series, ring])
    tells = f"shape and colour tell {swept.varied[0][1].title}" if swept.varied else ""
    sizes = f"{', ' if tells else ''}size tells {sizes_show(swept)}" if sizes_show(swept) else ""
    return chart | {"hidden": len(shown) - len(at_point), "tells": tells + sizes}


def _others(count: int) -> str:
    return f"<br>and {count} more" if count > 0 else ""


def sizes_show(swept: Swept) -> str:
    """Return the title of what the sizes of points tell, or nothing where all are of one size."""
    has_sizes = len(swept.varied) > 1 and swept.varied[1][1].is_numeric
    return swept.varied[1][1].title if has_sizes else ""


def _lines(swept: Swept, shown: Sequence[Setting]) -> Chart | None:
    axis = next(((at, one) for at, (_, one) in enumerate(swept.varied) if one.is_numeric), None)
    if axis is None or len(axis[1].values) < 2 or not shown:
        return None
    at, dimension = axis
    parts: dict[str, list[Setting]] = {}
    for one in shown:
        if one.values[at] is not None:
            rest = [name for place, name in enumerate(one.names) if place != at]
            parts.setdefault(", ".join(rest) or "without a node", []).append(one)
    series = []
    for place, (name, some) in enumerate(parts.items()):
        some.sort(key=lambda one: _amount(dimension, one.values[at]))
        xs = [_amount(dimension, one.values[at]) for one in some]
        series.append(_series(swept, name, some, xs, place))
    chart = _chart(
        "lines", f"Pods without a node by {dimension.title}", dimension.title, "lines+markers", series
    )
    others = " and ".join(one.title for place, (_, one) in enumerate(swept.varied) if place != at)
    return chart | {"tells": f"shape and colour tell {others}" if others else ""}


def _by_first(shown: Iterable[Setting]) -> dict[str, list[Setting]]:
    parts: dict[str, list[Setting]] = {}
    for one in shown:
        parts.setdefault(one.names[0] if one.names else "", []).append(one)
    return parts


def _sizes(swept: Swept, settings: Sequence[Setting]) -> list[float]:
    """Return the sizes of points: the second dimension, if it is an amount."""
    if not sizes_show(swept):
        return [_SMALLEST + 3] * len(settings)
    dimension = swept.varied[1][1]
    most = max((float(one.value) for one in dimension.values), default=0) or 1
    share = (_amount(dimension, one.values[1]) / most for one in settings)
    return [_SMALLEST + (_LARGEST - _SMALLEST) * max(0.0, one) for one in share]


def _amount(dimension: Dimension, place: int | None) -> float:
    """Return where a value lies; that of the scenario, if it is none of the grid's, as far as it is one."""
    if place is not None:
        return float(dimension.values[place].value)
    try:
        return float(dimension.today)
    except ValueError:
        return 0.0


def _series(
    swept: Swept, name: str, settings: Sequence[Setting], xs: Sequence[float], at: int,
    *, sizes: Sequence[float] | None = None,
) -> Chart:  # fmt: skip
    return {
        "name": name,
        "colour": COLOURS[at % len(COLOURS)],
        "symbol": SYMBOLS[(at + at // len(COLOURS)) % len(SYMBOLS)],
        "dash": LINES[at % len(LINES)],
        "x": list(xs),
        "y": [one.most("without_node") for one in settings],
        "sizes": list(sizes) if sizes is not None else [_SMALLEST] * len(settings),
        "texts": [_text(swept, one) for one in settings],
        "points": [
            {"run": run, "address": reverse("run-outcome", args=[run])} for run in map(_worst, settings)
        ],
    }


def _text(swept: Swept, setting: Setting) -> str:
    said = f"{setting.most('without_node'):,} without a node, {setting.most('evicted'):,} evicted"
    return f"{called(swept, setting)}<br>{said}{'<br>today' if setting.is_today else ''}"


def _worst(setting: Setting) -> int:
    """Return the run that counts: of several seeds the worst."""
    worst = max(setting.points, key=lambda one: one.figures.without_node if one.figures else -1)
    return worst.run or 0


def _chart(name: str, label: str, across: str, mode: str, series: list[Chart]) -> Chart:
    return {
        "id": f"sweep-{name}", "data_id": f"sweep-{name}-data", "label": label, "across": across,
        "up": "pods without a node", "mode": mode, "series": series,
    }  # fmt: skip


# -- the grid --------------------------------------------------------------------------------------------


class Cell(NamedTuple):
    """A setting in the grid. shade: 0 for no pod without a node, up to SHADES. address: of its run."""

    number: str
    under: str
    shade: int
    is_framed: bool
    is_today: bool
    address: str
    label: str
    run: int | None = None


class Grid(NamedTuple):
    """Two dimensions: the titles of rows and columns, the columns' names, and rows of cells by name."""

    rows_title: str
    columns_title: str
    columns: list[str]
    rows: list[tuple[str, list[Cell]]]


def grid(swept: Swept) -> Grid | None:
    """Return the settings by two dimensions; None of a sweep that has not two."""
    if len(swept.varied) != 2:
        return None
    (_, down), (_, across) = swept.varied
    most = max((one.most("without_node") for one in swept.settings if one.is_whole), default=0)
    cells = {
        one.values: _cell(swept, one, most, place in swept.framed)
        for place, one in enumerate(swept.settings)
    }  # fmt: skip
    rows = [
        (value.name, [cells[at, to] for to in range(len(across.values))])
        for at, value in enumerate(down.values)
    ]
    return Grid(down.title, across.title, [one.name for one in across.values], rows)


def _cell(swept: Swept, setting: Setting, most: int, is_framed: bool) -> Cell:
    run = next((point.run for point in setting.points if point.run is not None), None)
    name = called(swept, setting)
    if not setting.is_whole:
        state = next(point.state for point in setting.points if not point.is_whole)
        address = reverse("run-outcome", args=[run]) if run else ""
        return Cell("–", STATES[state], 0, False, setting.is_today, address, f"{name}: {STATES[state]}")
    waits, evicted = setting.most("without_node"), setting.most("evicted")
    shade = -(-SHADES * waits // most) if most else 0
    label = f"{name}: {waits:,} without a node, {evicted:,} evicted"
    address = reverse("run-outcome", args=[_worst(setting)])
    return Cell(
        f"{waits:,}", f"{evicted:,} ev.", shade, is_framed, setting.is_today, address, label, _worst(setting)
    )
