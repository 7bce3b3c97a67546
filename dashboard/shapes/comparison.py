"""Two runs side by side, figure by figure: `dashboard/services/results/comparing.py`.

Rows of pods, nodes and gangs that end differently are structs of `dashboard/queries/comparison_*.py`.
"""

from typing import Any, Literal, NotRequired, TypedDict

from dashboard.shapes.counted import CountedAs


class Setting(TypedDict):
    """Something that decides a run, as both have it."""

    what: str
    same: bool
    a: Any
    b: Any


Better = Literal["lower", "higher"]


AT_LEAST = ", at least"
"""Ends the name of a figure that may be larger in one of the runs."""


class Without(TypedDict):
    """A figure of the runs without the edits; null where there is none."""

    a: int | None
    b: int | None


class Figure(TypedDict):
    """A figure of both runs; `difference` is b less a, `unit` is there if it is no number of things.

    group: whether it says how full the `nodes` are, or which `pods` wait and go. resource: whose amount it
    is, in milli-CPU, bytes or whole units. better: where better has a direction. means: the term of the
    glossary that says how it is computed.
    """

    name: str
    a: int
    b: int
    difference: int
    group: Literal["nodes", "pods"]
    unit: NotRequired[Literal["ms", "‰"]]
    resource: NotRequired[str]
    better: NotRequired[Better]
    means: NotRequired[str]
    without: NotRequired[Without]


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
