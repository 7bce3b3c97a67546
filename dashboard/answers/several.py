"""The answer of three to six runs: what each comes to beside the first, and their figures in columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from django.utils.text import capfirst
from msgspec.structs import replace

from dashboard.answers.answer import Answer, Column, Line, Table
from dashboard.answers.beside import names_of, what_b_does
from dashboard.answers.compared import GROUPS, Pair, cut_short, listed, value_of
from dashboard.answers.rests_on import about_runs
from dashboard.answers.sentence import Number, Sentence, Text, decision, number, sentence, strong
from dashboard.shapes.comparison import AT_LEAST, Figure


class Row(NamedTuple):
    """A figure of all runs: its cells, in the order of the runs. means: the term that says how it is made.

    values: the figures themselves, where there are any.
    """

    name: str
    group: str
    cells: list[Sentence]
    differs: bool
    means: str = ""
    values: Sequence[float] = ()


@dataclass(frozen=True)
class Runs:
    """Runs beside the first of them: a pair for each other one; first_differences: by decision, or none."""

    pairs: Sequence[Pair]
    first_differences: Sequence[int | None]

    @property
    def numbers(self) -> list[int]:
        """The runs, the first one being that by which the others are measured."""
        return [self.pairs[0].a.run, *(pair.b.run for pair in self.pairs)]

    @cached_property
    def rows(self) -> list[Row]:
        """The figures that all of the runs have, and where the others part from the first."""
        by_name = [{_name(row): row for row in pair.figures} for pair in self.pairs]
        shared = [name for name in by_name[0] if all(name in one for one in by_name)]
        found = [[one[name] for one in by_name] for name in shared]
        # Of gangs each pair has its own count, where only one of its runs knows what they need.
        known = [rows for rows in found if len({row["a"] for row in rows}) == 1]
        figures = sorted(map(_row, known), key=lambda row: list(GROUPS).index(row.group))
        return [*figures, *self._parting()]

    def _parting(self) -> list[Row]:
        first = self.numbers[0]
        elsewhere = [sentence(number(pair.elsewhere)) for pair in self.pairs]
        decisions: list[Sentence] = [
            [] if seq is None else sentence(decision(pair.b.run, seq))
            for pair, seq in zip(self.pairs, self.first_differences, strict=True)
        ]
        return [
            Row(f"pods on another node than in run {first}", "pods", [[], *elsewhere], True),
            Row(f"first decision that differs from run {first}", "pods", [[], *decisions], True),
        ]


def _name(row: Figure) -> str:
    return row["name"].removesuffix(AT_LEAST)


def _row(rows: Sequence[Figure]) -> Row:
    """Return a figure of which each pair has the first run's value and that of its other one."""
    first = rows[0]
    values = [first["a"], *(row["b"] for row in rows)]
    differs = len(set(values)) > 1
    better = first.get("better") if differs and all("better" in row for row in rows) else None
    best = None if better is None else min(values) if better == "lower" else max(values)
    cells = [sentence("● " if value == best else "", value_of(first, value)) for value in values]
    name = max((row["name"] for row in rows), key=len)  # at least so many, if one of the runs says so
    return Row(name, first["group"], cells, differs, first.get("means", ""), values)


def answer_of_several(runs: Runs) -> Answer:
    """Return the answer of several runs, each measured by the first."""
    tables = [table_of_several(runs, differ=True), table_of_several(runs, differ=False)]
    return Answer(
        "alike" if all(pair.alike for pair in runs.pairs) else "differ",
        _lead(runs),
        [*_differently(runs), *_both(runs)],
        [table for table in tables if table.rows],
        about_runs([*runs.pairs[0].rest_on, *(pair.rest_on[1] for pair in runs.pairs[1:])]),
    )


def _lead(runs: Runs) -> Sentence:
    """Return a sentence for each of the other runs."""
    names = names_of(runs.pairs)
    short = cut_short([runs.pairs[0].a, *(pair.b for pair in runs.pairs)])
    if all(pair.alike for pair in runs.pairs):
        return [*short, *sentence(strong(f"All {len(names)} runs decide alike."))]
    said: Sentence = []
    for place, (pair, name) in enumerate(zip(runs.pairs, names[1:], strict=True)):
        words = sentence(f"{capfirst(name)} ", what_b_does(pair, names[0]), ".")
        said += sentence(" " if place else "", words if place else _strong(words))
    return [*short, *said]


def _strong(said: Sentence) -> Sentence:
    return [replace(part, strong=True) if isinstance(part, Text | Number) else part for part in said]


def _differently(runs: Runs) -> list[Line]:
    return [
        Line(
            "differently",
            head=sentence(f"Run {pair.b.run}, asked differently:"),
            says=listed(pair.differently or [sentence("nothing")]),
        )
        for pair in runs.pairs
    ]


def _both(runs: Runs) -> list[Line]:
    common = [said for said in runs.pairs[0].both if all(said in pair.both for pair in runs.pairs)]
    return [Line("both", head=sentence("Asked in all:"), says=listed(common))] if common else []


def table_of_several(runs: Runs, *, differ: bool) -> Table:
    """Return the figures that differ, or those that are equal, with a column for each run."""
    name, title = ("runs", "Figures") if differ else ("equal", "Figures that are equal")
    columns = [Column("figure", "figure")]
    columns += [Column(f"run_{run}", f"run {run}", number=True) for run in runs.numbers]
    rows = [[sentence(row.name), *row.cells] for row in runs.rows if row.differs is differ]
    return Table(name, title, columns, rows, folds=not differ)
