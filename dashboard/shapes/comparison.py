"""Two runs side by side, figure by figure: `dashboard/services/results/comparing.py`.

Rows of pods, nodes and gangs that end differently are structs of `dashboard/queries/comparison_*.py`.
"""

from typing import Any, NotRequired, TypedDict

from dashboard.shapes.counted import CountedAs


class Setting(TypedDict):
    """Something that decides a run, as both have it."""

    what: str
    same: bool
    a: Any
    b: Any


class Figure(TypedDict):
    """A figure of both runs; `difference` is b less a, `unit` is there if it is no number of things."""

    name: str
    a: int
    b: int
    difference: int
    unit: NotRequired[str]


class Allocatable(TypedDict):
    """What nodes have at the end of each run."""

    a: int
    b: int


class Utilisation(TypedDict):
    """What is requested of a resource at the end of each run.

    `counts` is there where HAMi shares cards by it: slots of cards, or what each container asks of one card.
    """

    resource: str
    a: int
    b: int
    difference: int
    unit: str
    allocatable: Allocatable
    counts: NotRequired[CountedAs]
