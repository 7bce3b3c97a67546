"""The tables of a sweep: the best settings with today's as the last row, and every run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from dashboard.answers.answer import Column, Table
from dashboard.answers.printers.words import plain
from dashboard.answers.sentence import Name, Number, Place, Sentence, amount, number, sentence
from dashboard.shapes.swept import STATES, Point, PointFigures, Setting, Swept, titles_apart, value_names

BEST = 5
RANKED_BY = (
    "fewest edits not done, then fewest pods without a node, evictions against a budget, nodes, evictions; "
    "of several seeds the worst run counts"
)


class _Figure(NamedTuple):
    key: str
    title: str
    of: Callable[[PointFigures], float | None]
    measure: str = ""


_FIGURES = (
    _Figure("without_node", "without a node", lambda one: one.without_node),
    _Figure("evicted", "evicted", lambda one: one.evicted),
    _Figure("against_budgets", "against a budget", lambda one: one.against_budgets),
    _Figure("nodes", "nodes", lambda one: one.nodes),
    _Figure("nearly_empty", "nodes at most 10 % cpu", lambda one: one.nearly_empty),
    _Figure("cpu", "cpu requested", lambda one: one.cpu, "share"),
    _Figure("memory", "memory requested", lambda one: one.memory, "share"),
    _Figure("stranded", "cpu stranded", lambda one: one.stranded, "cpu"),
    _Figure("not_done", "edits not done", lambda one: one.not_done),
)


def _shown(swept: Swept) -> list[_Figure]:
    """Return the figures that are not the same in all runs, and those that rank first in any case."""
    found = [one for setting in swept.settings for one in setting.figures]
    first = ("without_node", "evicted")
    return [one for one in _FIGURES if one.key in first or len({_as_shown(each, one) for each in found}) > 1]


def _as_shown(found: PointFigures, figure: _Figure) -> str:
    value = figure.of(found)
    return "" if value is None else plain(_printed(value, figure))


def shown_best(swept: Swept, ranked: Sequence[Setting]) -> list[tuple[str, Setting]]:
    """Return the best of the ranked settings and at the end today's, each with its place among all.

    Settings that are equal in all by which they are ranked share a place.
    """
    placed = [(f"{1 + sum(other.rank < one.rank for other in ranked)}", one) for one in ranked]
    today = next((f"{place}, today" for place, one in placed if one.is_today), "today")
    return [*[named for named in placed if not named[1].is_today][:BEST], (today, swept.today)]


def best_settings(swept: Swept, ranked: Sequence[Setting]) -> Table:
    """Return the best of the ranked settings, and today's at the end with its place."""
    rows = shown_best(swept, ranked)
    shown = _shown(swept)
    columns = [Column("place", ""), *_columns(swept), *_figure_columns(shown)]
    columns += [
        Column("against_today", "against today"),
        *([Column("runs", "runs")] if swept.has_runs else []),
    ]
    cells = [
        [
            sentence(place), *(sentence(name) for name in one.names),
            *(_cell(one, figure) for figure in shown),
            [] if one.is_today else _against(one, swept.today),
            *([_links(one)] if swept.has_runs else []),
        ]
        for place, one in rows
    ]  # fmt: skip
    left = len(ranked) - sum(one.is_ranked for _, one in rows)
    return Table("best", "Best settings", columns, cells, sentence(RANKED_BY), others=left)


def all_runs(swept: Swept) -> Table:
    """Return every point, played or not."""
    shown = _shown(swept)
    columns = [Column("run", "run")] if swept.has_runs else []
    columns += [Column(title, title) for title in titles_apart(swept.dimensions)]
    queues = list(dict.fromkeys(name for one in swept.settings for f in one.figures for name in f.queues))
    columns += [*_figure_columns(shown), Column("unserved", "without a scheduler", number=True)]
    columns += [Column(f"queue_{name}", f"waits in {name}", number=True) for name in queues]
    columns += [Column("state", "state")]
    rows = [_row(swept, point, shown, queues) for point in sorted(swept.points, key=lambda one: one.place)]
    return Table("runs", "All runs", columns, rows, folds=True)


def _row(swept: Swept, point: Point, shown: Sequence[_Figure], queues: Sequence[str]) -> list[Sentence]:
    names = map(sentence, value_names(swept.dimensions, point))
    row = [*([_run(point)] if swept.has_runs else []), *names]
    figures = point.figures
    if figures is None:
        row += [[]] * (len(shown) + 1 + len(queues))
    else:
        row += [_spread([figures], one) for one in shown]
        row += [[number(figures.unserved)], *(_in_queue(figures, name) for name in queues)]
    return [*row, sentence(STATES[point.state], f": {point.why}" if point.why else "")]


def _in_queue(figures: PointFigures, name: str) -> Sentence:
    """Return how many wait in a queue; nothing of a run whose scheduler knows no queues."""
    return [number(figures.queues.get(name, 0))] if figures.queues else []


def _columns(swept: Swept) -> list[Column]:
    titles = titles_apart(swept.dimensions)
    return [Column(titles[at], titles[at]) for at, _ in swept.varied]


def _figure_columns(shown: Sequence[_Figure]) -> list[Column]:
    return [Column(one.key, one.title, number=True) for one in shown]


def _cell(setting: Setting, figure: _Figure) -> Sentence:
    left = next((point for point in setting.points if point.figures is None), None)
    if left is None:
        return _spread(setting.figures, figure)
    if figure.key != "without_node":
        return []
    played = len(setting.figures)
    if not played:
        return sentence(STATES[left.state])
    return sentence(number(played), " of ", number(len(setting.points), "run"), " played")


def _spread(found: Sequence[PointFigures], figure: _Figure) -> Sentence:
    values = [value for one in found if (value := figure.of(one)) is not None]
    if not values:
        return []
    ends = dict.fromkeys((min(values), max(values)))
    said = [_printed(value, figure) for value in ends]
    return said[0] if len(said) == 1 else sentence(said[0], " to ", said[1])


def _printed(value: float, figure: _Figure) -> Sentence:
    if figure.measure == "share":
        return [Number(value, measure="share")]
    if figure.measure:
        return amount(value, figure.measure)
    return [number(int(value))]


def range_of(setting: Setting, name: str, *, strong: bool = False) -> Sentence:
    """Return a figure of all runs of a setting: the least and the most."""
    values = [int(getattr(one, name)) for one in setting.figures]
    ends = [Number(value, strong=strong) for value in dict.fromkeys((min(values), max(values)))]
    return sentence(ends[0]) if len(ends) == 1 else sentence(ends[0], " to ", ends[1])


def _against(setting: Setting, today: Setting) -> Sentence:
    """Say in how much a setting differs from today's, without a word on which is better."""
    if not today.is_whole:
        return []
    said: Sentence = []
    for name, after in (("without_node", "without a node"), ("evicted", "evicted"), ("nodes", "node")):
        more = setting.most(name) - today.most(name)
        if more:
            many = "s" if name == "nodes" and abs(more) > 1 else ""
            said += sentence(
                ", " if said else "", number(abs(more)), f" {'more' if more > 0 else 'fewer'} {after}{many}"
            )
    return said or sentence("the same")


def _links(setting: Setting) -> Sentence:
    said: Sentence = []
    for point in setting.points:
        run = _run(point)
        said += sentence(", " if said and run else "", run)
    return said


def _run(point: Point) -> Sentence:
    return [] if point.run is None else [Name("run", str(point.run), at=Place(run=point.run))]
