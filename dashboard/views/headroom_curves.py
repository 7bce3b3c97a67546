"""The pictures of other amounts: how many more fit, by the cpu or memory that the shape asks for."""

from __future__ import annotations

from typing import NamedTuple

from dashboard.answers.printers.words import plain
from dashboard.answers.sentence import amount
from scheduler_core.world.headroom.other_amounts import Curve, OtherAmounts

WIDTH, HEIGHT = 420, 120
LEFT, TOP = 30, 18


class Mark(NamedTuple):
    """One point: where it is, its number and its amount in words; `is_asked`: the amount of now."""

    x: int
    y: int
    fit: str
    amount: str
    is_asked: bool


class Picture(NamedTuple):
    """The curve of one resource; `line`: the points of an SVG polyline; `says`: the same in words."""

    resource: str
    says: str
    line: str
    marks: list[Mark]


def pictures(found: OtherAmounts) -> list[Picture]:
    """Return a picture for each resource, all with the same height for the same number."""
    most = max((point.fit for curve in found.curves for point in curve.points), default=0) or 1
    return [_picture(curve, most) for curve in found.curves]


def _picture(curve: Curve, most: int) -> Picture:
    last = max(1, len(curve.points) - 1)
    marks = [
        Mark(
            LEFT + (WIDTH - 2 * LEFT) * at // last,
            TOP + HEIGHT - HEIGHT * point.fit // most,
            f"{point.fit:,}{'+' if point.or_more else ''}",
            plain(amount(point.amount, curve.resource)[:1]),
            point.amount == curve.asked,
        )
        for at, point in enumerate(curve.points)
    ]
    says = "; ".join(f"{one.amount}: {one.fit}" for one in marks)
    return Picture(curve.resource, says, " ".join(f"{one.x},{one.y}" for one in marks), marks)
