"""Two runs side by side: `dashboard/services/results/comparing.py` and `dashboard/queries/comparison*.py`."""

from typing import Any, Literal, NotRequired, TypedDict

from dashboard.queries.comparison import Retiming, Rewording
from dashboard.queries.comparison_gangs import GangDifference
from dashboard.queries.comparison_releases import Releases
from dashboard.queries.comparison_room import Room
from dashboard.queries.comparison_rows import NodeDifference, PodDifference


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
    counts: NotRequired[Literal["slots", "one card"]]


class GangsPage(TypedDict):
    """Pod groups that end differently."""

    total: int
    results: list[GangDifference]
    next: str | None


class PodsPage(TypedDict):
    """Pods that end differently."""

    total: int
    results: list[PodDifference]
    next: str | None


class NodesPage(TypedDict):
    """Nodes with other pods at the end."""

    total: int
    results: list[NodeDifference]
    next: str | None


class Answer(TypedDict):
    """Two runs side by side, but for the runs and the decisions that differ first."""

    sentence: str
    inputs: str
    settings: list[Setting]
    complete: bool
    compared: int
    figures: list[Figure]
    utilisation: list[Utilisation]
    rewording: Rewording | None
    retiming: Retiming | None
    freed_room: Room | None
    releases: Releases | None
    gangs: GangsPage
    pods: PodsPage
    nodes: NodesPage
