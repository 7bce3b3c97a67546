"""The answer of two runs: what came of what they were asked differently, figures that differ first.

It is computed from figures and rows alone; words about where the runs part come from the reads.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from django.utils.text import capfirst
from msgspec.structs import replace

from dashboard.amounts import is_bytes
from dashboard.answers.answer import Answer, Column, Line, Table
from dashboard.answers.ended_run import joined, workload
from dashboard.answers.rests_on import Played, about_runs
from dashboard.answers.sentence import Measure, Name, Number, Place, Sentence, number, sentence, strong
from dashboard.queries.comparison_moved import Moved
from dashboard.shapes.comparison import Figure

LISTED = 3
GROUPS = {"nodes": "How full the nodes are", "pods": "Pending and evicted pods"}


@dataclass(frozen=True)
class SideSaid:
    """A run: its number, by what it is called (`subject`), and the run without its edits.

    waits: that run is being played. short: where the run stands, if it has not come to its own end.
    """

    run: int
    subject: str
    without: int | None = None
    waits: bool = False
    short: str = ""


@dataclass(frozen=True)
class Pair:
    """All that the answer is made from.

    alike: in words that both decide alike, empty where they don't; reason: why so, where it can be told.
    opening: in words what another release changes. parting: in words where they part. elsewhere: how many
    pods end on another node. rest_on: what the two runs rest on.
    """

    a: SideSaid
    b: SideSaid
    figures: Sequence[Figure]
    differently: Sequence[Sentence]
    both: Sequence[Sentence]
    alike: str = ""
    reason: Sentence = field(default_factory=list)
    opening: str = ""
    parting: str = ""
    elsewhere: int = 0
    moved: Sequence[Moved] = ()
    tables: Sequence[Table] = ()
    rest_on: Sequence[Played] = ()


def answer_of_two(pair: Pair) -> Answer:
    """Return the answer of two runs."""
    tables = [_figures(pair, differ=True), *pair.tables, _moved(pair), _figures(pair, differ=False)]
    return Answer(
        "alike" if pair.alike else "differ",
        _lead(pair),
        [*_asked(pair), *_parting(pair), *_pending(pair)],
        [table for table in tables if table is not None and table.rows],
        about_runs(pair.rest_on),
    )


# -- what came of it -------------------------------------------------------------------------------------

FIRST = {
    "gangs that are whole": ("starts ", "gang", ""),
    "pending without a scheduler": ("leaves ", "pod", " without a scheduler"),
    "pending": ("leaves ", "pod", " pending"),
    "evicted": ("evicts ", "pod", ""),
    "evictions against a budget": ("evicts ", "pod", " against a budget"),
    "workloads below their replicas": ("leaves ", "workload", " below their replicas"),
    "deleted by controllers": ("has controllers delete ", "pod", ""),
    "nodes that could be emptied": ("leaves ", "node", " that could be emptied"),
    "cards without a pod at the end": ("leaves ", "card", " without a pod"),
    "free but lost": ("loses ", "", " of what is free of the cards"),
    "cpu stranded": ("leaves ", "", " cpu stranded"),
    "largest pod that fits, by cpu": ("has room for a pod of ", "", " cpu"),
}
"""Figures that a lead may begin with, what matters most first: the verb, what is counted, and the rest."""
WAITING = ("pending", "pending without a scheduler", "evicted", "deleted by controllers")


class Standing(Protocol):
    """A run by its number, and where it stands if it has not come to its natural end."""

    @property
    def run(self) -> int:
        """Its number."""

    @property
    def short(self) -> str:
        """Where it stands, in words; empty at its natural end."""


def cut_short(sides: Sequence[Standing]) -> Sentence:
    """Say of each run that has not come to its own end where it stands; nothing of the others."""
    said = [f"Run {side.run} {side.short}. " for side in sides if side.short]
    return sentence(strong("".join(said))) if said else []


def _lead(pair: Pair) -> Sentence:
    if pair.alike:
        because = sentence(" ", strong("No effect, because "), pair.reason, ".") if pair.reason else []
        return sentence(strong(pair.alike), because)
    return [*cut_short([pair.a, pair.b]), *_came_of_it(pair)]


def _came_of_it(pair: Pair) -> Sentence:
    if pair.opening:
        return sentence(strong(pair.opening))
    by_name = {row["name"]: row for row in pair.figures if row["difference"]}
    first = next((by_name[name] for name in FIRST if name in by_name), None)
    rest = _rest(pair, first)
    if first is None:
        return rest or sentence(pair.parting)
    verb, counts, after = FIRST[first["name"]]
    says = sentence(
        strong(f"{capfirst(pair.b.subject)} {verb}"), _strong(value_of(first, first["b"], counts)),
        strong(f"{after}, {pair.a.subject} {verb}"), _strong(value_of(first, first["a"])), strong("."),
    )  # fmt: skip
    return sentence(says, " " if rest else "", rest)


def _rest(pair: Pair, first: Figure | None) -> Sentence:
    """Return whether more pods wait or go, and how many pods end elsewhere."""
    calm = "No more pods wait or go" if not _waits_or_goes(pair) and first is not None else ""
    moves = (
        sentence(number(pair.elsewhere, "pod ends,pods end"), " on another node.") if pair.elsewhere else []
    )
    if calm:
        return sentence(f"{calm}; " if moves else f"{calm}.", moves)
    return moves


def _waits_or_goes(pair: Pair) -> bool:
    return any(row["difference"] for row in pair.figures if row["name"] in WAITING)


def _strong(value: Number) -> Number:
    return replace(value, strong=True)


def value_of(row: Figure, value: int, counts: str = "", *, signed: bool = False) -> Number:
    """Return a value of a figure with its unit, or with what it counts."""
    resource, unit = row.get("resource", ""), row.get("unit", "")
    measure: Measure = "milli-CPU" if resource == "cpu" else "bytes" if is_bytes(resource) else ""
    if unit == "‰":
        return Number(value / 1000, measure="share", signed=signed)
    if unit == "ms":
        measure = "milliseconds"
    return Number(value, counts, measure, signed=signed)


# -- what was asked --------------------------------------------------------------------------------------


def _asked(pair: Pair) -> list[Line]:
    differently = pair.differently or [sentence("nothing")]
    lines = [Line("differently", head=sentence("Asked differently:"), says=listed(differently))]
    if pair.both:
        lines.append(Line("both", head=sentence("Asked in both:"), says=listed(pair.both)))
    return lines


def listed(parts: Sequence[Sentence]) -> Sentence:
    """Return the first few of several things as a list that ends a sentence; the others are counted."""
    shown = list(parts[:LISTED])
    if others := len(parts) - len(shown):
        shown.append(sentence(number(others, "other")))
    return [*joined([sentence(part) for part in shown]), *sentence(".")]


def _parting(pair: Pair) -> list[Line]:
    if pair.alike or not pair.parting or _came_of_it(pair) == sentence(pair.parting):
        return []
    return [Line("parting", head=[], says=sentence(pair.parting))]


# -- the run without the edits ---------------------------------------------------------------------------


def _pending(pair: Pair) -> list[Line]:
    """Return what is pending because of the edits of each run; nothing where neither has any."""
    waits = [side for side in (pair.a, pair.b) if side.waits]
    if waits:
        who = " and ".join(f"run {side.run}" for side in waits)
        says = sentence(
            f"The run without the edits of {who} is being played: until then nothing is subtracted."
        )
        return [Line("pending", head=[], says=says)]
    by_name = {row["name"]: row for row in pair.figures}
    because = by_name.get("pending because of the edits")
    if because is None:
        return []
    pending = by_name["pending"]
    if because["difference"] == 0 and pending["difference"] == 0:
        more = because["a"]
        head = sentence(number(more), f" more {_are(more)} pending because of the edits in either run:")
        says = sentence(number(pending["a"] - more), " of ", number(pending["a"]), " wait without them too.")
    else:
        head = sentence("Pending because of the edits:")
        says = sentence(
            number(because["b"]),
            f" more in run {pair.b.run}, ",
            number(because["a"]),
            f" more in run {pair.a.run}.",
        )
    runs = dict.fromkeys(side.without for side in (pair.a, pair.b) if side.without is not None)
    named = joined([sentence(Name("run", str(run), at=Place(run=run))) for run in runs])
    return [Line("pending", head=head, says=says, under=[sentence("Held against ", named, ".")])]


def _are(count: int) -> str:
    return "pod is" if count == 1 else "pods are"


# -- tables ----------------------------------------------------------------------------------------------


def _figures(pair: Pair, *, differ: bool) -> Table | None:
    rows = [row for row in pair.figures if bool(row["difference"]) is differ]
    rows.sort(key=lambda row: list(GROUPS).index(row["group"]))
    has_without = any("without" in row for row in rows)
    columns = [
        Column("figure", "figure"),
        *([Column("without", "without the edits", number=True)] if has_without else []),
        Column("a", f"run {pair.a.run}", number=True),
        Column("b", f"run {pair.b.run}", number=True),
        *([Column("difference", "difference", number=True)] if differ else []),
    ]
    name, title = ("figures", "Figures") if differ else ("equal", "Figures that are equal")
    cells = [figure_cells(row, without=has_without, differ=differ) for row in rows]
    return Table(name, title, columns, cells, folds=not differ)


def figure_cells(row: Figure, *, without: bool, differ: bool) -> list[Sentence]:
    """Return a figure's row: its name, the runs without edits if asked for, both runs, and the difference."""
    best = "" if not row["difference"] else row.get("better", "")
    a_is_best = best == ("higher" if row["difference"] < 0 else "lower")
    marks = ("● " if best and a_is_best else "", "● " if best and not a_is_best else "")
    sides = [sentence(mark, value_of(row, row[side])) for mark, side in zip(marks, ("a", "b"), strict=True)]  # type: ignore[literal-required]
    difference = [sentence(value_of(row, row["difference"], signed=True))] if differ else []
    return [sentence(row["name"]), *([_before(row)] if without else []), *sides, *difference]


