"""Answers kept by class of tasks and node: a node is asked again only when what is on it has changed.

Only answers that depend on nothing else are kept (`Plugin.by_node`); what compares nodes with each other is
asked anew at every choice. Many nodes are asked by the plugins' own functions, a few one by one in plain
numbers (`Plugin.predicate_of`, `node_order_of`, `own_score_of`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from scheduler_core.equivalence.cache import EquivalenceCache, classes_within
from scheduler_core.predicates.resources import FEW
from scheduler_core.state.cluster import ClusterState
from scheduler_core.volcano.equivalence.task_classes import TaskClasses
from scheduler_core.volcano.model.fit_errors import Refusals, Whys
from scheduler_core.volcano.model.nodes import Floats, Mask, Nodes, Rows
from scheduler_core.volcano.model.tasks import Task

Predicate = Callable[[Task, Rows], dict[int, Refusals]]

_MOST_BYTES = 64 * 2**20
_BYTES_A_NODE = 48


@dataclass(frozen=True)
class Question:
    """A predicate whose answers may be kept, under its name.

    `of_one` returns for a task how one node is asked whether it fits; a no is asked again, for its reasons.
    """

    name: str
    ask: Predicate
    of_one: Callable[[Task], Callable[[int], bool]]

    def __call__(self, task: Task, nodes: Rows) -> dict[int, Refusals]:
        """Return by node why it refuses."""
        return self.ask(task, nodes)


class ScoringSession(Protocol):
    """What is asked here of a session."""

    state: ClusterState
    nodes: Nodes
    classes: TaskClasses

    def by_node(self, task: Task) -> bool: ...

    def scores(self, task: Task, nodes: Rows) -> Floats | None: ...

    def scores_by_node(self, task: Task, nodes: Rows) -> tuple[Floats, Floats]: ...

    def scores_of_one(self, task: Task) -> Callable[[int], tuple[float, float]]: ...

    def compared_scores(self, task: Task, nodes: Rows) -> Floats | None: ...


class Kept:
    """The answers of a session. With `check_every` k each k-th is held against the plugins' own.

    A class is kept from its second task on.
    """

    check_every: ClassVar[int] = 0

    def __init__(self, session: ScoringSession) -> None:
        self._session = session
        self._classes: EquivalenceCache[int, _Answers] = EquivalenceCache(self.check_every)
        self._most = classes_within(_MOST_BYTES, _BYTES_A_NODE * len(session.nodes))
        self._last: tuple[Task | None, _Answers | None] = None, None

    @property
    def given(self) -> int:
        """How many answers were given."""
        return self._classes.given

    def _of(self, task: Task) -> _Answers | None:
        if task is not self._last[0]:
            self._last = task, self._found(task)
        return self._last[1]

    def _found(self, task: Task) -> _Answers | None:
        session = self._session
        known = session.classes.of(task)
        if known is None or not session.classes.recurs(known):
            return None
        answers = self._classes.find(known)
        if answers is None and session.by_node(task):
            answers = self._classes.keep(known, _Answers(session, task), self._most)
        return answers

    # -- what is asked -------------------------------------------------------------------------------

    def verdicts(self, task: Task, question: Question) -> Verdicts | None:
        """Return what a predicate says of all nodes now, None where its answers are not kept."""
        answers = self._of(task)
        if answers is None:
            return None
        verdicts = answers.verdicts(task, question)
        if self._classes.count_given():
            same = verdicts.refusals() == question(task, self._session.nodes.all)
            self._classes.require(same, task.key)
        return verdicts

    def idle(self, task: Task, nodes: Rows) -> Mask:
        """Return which nodes have room for a task now."""
        answers = self._of(task)
        if answers is None:
            return self._has_room(task, nodes)
        room = answers.idle(task)[nodes]
        if self._classes.count_given():
            self._classes.require(np.array_equal(room, self._has_room(task, nodes)), task.key)
        return room

    def _has_room(self, task: Task, nodes: Rows) -> Mask:
        return self._session.nodes.fits(task.request, nodes, future=False)

    def scores(self, task: Task, nodes: Rows) -> Floats | None:
        """Return the scores of nodes, None if a plugin fails."""
        session, answers = self._session, self._of(task)
        if answers is None:
            return session.scores(task, nodes)
        scores = answers.scores(task)
        compared = session.compared_scores(task, nodes)
        given: Floats | None
        if compared is None:
            given = scores.total[nodes]
        else:
            given = scores.each[nodes] + (scores.batch[nodes] + compared)
        if (compared is not None or not scores.sound) and np.isnan(given.sum()):
            given = None
        if self._classes.count_given():
            self._classes.require(_same(given, session.scores(task, nodes)), task.key)
        return given


class _Answers:
    """The answers to one class of tasks, brought up to date when they are asked for."""

    def __init__(self, session: ScoringSession, task: Task) -> None:
        self._session = session
        self._verdicts: dict[str, Verdicts] = {}
        self._idle: _Idle | None = None
        self._scores = _Scores(session, task)

    def verdicts(self, task: Task, question: Question) -> Verdicts:
        """Return what a predicate says."""
        verdicts = self._verdicts.get(question.name)
        if verdicts is None:
            verdicts = self._verdicts[question.name] = Verdicts(self._session.nodes, question, task)
        verdicts.follow(task)
        return verdicts

    def idle(self, task: Task) -> Mask:
        """Return which nodes have room now."""
        if self._idle is None:
            self._idle = _Idle(self._session.nodes)
        self._idle.follow(task)
        return self._idle.room

    def scores(self, task: Task) -> _Scores:
        """Return the scores."""
        self._scores.follow(task)
        return self._scores


class _Column:
    """Something of each node, asked for again where something has changed since."""

    def __init__(self, nodes: Nodes) -> None:
        self.nodes = nodes
        self._changes = nodes.changes
        self._read = -1

    def follow(self, task: Task) -> None:
        """Ask all nodes the first time, from then on those that have changed."""
        now = self._changes.end
        if self._read == now:
            return
        changes = self._changes.since(self._read)
        if changes is None:
            self.ask_many(task, self.nodes.all)
        elif len(changes) <= FEW:
            for node in dict.fromkeys(changes):
                self.ask_one(task, node)
        else:
            touched = dict.fromkeys(changes)
            self.ask_many(task, np.fromiter(touched, dtype=np.int64, count=len(touched)))
        self._read = now

    def ask_many(self, task: Task, rows: Rows) -> None:
        """Ask some nodes."""
        raise NotImplementedError

    def ask_one(self, task: Task, node: int) -> None:
        """Ask one node."""
        raise NotImplementedError


class Verdicts(_Column):
    """Which nodes fit, how many do not, and why not."""

    def __init__(self, nodes: Nodes, question: Question, task: Task) -> None:
        super().__init__(nodes)
        self._question = question
        self._fits_one = question.of_one(task)
        self.fits: Mask = np.ones(len(nodes), dtype=np.bool_)
        self.why: Whys = np.full(len(nodes), None, dtype=object)
        self.misfits = 0

    def refusals(self) -> dict[int, Refusals]:
        """Return by node why it refuses."""
        return {row: self.why[row] for row in np.flatnonzero(~self.fits).tolist()}

    def ask_many(self, task: Task, rows: Rows) -> None:
        refused = self._question(task, rows)
        self.fits[rows] = True
        for row, why in refused.items():
            self.fits[row] = False
            self.why[row] = why
        self.misfits = len(self.fits) - int(np.count_nonzero(self.fits))

    def ask_one(self, task: Task, node: int) -> None:
        refused = {} if self._fits_one(node) else self._question(task, self.nodes.all[node : node + 1])
        self.misfits += self.fits.item(node) - (not refused)
        self.fits[node] = not refused
        if refused:
            self.why[node] = refused[node]


class _Idle(_Column):
    """Where there is room now."""

    def __init__(self, nodes: Nodes) -> None:
        super().__init__(nodes)
        self.room: Mask = np.zeros(len(nodes), dtype=np.bool_)

    def ask_many(self, task: Task, rows: Rows) -> None:
        self.room[rows] = self.nodes.fits(task.request, rows, future=False)

    def ask_one(self, task: Task, node: int) -> None:
        self.ask_many(task, self.nodes.all[node : node + 1])


class _Scores(_Column):
    """Both parts as `Session.scores_by_node` gives them, and their sum; `sound`: none was ever NaN."""

    def __init__(self, session: ScoringSession, task: Task) -> None:
        super().__init__(session.nodes)
        self._session = session
        self._of_one = session.scores_of_one(task)
        self.sound = True
        self.each, self.batch, self.total = (np.zeros(len(session.nodes)) for _ in range(3))

    def ask_many(self, task: Task, rows: Rows) -> None:
        each, batch = self._session.scores_by_node(task, rows)
        total = each + batch
        self.each[rows], self.batch[rows], self.total[rows] = each, batch, total
        self.sound &= not np.isnan(total).any()

    def ask_one(self, task: Task, node: int) -> None:
        each, batch = self._of_one(node)
        total = each + batch
        self.each[node], self.batch[node], self.total[node] = each, batch, total
        self.sound &= total == total


def left_by(refused: dict[int, Refusals], nodes: Rows) -> Mask:
    """Return which of the nodes are not refused."""
    if not refused:
        return np.ones(len(nodes), dtype=np.bool_)
    return np.array([row not in refused for row in nodes.tolist()], dtype=np.bool_)


def _same(one: Floats | None, other: Floats | None) -> bool:
    if one is None or other is None:
        return one is other
    return np.array_equal(one, other)
