"""Pictures and tables of a run's cards, or of those of several runs beside each other.

The picture's x is what has arrived, or the decision's number; `static/js/card-curves.js` draws it.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from dashboard.models import Run
from dashboard.shapes.over_time import Cards, Published
from dashboard.templatetags.figures import moment_query, place_words
from dashboard.views.over_time_charts import COLOURS, LINES
from dashboard.views.tables import plain_columns

Document = dict[str, Any]
SYMBOLS = ["circle", "square", "diamond", "triangle-up", "x", "star"]
MEASURES = {"allocated": "Given out", "fragmentation": "Free but lost"}
_NAMES = ("seq", "time", "arrived", *MEASURES, "waiting", "nodes", "idle")
LEVEL = 5
"""The table of several runs has a row for so many percent of the cards that arrive."""
LAST_LEVEL = 400


@dataclass(frozen=True)
class Side:
    """A run in a picture: how it is called and drawn, and the figures of its cards."""

    run: Run
    name: str
    figures: Cards
    place: int = 0

    @property
    def line(self) -> str:
        """How its line looks, in words."""
        return f"{LINES[self.place]}, {SYMBOLS[self.place].replace('-up', '')}"

    def rows(self) -> list[Document]:
        """Return a row for each point."""
        found: dict[str, Any] = {**self.figures}
        columns = (found[name] for name in _NAMES)
        return [dict(zip(_NAMES, values, strict=True)) for values in zip(*columns, strict=True)]

    def at(self, arrived: float) -> Document:
        """Return the last point at which no more has arrived than so many percent of the cards."""
        return self.rows()[max(0, bisect_right(self.figures["arrived"], arrived) - 1)]


def curves(sides: Iterable[Side], published: Published | None = None) -> Document:
    """Return what the page's script draws."""
    return {
        "sides": [_curve(side) for side in sides],
        "measures": MEASURES,
        "published": [
            {
                "name": policy,
                "dash": dash,
                "allocated": published["allocated"][policy],
                "fragmentation": published["fragmentation"][policy],
            }
            for policy, dash in zip(published["allocated"], LINES, strict=True)
        ]
        if published is not None
        else [],
    }


def _curve(side: Side) -> Document:
    rows = side.rows()
    return {
        "name": side.name,
        "colour": COLOURS[side.place],
        "dash": LINES[side.place],
        "symbol": SYMBOLS[side.place],
        "debugger": reverse("run", args=[side.run.pk]),
        "queries": list(map(moment_query, rows)),
        "texts": list(map(place_words, rows)),
        "seq": side.figures["seq"],
        "arrived": side.figures["arrived"],
        "allocated": side.figures["allocated"],
        "fragmentation": side.figures["fragmentation"],
    }


def levels(sides: list[Side]) -> Iterator[Document]:
    """Yield what each run has come to, each time LEVEL more percent of the cards have arrived in all."""
    last = min(side.figures["arrived"][-1] for side in sides)
    for level in range(0, min(int(last), LAST_LEVEL) + 1, LEVEL):
        yield {"arrived": level, "points": [(side, side.at(level)) for side in sides]}


# -- tables for export -------------------------------------------------------------------------------

CARD_COLUMNS = plain_columns(*_NAMES)
SIDE_COLUMNS = plain_columns("run", "policies", *_NAMES)


def side_rows(sides: Iterable[Side]) -> Iterator[Document]:
    """Yield the points of all runs, each with its run."""
    for side in sides:
        for row in side.rows():
            yield {"run": side.run.pk, "policies": side.name, **row}
