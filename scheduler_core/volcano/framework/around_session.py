"""What a session knows of those around it: plugins, which it asks, and a witness, who hears what it does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Protocol

from scheduler_core.volcano.model.fit_errors import Refusals
from scheduler_core.volcano.model.jobs import Job
from scheduler_core.volcano.model.nodes import Floats, Rows
from scheduler_core.volcano.model.sub_jobs import SubJob
from scheduler_core.volcano.model.tasks import Task


class Witness(Protocol):
    """Who is told what a session does, as it does it."""

    def bound(self, task: Task) -> None:
        """A bind was sent out."""

    def evicted(self, task: Task, reason: str) -> None:
        """An eviction was sent out."""

    def chose(self, task: Task, nodes: Rows, scores: Floats, best: Rows, chosen: int) -> None:
        """A node was chosen among two or more."""

    def chose_hyper_node(self, of: Job | SubJob, scores: Mapping[str, float], best: Sequence[str]) -> None:
        """A hyper node was chosen among two or more; the first of the best is taken."""


class SessionPlugin(Protocol):
    """What a session asks of a plugin beside its functions; see `plugin.py`."""

    switched_off: frozenset[str]
    reads_clock: ClassVar[bool]
    hears: ClassVar[bool]
    gives_back: ClassVar[bool]
    counts_tasks: ClassVar[bool]

    def next_change(self, now: int) -> int | None:
        """Return when time alone changes what it says next."""

    def by_node(self, task: Task) -> bool:
        """Return whether what it says of a node depends on that node alone."""

    def against(self, task: Task, rows: Rows) -> dict[int, Refusals]:
        """Return what it has against a task by node, and leave nothing behind."""

    def class_part(self, task: Task) -> object:
        """Return what else than its spec tells a task from others there."""

    def predicate_of(self, task: Task) -> Callable[[int], bool]:
        """Return how one node is asked whether it fits."""

    def node_order_of(self, task: Task) -> Callable[[int], float]:
        """Return how one node is asked for what it scores by itself."""

    def own_score_of(self, task: Task) -> Callable[[int], float]:
        """Return how one node is asked for its part of a batch's scores."""

    def own_scores(self, task: Task, nodes: Rows) -> Floats:
        """Return what it scores by each node alone."""

    def compared_scores(self, task: Task, nodes: Rows) -> Floats | None:
        """Return what it scores by all of these nodes together."""

    def drawn_from(self, candidate: Task) -> object:
        """Return what is the same of candidates for eviction of which it lets any go."""

    def allocated(self, task: Task) -> str | None:
        """Hear that a task was given a node."""

    def deallocated(self, task: Task) -> None:
        """Hear that a task has its node no more."""

    def close(self) -> None:
        """Hear that the session ends."""
