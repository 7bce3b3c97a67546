"""The axis of a run over time: its places, and shares and means along it."""

from typing import NamedTuple


class End(NamedTuple):
    """Where the axis ends: the last decision, and the clock then (null where none moves).

    A run that its end cut off goes on without decisions until there, so its clock may be later than the last
    decision's.
    """

    seq: int
    time: int | None


class Point(NamedTuple):
    """A decision as a place on the axis."""

    seq: int
    time: int | None


def quotient(area: int, length: int) -> float | None:
    """Return the mean of what sums up to `area` over a length, to a hundredth; None over nothing."""
    return round(area / length, 2) if length else None


def percent_of(part: int, whole: int) -> float | None:
    """Return a share in percent to a tenth, to a thousandth where that would be 0; None of nothing."""
    if not whole:
        return None
    share = 100 * part / whole
    return round(share, 1) or round(share, 3)
