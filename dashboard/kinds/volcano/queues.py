"""The queues of two runs of sessions: what each deserves and holds at the end, and what it took and gave."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from dashboard.answers.answer import Column, Table
from dashboard.answers.asked import joined
from dashboard.answers.sentence import Name, Number, Place, Sentence, number, sentence
from dashboard.kinds.volcano.queries.takings import Taking, takings
from dashboard.models import Run
from dashboard.natural_order import natural_key
from dashboard.queries.replay import state_at
from scheduler_core.events.state import QUEUES
from scheduler_core.schedulers.registry import works_in_sessions

PODS = "pods"
_PARTS = 1000
"""Amounts of devices stand in thousandths in the figures of queues."""


class _Side(NamedTuple):
    run: Run
    rows: Mapping[str, Mapping[str, Any]]
    taken: list[Taking]


def queues_of_two(a: Run, b: Run) -> Table | None:
    """Return a row for each queue of two runs that have ended; None unless both decide in sessions."""
    if not all(works_in_sessions(run.profile) and run.has_ended for run in (a, b)):
        return None
    sides = [_Side(run, _rows(run), takings(run)) for run in (a, b)]
    names = sorted(
        {name for side in sides for name, row in side.rows.items() if row.get("deserved")}, key=natural_key
    )
    resource = _telling(sides)
    columns = [Column("queue", f"queue, in {resource}")]
    for key, title in (
        ("deserved", "deserved"),
        ("held", "held at the end"),
        ("took", "took"),
        ("gave", "gave"),
    ):
        columns += [
            Column(f"{key}_{side}", f"{title}, run {run.pk}", number=True)
            for side, run in (("a", a), ("b", b))
        ]
    columns.append(Column("from", f"from whom, run {b.pk}"))
    rows = [_row(name, sides, resource) for name in names]
    says = sentence("took and gave: pods that had to go, over the run")
    return Table("queues", "Queues", columns, rows, says=says)


def deserves_all(a: Run, b: Run, queue: str) -> Sentence:
    """Return what a queue asks for at the end, where it deserves all of it in both runs; else nothing.

    A larger share is no use to such a queue: its deserved share ends with its request (volcano v1.16
    pkg/scheduler/plugins/proportion).
    """
    if not all(works_in_sessions(run.profile) for run in (a, b)):
        return []
    rows = [_rows(run).get(queue, {}) for run in (a, b)]
    asked = [{name: amount for name, amount in (row.get("request") or {}).items() if amount} for row in rows]
    deserved = [row.get("deserved") or {} for row in rows]
    if not asked[0] or asked[0] != asked[1]:
        return []
    if any(share.get(name) != amount for share in deserved for name, amount in asked[0].items()):
        return []
    resource = min((name for name in asked[0] if "/" in name), default="cpu")
    return sentence(
        f"{queue} asks only for ", _amount(asked[0], resource), f" {resource} and deserves all of it"
    )


def _rows(run: Run) -> Mapping[str, Mapping[str, Any]]:
    return state_at(run, run.decisions).tables.get(QUEUES, {})


def _telling(sides: list[_Side]) -> str:
    """Return the resource that queues are told by: a device where any is deserved, else the cpu."""
    named = {
        name
        for side in sides
        for row in side.rows.values()
        for name, amount in (row.get("deserved") or {}).items()
        if amount
    }
    return min((name for name in named if "/" in name), default="cpu")


def _row(name: str, sides: list[_Side], resource: str) -> list[Sentence]:
    queue = Name("queue", name, at=Place(run=sides[1].run.pk))
    cells = [sentence(queue)]
    for figure in ("deserved", "allocated"):
        cells += [_amount(side.rows.get(name, {}).get(figure), resource) for side in sides]
    took = [Counter({one.gave: one.pods for one in side.taken if one.took == name}) for side in sides]
    gave = [sum(one.pods for one in side.taken if one.gave == name) for side in sides]
    cells += [_count(sum(counts.values())) for counts in took]
    cells += [_count(pods) for pods in gave]
    whom = sorted(took[1].items(), key=lambda one: (-one[1], one[0]))
    return [*cells, joined([sentence(f"{other} ", number(pods)) for other, pods in whom])]


def _count(pods: int) -> Sentence:
    return sentence(number(pods)) if pods else []


def _amount(figures: Mapping[str, float | None] | None, resource: str) -> Sentence:
    if figures is None or resource not in figures:
        return []
    amount = figures[resource]
    if amount is None:
        return sentence("no limit")
    return [Number(amount, measure="milli-CPU") if resource == "cpu" else Number(amount / _PARTS)]
