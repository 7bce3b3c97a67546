"""Which nodes fit a task, and which of them is the best.

Source: volcano v1.16 pkg/scheduler/util/predicate_helper.go, scheduler_helper.go.
"""

from __future__ import annotations

import numpy as np

from scheduler_core.volcano.fit_errors import FitErrors, Refusals, for_good
from scheduler_core.volcano.kept import Predicate, left_by
from scheduler_core.volcano.nodes import Floats, Rows
from scheduler_core.volcano.session import Session
from scheduler_core.volcano.tasks import Task

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
        self._refused: dict[tuple[str, str], dict[int, Refusals]] = {}

    def fitting(self, task: Task, nodes: Rows, predicate: Predicate) -> tuple[Rows, FitErrors]:
        """Return the nodes that fit, in the order of the search, and why the others do not."""
        if not len(nodes):
            return nodes, FitErrors()
        memory, wanted = self._session.memory, nodes_to_find(len(nodes))
        start = memory.next_node % len(nodes)
        turned = np.concatenate([nodes[start:], nodes[:start]]) if start else nodes
        known = self._refused.setdefault((task.job, task.role), {})
        found: list[Rows] = []
        refused: dict[int, Refusals] = {}
        # One more than is wanted is looked for: it is what ends the search.
        visited, missing = 0, wanted + 1
        while visited < len(turned) and missing > 0:
            part = turned[visited : visited + max(missing, _FEWEST)]
            said = self._ask(task, part, predicate, known)
            if not said:
                found.append(part[:missing])
                missing -= len(found[-1])
                visited += len(found[-1])
                continue
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
        known |= refused
        names = self._session.nodes.names
        errors = FitErrors({names[row]: why for row, why in refused.items()})
        return np.concatenate(found)[:wanted], errors

    def _ask(
        self, task: Task, nodes: Rows, predicate: Predicate, known: dict[int, Refusals]
    ) -> dict[int, Refusals]:
        if not (self._remembering and task.role and known):
            return predicate(task, nodes)
        again = {row: known[row] for row in nodes.tolist() if row in known}
        fresh = nodes[left_by(again, nodes)]
        return again | (predicate(task, fresh) if len(fresh) else {})


def refused_for_good(session: Session, task: Task, nodes: Rows) -> dict[int, Refusals]:
    """Return the refusals that no eviction helps against."""
    return {row: why for row, why in session.predicate(task, nodes).items() if for_good(why)}


def best_node(session: Session, task: Task, nodes: Rows) -> int | None:
    """Return the node with the highest score, the first of them by name; the only node needs no score."""
    if len(nodes) < 2:
        return int(nodes[0]) if len(nodes) else None
    scores = session.kept.scores(task, nodes)
    if scores is None:
        return None
    _tell(session, task, nodes, scores)
    best = nodes[scores == scores.max()]
    chosen = int(best[session.nodes.rank[best].argmin()])
    session.witness.chose(task, nodes, scores, best, chosen)
    return chosen


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
