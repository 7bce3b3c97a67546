"""The changes that a decision makes to the state: a handful of verbs over tables and lists.

A table maps an id to a row, which is an object of plain fields; a list maps an id to its order. `set`,
`appear` and `vanish` change tables, `join`, `leave` and `move_all` lists. Every change carries what it
replaces, so that it can be taken back exactly, and none of them knows a scheduler: `fold.py` and
`static/js/fold.js` carry them out for tables and lists of any name.

The tables and lists of every run are described in `state.py`.
"""

from typing import Any

import msgspec


class Event(msgspec.Struct, forbid_unknown_fields=True, frozen=True, gc=False):
    """Base of every struct in the log: immutable, strict about fields it does not know, never in a circle."""


class Set(Event, frozen=True, tag_field="verb", tag="set"):
    """Fields of a row get new values. `old` and `new` have the same keys."""

    table: str
    id: str
    old: dict[str, Any]
    new: dict[str, Any]


class Appear(Event, frozen=True, tag_field="verb", tag="appear"):
    """A row comes into being."""

    table: str
    id: str
    row: dict[str, Any]


class Vanish(Event, frozen=True, tag_field="verb", tag="vanish"):
    """A row ceases to be; `row` is what it was at the end."""

    table: str
    id: str
    row: dict[str, Any]


class Join(Event, frozen=True, tag_field="verb", tag="join"):
    """Something takes its place in a list: of all lists of a name, the one `of` something."""

    list: str
    of: str
    id: str
    order: int


class Filler(Event, frozen=True):
    """Who takes the order that became free, and the order it had before."""

    id: str
    order: int


class Leave(Event, frozen=True, tag_field="verb", tag="leave"):
    """Something leaves a list. If there is a `filler`, it takes the order that became free."""

    list: str
    of: str
    id: str
    order: int
    filler: Filler | None = None


class MoveAll(Event, frozen=True, tag_field="verb", tag="move_all"):
    """All members of one list go to another of the same name; each order grows by `by`.

    In the list that they join, they and nobody else have orders from `first` on.
    """

    list: str
    of: str
    to: str
    by: int
    first: int
    count: int


Change = Set | Appear | Vanish | Join | Leave | MoveAll
