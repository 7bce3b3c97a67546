"""The jobs that wait at a run's end, by the kinds of why: a table of the kinds, and for each one of its jobs.

Jobs that differ in nothing but their names and decisions share a row.

A job is a pod group. One that is refused at enqueue may have no pods as yet.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec

from dashboard.answers.answer import Column, Table
from dashboard.answers.ended_run import EndedRun, joined
from dashboard.answers.printers.words import plain
from dashboard.answers.sentence import Name, Names, Place, Sentence, amount, number, sentence, strong
from dashboard.answers.why import excess, too_much, why
from dashboard.answers.why_words import SHUT, CauseWords, words_of
from dashboard.shapes.outcome import Figures, Group, WhyAtEnd, lacks_pods
from scheduler_core.schedulers.cause import Cause
from scheduler_core.schedulers.registry import job_name

_LISTED, _NAMED = 200, 20
_ASKS = 2
_NO_CAUSES = ("fits", "preempts", "unbound", "untried")
_NO_NODE = CauseWords("No node", "no node takes one of its pods", "for a node")
_ORDER = ("refused", "shut", "queue", "nodes", "gang")
"""The kinds that come first; `shut` are those of queues that refuse whatever is asked for, and `nodes` also
those that no node could take, whichever there were."""
_KINDS = [
    Column("kind", "kind"),
    Column("jobs", "jobs", number=True),
    Column("reads", "how it reads"),
]
_JOBS = [
    Column("job", "job"),
    Column("queue", "queue"),
    Column("pods", "pods that wait", number=True),
    Column("asks", "they ask for"),
    Column("why", "why"),
    Column("decision", "last decision", number=True),
]


class Waiting(NamedTuple):
    """A job that waits: its row, why, and how many of its `pods` wait, which ask for this much together."""

    row: Group
    cause: Cause
    pods: int
    asks: dict[str, int]
    seq: int | None

    @property
    def kind(self) -> str:
        """Of which kind the cause is."""
        if words_of(self.cause) is SHUT:
            return "shut"
        return "nodes" if self.cause.kind == "pre_filter" else self.cause.kind

    @property
    def words(self) -> CauseWords:
        """How its kind is told."""
        return _NO_NODE if self.cause.kind in ("nodes", "pre_filter") else words_of(self.cause)


def jobs_waiting(asked: EndedRun) -> list[Table]:
    """Return the tables of jobs that lack pods of their minimum; none where none does."""
    kinds = _by_kind(asked.figures)
    if not kinds:
        return []
    cells: list[list[Sentence]] = [
        [
            sentence(strong(jobs[0].words.title)),
            [number(len(jobs), at=Place(table=_name(kind)))],
            _reads(asked, jobs),
        ]
        for kind, jobs in kinds.items()
    ]
    tables = [Table("jobs-waiting", "Jobs that wait", _KINDS, cells, says=lead(kinds))]
    for kind, jobs in kinds.items():
        alike = _alike(jobs)
        rows = [_cells(asked, some) for some in alike[:_LISTED]]
        others = len(alike[_LISTED:])
        says = sentence(number(len(jobs), "job"))
        tables.append(
            Table(_name(kind), jobs[0].words.title, _JOBS, rows, says=says, folds=True, others=others)
        )
    return tables


def lead(kinds: dict[str, list[Waiting]]) -> Sentence:
    """Return how many jobs wait, and how many of them for what."""
    total = sum(map(len, kinds.values()))
    said = sentence(number(total, "job", strong=True), " waits: " if total == 1 else " wait: ")
    parts = [sentence(number(len(jobs)), f" {jobs[0].words.behind}") for jobs in kinds.values()]
    if len(kinds) == 1:
        parts = [sentence("all " if total > 1 else "", jobs[0].words.behind) for jobs in kinds.values()]
    for place, part in enumerate(parts):
        said = sentence(said, ", " if place else "", part)
    return sentence(said, ".")


def rows_of_jobs(figures: Figures) -> list[dict[str, Any]]:
    """Return a row for each job that waits, to be exported; what it asks for is in the log's units."""
    return [
        {
            "kind": one.words.title,
            "job": job_name(one.row["group"]),
            "group": one.row["group"],
            "queue": one.row["queue"],
            "pods": one.pods,
            "asks": one.asks,
            "seq": one.seq,
            "why": plain(why(one.cause)),
        }
        for jobs in _by_kind(figures).values()
        for one in jobs
    ]


def whys_by_group(figures: Figures) -> dict[str, Sentence]:
    """Return why each pod group waits that lacks pods, by `namespace/name`."""
    return {one.row["group"]: why(one.cause) for jobs in _by_kind(figures).values() for one in jobs}


