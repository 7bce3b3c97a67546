"""The sum of an admission to a queue as a bar: held, promised and asked for, against what is allowed."""

from typing import NamedTuple

from scheduler_core.events.sums import Sum


class SumBar(NamedTuple):
    """Where the parts of a sum lie, in percent of the bar's width, one behind the other.

    held, promised, fits, over: the widths; `fits` is what of the asked for is within what is allowed, `over`
    what is too much. allowed: where that ends.
    """

    held: float
    promised: float
    fits: float
    over: float
    allowed: float

    @property
    def promised_at(self) -> float:
        """Where what is promised begins."""
        return self.held

    @property
    def fits_at(self) -> float:
        """Where what is asked for begins."""
        return self.held + self.promised

    @property
    def over_at(self) -> float:
        """Where what is too much begins."""
        return self.fits_at + self.fits


def bar_of(one: Sum) -> SumBar:
    """Return the parts of a sum on a scale that has all of it."""
    taken = one.held + one.promised
    whole = max(one.allowed, taken + one.asked) or 1
    fits = max(0.0, min(one.asked, one.allowed - taken))
    parts = (one.held, one.promised, fits, one.asked - fits, one.allowed)
    return SumBar(*(round(100 * part / whole, 2) for part in parts))
