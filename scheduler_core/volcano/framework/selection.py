"""Which nodes fit a task, and which of them is the best.

Source: volcano v1.16 pkg/scheduler/util/predicate_helper.go, scheduler_helper.go.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from scheduler_core.volcano.equivalence.equivalence_cache import Predicate, Question, Verdicts, left_by
from scheduler_core.volcano.framework.session import Session
from scheduler_core.volcano.framework.steps import Choice
from scheduler_core.volcano.model.fit_errors import FitErrors, Refusals, Whys, for_good
from scheduler_core.volcano.model.nodes import Floats, Mask, Rows
from scheduler_core.volcano.model.tasks import Task

_FEWEST = 100
_PERCENT, _PERCENT_LEAST, _NODES_A_PERCENT = 50, 5, 125


def nodes_to_find(nodes: int) -> int:
    """Return after how many nodes that fit the search may end."""
    if nodes <= _FEWEST:
        return nodes
    percent = max(_PERCENT - nodes // _NODES_A_PERCENT, _PERCENT_LEAST)
    return max(nodes * percent // 100, _FEWEST)


class Search:
    """Asks nodes, and remembers why they refused tasks of a role so that they need not be asked again."""

    def __init__(self, session: Session, *, remembering: bool = True) -> None:
        self._session = session
        self._remembering = remembering
        self._remembered: dict[tuple[str, str], _Remembered] = {}

    def fitting(self, task: Task, nodes: Rows, predicate: Predicate) -> tuple[Rows, FitErrors]:
        """Return the nodes that fit, in the order of the search, and why the others do not."""
        if not len(nodes):
            return nodes, FitErrors()
        if isinstance(predicate, Question) and nodes is self._session.nodes.all:
            verdicts = self._session.kept.verdicts(task, predicate)
            if verdicts is not None:
                return self._look_up(task, verdicts)
        return self._ask(task, nodes, predicate)

    def _look_up(self, task: Task, verdicts: Verdicts) -> tuple[Rows, FitErrors]:
        """Find among all nodes, of each of which it is known whether it fits."""
        memory, nodes = self._session.memory, self._session.nodes
        wanted, before = nodes_to_find(len(nodes)), self._before(task)
        start = memory.next_node % len(nodes)
        refusing = verdicts.misfits + (0 if before is None else before.count)
        # Among so many there are as many as are wanted, and one more.
        within = min(wanted + 1 + refusing, len(nodes))
        turned = nodes.twice[start : start + within]
        if not refusing:
            memory.next_node = (start + within) % len(nodes)
            return turned[:wanted], FitErrors()
        fits = verdicts.fits if before is None else verdicts.fits & ~before.refused
        fitting = fits[turned]
        places = fitting.nonzero()[0]
        visited = int(places[wanted]) + 1 if len(places) > wanted else len(nodes)
        memory.next_node = (start + visited) % len(nodes)
        refused = turned[:visited][~fitting[:visited]]
        why = verdicts.why[refused]
        if before is not None:
            why = np.where(before.refused[refused], before.why[refused], why)
        return turned[places[:wanted]], self._refused(task, refused, why)

    def _ask(self, task: Task, nodes: Rows, predicate: Predicate) -> tuple[Rows, FitErrors]:
        """Ask part after part until enough are found."""
        memory, wanted = self._session.memory, nodes_to_find(len(nodes))
        start = memory.next_node % len(nodes)
        turned = np.concatenate([nodes[start:], nodes[:start]]) if start else nodes
        found: list[Rows] = []
        refused: dict[int, Refusals] = {}
        # One more than is wanted is looked for: it is what ends the search.
        visited, missing = 0, wanted + 1
        while visited < len(turned) and missing > 0:
            part = turned[visited : visited + max(missing, _FEWEST)]
            said = self._said(task, part, predicate)
            fits = left_by(said, part)
            places = np.flatnonzero(fits)
            if len(places) >= missing:
                part = part[: places[missing - 1] + 1]
                fits = fits[: len(part)]
            refused |= {row: said[row] for row in part[~fits].tolist()}
            found.append(part[fits])
            missing -= int(fits.sum())
            visited += len(part)
        memory.next_node = (start + visited) % len(nodes)
        rows = np.fromiter(refused, dtype=np.int64, count=len(refused))
        return np.concatenate(found)[:wanted], self._refused(task, rows, _in_an_array(refused.values()))

    def _said(self, task: Task, nodes: Rows, predicate: Predicate) -> dict[int, Refusals]:
        before = self._before(task)
        if before is None:
            return predicate(task, nodes)
        again = before.refused[nodes]
        said = {row: before.why[row] for row in nodes[again].tolist()}
        fresh = nodes[~again]
        return said | (predicate(task, fresh) if len(fresh) else {})

    def _before(self, task: Task) -> _Remembered | None:
        """Return what nodes have said to tasks of the role; None if none has refused."""
        return self._remembered.get((task.job, task.role)) if self._remembering and task.role else None

    def _refused(self, task: Task, rows: Rows, why: Whys) -> FitErrors:
        """Remember refusals, and return them."""
        nodes = self._session.nodes
        if not len(rows):
            return FitErrors()
        if self._remembering and task.role:
            key = task.job, task.role
            if key not in self._remembered:
                self._remembered[key] = _Remembered(len(nodes))
            self._remembered[key].note(rows, why)
        return FitErrors.of_rows(nodes.names, rows, why)


class _Remembered:
    """Which nodes have refused, how many of them, and why."""

    def __init__(self, nodes: int) -> None:
        self.refused: Mask = np.zeros(nodes, dtype=np.bool_)
        self.why: Whys = np.full(nodes, None, dtype=object)
        self.count = 0

    def note(self, rows: Rows, why: Whys) -> None:
        """Take in refusals."""
        self.refused[rows] = True
        self.why[rows] = why
        self.count = int(np.count_nonzero(self.refused))


def _in_an_array(why: Collection[Refusals]) -> Whys:
    array = np.empty(len(why), dtype=object)
    for place, refusals in enumerate(why):
        array[place] = refusals
    return array


def refused_for_good(session: Session, task: Task, nodes: Rows) -> dict[int, Refusals]:
    """Return the refusals that no eviction helps against."""
    return {row: why for row, why in session.predicate(task, nodes).items() if for_good(why)}


def best_node(session: Session, task: Task, nodes: Rows) -> tuple[int | None, Choice | None]:
    """Return the node with the highest score, the first of them by name, and the choice.

    The only node needs no score; where a plugin fails there is no node.
    """
    if len(nodes) < 2:
        return (int(nodes[0]) if len(nodes) else None), None
    scores = session.kept.scores(task, nodes)
    if scores is None:
        return None, None
    _tell(session, task, nodes, scores)
    best = nodes[scores == scores.max()]
    chosen = int(best[session.nodes.rank[best].argmin()] if len(best) > 1 else best[0])
    session.witness.chose(task, nodes, scores, best, chosen)
    return chosen, Choice(nodes, scores, best)


def by_score(session: Session, task: Task, nodes: Rows) -> list[int]:
    """Return the nodes, the highest score first, among equals in the order of the search."""
    scores: Floats | None = session.scores(task, nodes) if len(nodes) else None
    if scores is None:
        return []
    _tell(session, task, nodes, scores)
    rows: list[int] = nodes[np.argsort(-scores, kind="stable")].tolist()
    return rows


def _tell(session: Session, task: Task, nodes: Rows, scores: Floats) -> None:
    if session.listener is not None:
        session.listener(task, nodes, scores)


def without_unresolvable(session: Session, task: Task) -> Rows:
    """Return the nodes but those that refused the task for good when it was tried before."""
    errors = session.jobs[task.job].fit_errors.get(task.uid)
    nodes = session.nodes
    if errors is None:
        return nodes.all
    skipped = {
        name
        for name, why in errors.nodes.items()
        if any(refusal.code == "UnschedulableAndUnresolvable" for refusal in why)
    }
    return nodes.all[[name not in skipped for name in nodes.names]] if skipped else nodes.all
