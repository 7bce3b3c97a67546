"""The queues of runs of sessions: what each deserves and holds at the end, and what it took and gave."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from dashboard.amounts import is_bytes
from dashboard.answers.answer import HELD_OF_DESERVED, Column, Table
from dashboard.answers.ended_run import joined
from dashboard.answers.sentence import Measure, Name, Number, Place, Sentence, number, sentence, strong
from dashboard.kinds.volcano.queries.queue_lanes import Taken, lanes_of
from dashboard.kinds.volcano.services.queue_shares import NOT_SHARED, units_of
from dashboard.models import Run
from dashboard.natural_order import natural_key
from dashboard.queries.replay import state_at
from scheduler_core.events.state import NODES, QUEUES
from scheduler_core.schedulers.registry import works_in_sessions
from scheduler_core.volcano.configuration.scheduler_conf import read_configuration

_MOST_RESOURCES = 12


class _Side(NamedTuple):
    """A run at its end: its queues, what its nodes have (in the log's units), what each queue took."""

    run: Run
    rows: Mapping[str, Mapping[str, Any]]
    allocatable: Mapping[str, int]
    taken: list[Taken] = []


def queues_of_two(a: Run, b: Run, by: str = "") -> tuple[Table, list[str]] | None:
    """Return a row for each queue of two runs that have ended; None unless both decide in sessions.

    Beside it stand the resources that queues may be told by, the scarcest first. `by` is one of them; of
    another name the scarcest is taken.
    """
    if not _are_told([a, b]):
        return None
    sides = [_side(run) for run in (a, b)]
    names, resources = _names(sides), _resources(sides)
    resource = by if by in resources else next(iter(resources), "cpu")
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
    columns.append(Column("from", f"from which queue, run {b.pk}"))
    columns.append(Column(HELD_OF_DESERVED, f"held of deserved, ○ run {a.pk}, ● run {b.pk}"))
    rows = [_row(name, sides, resource) for name in names]
    if len(lowest := _lowest(names, sides)) > 1:
        rows.append(_sums(lowest, sides, resource))
    says = sentence("took and gave: evicted pods, over the run")
    return Table("queues", "Queues", columns, rows, says=says), resources


def queues_of_several(runs: Sequence[Run], by: str = "") -> tuple[Table, list[str]] | None:
    """Return a row for each queue of runs that have ended, a column for each run; None as of two.

    A cell has what the queue holds at the end and what it deserves, in the resource that is told as of two.
    """
    if not _are_told(runs):
        return None
    sides = [_Side(run, *_at_end(run)) for run in runs]
    names, resources = _names(sides), _resources(sides)
    resource = by if by in resources else next(iter(resources), "cpu")
    columns = [Column("queue", f"queue, in {resource}")]
    columns += [Column(f"run_{run.pk}", f"run {run.pk}", number=True) for run in runs]
    rows = [
        [
            sentence(Name("queue", name, at=Place(run=runs[0].pk))),
            *(_held(name, one, resource) for one in sides),
        ]
        for name in names
    ]
    return Table(
        "queues-of-all", "Queues of all runs", columns, rows, says=sentence("held at the end, of deserved")
    ), resources


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


def weighs_nothing(a: Run, b: Run, queue: str) -> Sentence:
    """Return that a queue's weight decides nothing in two runs; nothing where it may.

    Of all plugins proportion alone goes by it (volcano v1.16 pkg/scheduler/plugins/proportion).
    """
    if not all(works_in_sessions(run.profile) for run in (a, b)):
        return []
    played = [{one.name for tier in read_configuration(run.config).tiers for one in tier} for run in (a, b)]
    if any("proportion" in names for names in played):
        return []
    instead = ": capacity goes by what it deserves" if all("capacity" in names for names in played) else ""
    return sentence(f"no plugin of the configuration goes by the weight of {queue}{instead}")


def _are_told(runs: Sequence[Run]) -> bool:
    return all(works_in_sessions(run.profile) and run.has_ended for run in runs)


def _names(sides: list[_Side]) -> list[str]:
    """Return the queues that deserve anything in any run."""
    found = {name for side in sides for name, row in side.rows.items() if row.get("deserved")}
    return sorted(found, key=natural_key)


def _held(name: str, side: _Side, resource: str) -> Sentence:
    """Return what a queue holds, and deserves if that is known; nothing of one that isn't there."""
    if name not in side.rows:
        return []
    row = side.rows[name]
    held = _amount({resource: 0, **(row.get("allocated") or {})}, resource)
    deserved = _amount(row.get("deserved"), resource)
    return sentence(held, " of ", deserved) if deserved else held


def _rows(run: Run) -> Mapping[str, Mapping[str, Any]]:
    return state_at(run, run.decisions).tables.get(QUEUES, {})


def _side(run: Run) -> _Side:
    return _Side(run, *_at_end(run), lanes_of(run).taken)


def _at_end(run: Run) -> tuple[Mapping[str, Mapping[str, Any]], Counter[str]]:
    """Return the queues of a run at its end, and what its nodes have in all."""
    tables = state_at(run, run.decisions).tables
    allocatable: Counter[str] = Counter()
    for node in tables.get(NODES, {}).values():
        allocatable.update(node["allocatable"])
    return tables.get(QUEUES, {}), allocatable


def _resources(sides: list[_Side]) -> list[str]:
    """Return the resources of which queues deserve any, those first of which most of all is asked for."""
    deserved = {
        name
        for side in sides
        for row in side.rows.values()
        for name, amount in (row.get("deserved") or {}).items()
        if amount and name not in NOT_SHARED
    }
    scarce = {name: max(_asked_of_all(side, name) for side in sides) for name in deserved}
    return sorted(scarce, key=lambda name: (-scarce[name], name))[:_MOST_RESOURCES]


def _asked_of_all(side: _Side, resource: str) -> float:
    """Return how much of what the nodes have the queues ask for; a queue above others has their sums."""
    above = {row.get("parent") for row in side.rows.values()}
    asked = (
        units_of(row.get("request") or {}, resource) or 0
        for name, row in side.rows.items()
        if name not in above
    )
    return sum(asked) / (side.allocatable.get(resource) or 1)


def _row(name: str, sides: list[_Side], resource: str) -> list[Sentence]:
    queue = Name("queue", name, at=Place(run=sides[1].run.pk))
    cells = [sentence(queue)]
    for figure in ("deserved", "allocated"):
        cells += [_amount(side.rows.get(name, {}).get(figure), resource) for side in sides]
    took = [_from_whom(name, side.taken) for side in sides]
    gave = [sum(one.pods for one in side.taken if one.gave == name) for side in sides]
    cells += [_count(sum(counts.values())) for counts in took]
    cells += [_count(pods) for pods in gave]
    whom = sorted(took[1].items(), key=lambda one: (-one[1], one[0]))
    return [
        *cells,
        joined([sentence(f"{other} ", number(pods)) for other, pods in whom]),
        _shares(name, sides, resource),
    ]


def _from_whom(name: str, taken: Iterable[Taken]) -> Counter[str]:
    """Return how many pods a queue took over the run, by the queue that gave them."""
    counts: Counter[str] = Counter()
    for one in taken:
        if one.took == name:
            counts[one.gave] += one.pods
    return counts


def _shares(name: str, sides: list[_Side], resource: str) -> Sentence:
    """Return which share of what it deserves a queue holds in each run, if it deserves anything in both."""
    found = []
    for side in sides:
        row = side.rows.get(name, {})
        deserved, held = ((row.get(figure) or {}).get(resource) for figure in ("deserved", "allocated"))
        found.append(held / deserved if deserved and held is not None else None)
    one, other = (None if share is None else Number(round(share, 3), measure="share") for share in found)
    return sentence(one, " → ", other) if one is not None and other is not None else []


def _lowest(names: list[str], sides: list[_Side]) -> list[str]:
    """Return the queues below which there is none in either run: those above have their sums."""
    above = {row.get("parent") for side in sides for row in side.rows.values()}
    return [name for name in names if name not in above]


def _sums(names: list[str], sides: list[_Side], resource: str) -> list[Sentence]:
    """Return the row of all queues that have none below; a sum with an amount without a limit is left out."""
    cells = [sentence(strong(f"all {len(names):,}"))]
    for figure in ("deserved", "allocated"):
        for side in sides:
            figures = [side.rows[name].get(figure) or {} for name in names if name in side.rows]
            told = [units_of(one, resource) for one in figures if resource in one]
            known = [amount for amount in told if amount is not None]
            whole = {resource: sum(known)} if known and len(known) == len(told) else None
            cells.append([] if whole is None else [_number(whole[resource], resource)])
    cells += [_count(sum(one.pods for one in side.taken if one.took in names)) for side in sides]
    cells += [_count(sum(one.pods for one in side.taken if one.gave in names)) for side in sides]
    return [*cells, [], []]


def _count(pods: int) -> Sentence:
    return sentence(number(pods)) if pods else []


def _amount(figures: Mapping[str, float | None] | None, resource: str) -> Sentence:
    if figures is None or resource not in figures:
        return []
    amount = units_of(figures, resource)
    if amount is None:
        return sentence("no limit")
    return [_number(amount, resource)]


def _number(amount: float, resource: str) -> Number:
    measure: Measure = "milli-CPU" if resource == "cpu" else "bytes" if is_bytes(resource) else ""
    return Number(amount, measure=measure)
