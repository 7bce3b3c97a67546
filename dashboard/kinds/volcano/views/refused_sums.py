"""The picture of what kept a job out of its queue: held, promised, asked and allowed over the sessions.

Places along the axis are percent of its width, as texts for attributes of SVG; heights are pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from dashboard.amounts import amount
from dashboard.answers.why import excess
from dashboard.kinds.volcano.queries.refused_sums import EnqueueAttempt, Moment
from dashboard.kinds.volcano.views.session_axis import Axis, text
from scheduler_core.events.sums import Sum

_HEIGHT, _LEAST = 120.0, 1.5
ROWS = 50


class Layer(NamedTuple):
    """A part of a sum as a rectangle; `kind` is its class in the style sheet."""

    kind: str
    top: float
    height: float


class Piece(NamedTuple):
    """From where to where a sum was so; `allowed` is where its line lies."""

    x: str
    width: str
    layers: list[Layer]
    allowed: float
    says: str
    seq: int


class Row(NamedTuple):
    """A refusal with its sum, and by how much it is too much; `also` is in how many later ones it is so."""

    asked: EnqueueAttempt
    sum: Sum
    over: float
    also: int


class Picture(NamedTuple):
    """One resource over the sessions; `entered` are places at which the job was let in, each with its words.

    rows are the refusals, equal neighbours once; `more` were left out.
    """

    resource: str
    plugins: list[str]
    pieces: list[Piece]
    entered: list[tuple[str, str, int]]
    ticks: list[tuple[str, str]]
    rows: list[Row]
    more: int
    height: float = _HEIGHT
    words_y: float = _HEIGHT + 16
    whole_height: float = _HEIGHT + 22


def picture_of(asked: Sequence[EnqueueAttempt], end: Moment | None) -> Picture | None:
    """Return the picture in the resource that was too much in the last refusal; None without a sum."""
    refused = [one for one in asked if one.sums]
    if not refused or end is None:
        return None
    resource = refused[-1].sums[0].resource
    axis = Axis([*asked, end], end.session)
    sums = [one for asks in refused if (one := _of(asks, resource)) is not None]
    most = max(max(one.allowed, one.held + one.promised + one.asked) for one in sums) or 1
    pieces = [
        _piece(axis, one, its, since, until, _HEIGHT / most)
        for one, since, until in axis.spans(asked, lambda one: (one.plugin, _of(one, resource)))
        if (its := _of(one, resource)) is not None
    ]
    rows = _rows(refused, resource)
    plugins = list(dict.fromkeys(row.asked.plugin for row in rows))
    entered = [
        (text(axis.percent(axis.place(one))), f"enters in session {one.session:,}", one.seq)
        for one in asked
        if one.entered
    ]
    return Picture(resource, plugins, pieces, entered, axis.ticks(), rows[-ROWS:], max(0, len(rows) - ROWS))


def _of(one: EnqueueAttempt, resource: str) -> Sum | None:
    return next((its for its in one.sums if its.resource == resource), None)


def _piece(axis: Axis, asked: EnqueueAttempt, its: Sum, since: int, until: int, scale: float) -> Piece:
    fits = max(0.0, min(its.asked, its.allowed - its.held - its.promised))
    parts = (("held", its.held), ("promised", its.promised), ("fits", fits), ("too-much", its.asked - fits))
    layers, taken = [], 0.0
    for kind, size in parts:
        taken += size
        if size > 0:
            layers.append(Layer(kind, round(_HEIGHT - taken * scale, 1), round(size * scale, 1)))
    x, end = axis.percent(since), axis.percent(until) if axis.length else 100.0
    told = ", ".join(
        f"{amount(size, its.resource)} {word}"
        for size, word in ((its.held, "held"), (its.promised, "promised"), (its.asked, "asked"))
    )
    says = (
        f"from {axis.said(since)}: {told}, of {amount(its.allowed, its.resource)} that {asked.plugin} allows"
    )
    line = round(_HEIGHT - its.allowed * scale, 1)
    return Piece(text(x), text(max(end - x, _LEAST)), layers, line, says, asked.seq)


def _rows(refused: Sequence[EnqueueAttempt], resource: str) -> list[Row]:
    rows: list[Row] = []
    for one in refused:
        its = _of(one, resource)
        if its is None:
            continue
        if rows and (rows[-1].asked.plugin, rows[-1].sum) == (one.plugin, its):
            rows[-1] = rows[-1]._replace(also=rows[-1].also + 1)
        else:
            rows.append(Row(one, its, excess(its), 0))
    return rows