def _before(row: Figure) -> Sentence:
    before = row.get("without")
    values = [] if before is None else [value for value in (before["a"], before["b"]) if value is not None]
    return joined_by(" · ", [sentence(value_of(row, value)) for value in dict.fromkeys(values)])


def joined_by(between: str, parts: Sequence[Sentence]) -> Sentence:
    """Return sentences with the same text between each two."""
    found: Sentence = []
    for place, part in enumerate(parts):
        found += sentence(between if place else "", part)
    return found


def _moved(pair: Pair) -> Table | None:
    if not pair.moved:
        return None
    zones = sorted({zone for row in pair.moved for zone in row.zones})
    short = " · ".join(zone.rpartition("-")[2] for zone in zones)
    columns = [
        Column("workload", "workload"),
        Column("elsewhere", "elsewhere", number=True),
        *(Column(f"zones_{side.run}", f"{short}, run {side.run}") for side in (pair.a, pair.b) if zones),
    ]
    pods = sum(row.elsewhere for row in pair.moved)
    says = sentence(number(pods, "pod"), " of ", number(len(pair.moved), "workload"))
    rows = [_moved_row(row, zones) for row in pair.moved]
    return Table("moved", "Pods that moved", columns, rows, says=says)


def _moved_row(row: Moved, zones: Sequence[str]) -> list[Sentence]:
    by_zone = [
        joined_by(" · ", [sentence(number(row.zones.get(zone, (0, 0))[side])) for zone in zones])
        for side in (0, 1)
    ]
    of = sentence(number(row.elsewhere), " of ", number(row.pods))
    name = sentence(workload(row.workload) if row.workload else "pods without a controller")
    return [name, of, *(by_zone if zones else [])]
