"""Answers kept by class of tasks and node: a node is asked again only when what is on it has changed.

Only answers that depend on nothing else are kept (`Plugin.by_node`); what compares nodes with each other is
asked anew at every choice. The plugins' own functions are asked here as everywhere else, for fewer nodes.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import ClassVar, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from scheduler_core.state.cluster import ClusterState
from scheduler_core.volcano.fit_errors import Refusals
from scheduler_core.volcano.nodes import Floats, Mask, Nodes, Rows
from scheduler_core.volcano.task_classes import TaskClasses
from scheduler_core.volcano.tasks import Task

Predicate = Callable[[Task, Rows], dict[int, Refusals]]
S = TypeVar("S", bound=np.generic)

_MOST_BYTES = 64 * 2**20
_BYTES_A_NODE = 24


class Asked(Protocol):
    """What is asked here of a session."""

    state: ClusterState
    nodes: Nodes
    classes: TaskClasses

    def by_node(self, task: Task) -> bool: ...

    def scores(self, task: Task, nodes: Rows) -> Floats | None: ...

    def scores_by_node(self, task: Task, nodes: Rows) -> Floats: ...

    def compared_scores(self, task: Task, nodes: Rows) -> Floats | None: ...


class KeptDiffers(AssertionError):
    """A kept answer is not the one that the plugins give now."""


class Kept:
    """The answers of a session. With `check_every` k each k-th is held against the plugins' own.

    A class is kept from its second task on; the one that was asked for longest ago goes when there are too
    many.
    """

    check_every: ClassVar[int] = 0

    def __init__(self, session: Asked) -> None:
        self._session = session
        self._classes: OrderedDict[int, _Answers] = OrderedDict()
        self._most = max(1, _MOST_BYTES // (_BYTES_A_NODE * max(1, len(session.nodes))))
        self.given = 0

    def _of(self, task: Task) -> _Answers | None:
        session = self._session
        known = session.classes.of(task)
        if known is None or not session.classes.recurs(known):
            return None
        if known in self._classes:
            self._classes.move_to_end(known)
            return self._classes[known]
        if not session.by_node(task):
            return None
        if len(self._classes) >= self._most:
            self._classes.popitem(last=False)
        answers = self._classes[known] = _Answers(session.nodes)
        return answers

    # -- what is asked -------------------------------------------------------------------------------

    def refusals(self, task: Task, nodes: Rows, predicate: Predicate, name: str) -> dict[int, Refusals]:
        """Return what a predicate says; `name` tells it from others, whose answers are not the same."""
        answers = self._of(task)
        if answers is None:
            return predicate(task, nodes)
        refused = answers.refused(name).of(nodes, lambda rows: predicate(task, rows))
        self._check(lambda: refused == predicate(task, nodes), task)
        return refused

    def idle(self, task: Task, nodes: Rows) -> Mask:
        """Return which nodes have room for a task now."""

        def has_room(rows: Rows) -> Mask:
            return self._session.nodes.fits(task.request, rows, future=False)

        answers = self._of(task)
        if answers is None:
            return has_room(nodes)
        room = answers.idle.of(nodes, has_room)
        self._check(lambda: np.array_equal(room, has_room(nodes)), task)
        return room

    def scores(self, task: Task, nodes: Rows) -> Floats | None:
        """Return the scores of nodes, None if a plugin fails."""
        session, answers = self._session, self._of(task)
        if answers is None:
            return session.scores(task, nodes)
        each, batch = answers.scores.of(nodes, lambda rows: session.scores_by_node(task, rows)).T
        compared = session.compared_scores(task, nodes)
        if compared is not None:
            batch = batch + compared
        summed = each + batch
        scores = None if np.isnan(summed.sum()) else summed
        self._check(lambda: _same(scores, session.scores(task, nodes)), task)
        return scores

    def _check(self, holds: Callable[[], bool], task: Task) -> None:
        self.given += 1
        if self.check_every and self.given % self.check_every == 0 and not holds():
            raise KeptDiffers(f"an answer kept for {task.key} has changed")


class _Answers:
    """The answers to one class of tasks; `scores` are as `Session.scores_by_node` gives them."""

    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes
        self._refused: dict[str, _Refused] = {}
        self.idle = _Column(nodes, np.bool_)
        self.scores = _Column(nodes, np.float64, 2)

    def refused(self, name: str) -> _Refused:
        """Return what a predicate has said."""
        if name not in self._refused:
            self._refused[name] = _Refused(self._nodes)
        return self._refused[name]


class _Column(Generic[S]):
    """One value for each node, or several side by side."""

    def __init__(self, nodes: Nodes, kind: type[S], *width: int) -> None:
        self._values: NDArray[S] = np.zeros((len(nodes), *width), dtype=kind)
        self._known = np.zeros(len(nodes), dtype=np.bool_)
        self._changes: Sequence[int] = nodes.changes
        self._read = len(nodes.changes)

    def of(self, nodes: Rows, ask: Callable[[Rows], NDArray[S]]) -> NDArray[S]:
        """Return the values of nodes; those that are not known are asked for."""
        if self._read < len(self._changes):
            self._known[self._changes[self._read :]] = False
            self._read = len(self._changes)
        unknown = nodes[~self._known[nodes]]
        if len(unknown):
            self._values[unknown] = ask(unknown)
            self._known[unknown] = True
        return self._values[nodes]


class _Refused:
    """Which nodes a predicate leaves, and why not the others."""

    def __init__(self, nodes: Nodes) -> None:
        self._fits = _Column(nodes, np.bool_)
        self._why: dict[int, Refusals] = {}

    def of(self, nodes: Rows, ask: Callable[[Rows], dict[int, Refusals]]) -> dict[int, Refusals]:
        """Return why nodes refuse."""

        def fits(rows: Rows) -> Mask:
            said = ask(rows)
            self._why |= said
            return left_by(said, rows)

        mask = self._fits.of(nodes, fits)
        return {} if mask.all() else {row: self._why[row] for row in nodes[~mask].tolist()}


def left_by(refused: dict[int, Refusals], nodes: Rows) -> Mask:
    """Return which of the nodes are not refused."""
    if not refused:
        return np.ones(len(nodes), dtype=np.bool_)
    return np.array([row not in refused for row in nodes.tolist()], dtype=np.bool_)


def _same(one: Floats | None, other: Floats | None) -> bool:
    if one is None or other is None:
        return one is other
    return np.array_equal(one, other)
