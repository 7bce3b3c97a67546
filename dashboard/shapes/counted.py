"""What the amounts of a resource count by which cards are shared."""

from typing import Literal, NotRequired, TypedDict

CountedAs = Literal["slots", "one card"]
"""Slots of shared cards, or what each container asks of one card."""


class Counted(TypedDict):
    """A row about a resource; `counts` is there where cards are shared by it."""

    resource: str
    counts: NotRequired[CountedAs]