def _by_kind(figures: Figures) -> dict[str, list[Waiting]]:
    """Return the jobs by kind, the four of sessions first; in each those of most pods first."""
    groups = {row["group"]: row for row in figures.get("by_group", ()) if lacks_pods(row)}
    found: dict[str, list[WhyAtEnd]] = {}
    for one in figures.get("whys") or ():
        if one.get("group", "") in groups:
            found.setdefault(one["group"], []).append(one)
    kinds: dict[str, list[Waiting]] = {}
    for group, whys in found.items():
        job = _waiting(groups[group], whys)
        kinds.setdefault(job.kind, []).append(job)
    for jobs in kinds.values():
        jobs.sort(key=lambda one: (-one.pods, one.row["group"]))
    return dict(sorted(kinds.items(), key=lambda item: (_rank(item[0]), -len(item[1]), item[0])))


def _rank(kind: str) -> int:
    if kind in _ORDER:
        return _ORDER.index(kind)
    return len(_ORDER) + (kind in _NO_CAUSES)


def _waiting(row: Group, whys: list[WhyAtEnd]) -> Waiting:
    """Return a job; of pods that wait for different things, those speak that nothing has a node for."""
    asks: dict[str, int] = {}
    for one in whys:
        for name, value in one.get("asks", {}).items():
            asks[name] = asks.get(name, 0) + value
    first = min(whys, key=lambda one: (one["cause"]["kind"] in _NO_CAUSES, -_pods([one])))
    seq = row.get("seq")
    return Waiting(
        row,
        msgspec.convert(first["cause"], Cause),
        _pods(whys),
        asks,
        first["seq"] if seq is None else seq,
    )


def _pods(whys: Iterable[WhyAtEnd]) -> int:
    return sum(sum(one["workloads"].values()) for one in whys)


def _name(kind: str) -> str:
    return f"jobs-{kind}"


def _job(asked: EndedRun, one: Waiting) -> Name:
    space, _, name = job_name(one.row["group"]).partition("/")
    return Name("job", name, space, at=Place(run=asked.run))


def _reads(asked: EndedRun, jobs: list[Waiting]) -> Sentence:
    """Return how the first reads, and of those over a sum which one is nearest to being let in."""
    said = sentence(_job(asked, jobs[0]), ": ", why(jobs[0].cause))
    over = [one for one in jobs if one.kind == "refused" and one.cause.sums]
    if len(over) < 2:
        return said
    nearest = min(over, key=lambda one: _missed(one.cause))
    if nearest is jobs[0]:
        return said
    return sentence(
        said, " The nearest is ", _job(asked, nearest), ": ", too_much(nearest.cause.sums[0]), " ",
        Name("resource", nearest.cause.sums[0].resource), "."
    )  # fmt: skip


def _missed(cause: Cause) -> float:
    """Return by which part of what is allowed a sum is too much."""
    first = cause.sums[0]
    return excess(first) / (first.allowed or 1)


def _alike(jobs: list[Waiting]) -> list[list[Waiting]]:
    """Return the jobs of which a row says the same but for their names and decisions together."""
    found: dict[tuple[str, ...], list[Waiting]] = {}
    for one in jobs:
        says = map(plain, (_number_of_pods(one), _asks(one), why(one.cause)))
        found.setdefault((one.row["queue"], *says), []).append(one)
    return list(found.values())


def _cells(asked: EndedRun, jobs: list[Waiting]) -> list[Sentence]:
    one, each = jobs[0], " each" if len(jobs) > 1 else ""
    asks = _asks(one)
    return [
        _names(asked, jobs),
        [Name("queue", one.row["queue"], at=Place(run=asked.run))],
        sentence(_number_of_pods(one), each),
        sentence(asks, each) if asks else [],
        why(one.cause),
        _decisions(asked, jobs),
    ]


def _names(asked: EndedRun, jobs: list[Waiting]) -> Sentence:
    """Return the job; of several how many they are, and the first by name."""
    if len(jobs) == 1:
        return [_job(asked, jobs[0])]
    names = [_job(asked, one) for one in jobs]
    return sentence(number(len(jobs), "job"), ": ", Names(names[:_NAMED], len(names[_NAMED:])))


def _decisions(asked: EndedRun, jobs: list[Waiting]) -> Sentence:
    """Return the last decision about a job; of several the first and the last of these."""
    decided = sorted({one.seq for one in jobs if one.seq is not None})
    if not decided:
        return []
    last = sentence(" to ", asked.decision(decided[-1])) if len(decided) > 1 else []
    return sentence(asked.decision(decided[0]), last)


def _number_of_pods(one: Waiting) -> Sentence:
    """Return how many of its pods wait; of a job without any as yet, so many as it needs at least."""
    if one.pods:
        return [number(one.pods)]
    return sentence(number(one.row["min_member"]), ", to be made")


def _asks(one: Waiting) -> Sentence:
    """Return what its pods ask for together, devices first."""
    named = sorted(one.asks, key=lambda name: ("/" not in name, name))
    return joined([sentence(amount(one.asks[name], name)) for name in named[:_ASKS]])
