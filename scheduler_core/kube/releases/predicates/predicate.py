"""What a predicate is: a filter whose failures are worded by the release; and predicates taken together.

Source: kubernetes v1.8 plugin/pkg/scheduler and v1.11 pkg/scheduler: algorithm/predicates GeneralPredicates,
core/generic_scheduler.go podFitsOnNode.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from scheduler_core.events.decisions import Status
from scheduler_core.events.explanation import Figure
from scheduler_core.kube.framework import (
    ERROR,
    UNRESOLVABLE,
    UNSCHEDULABLE,
    Cycle,
    FilterPlugin,
    PreFilterAnswer,
    Reads,
    View,
)
from scheduler_core.kube.releases.predicates.wording import Wording
from scheduler_core.predicates.filter_state import FilterState
from scheduler_core.state.nodes import IntArray

_INT64_MAX = 2**63 - 1


class Predicate(FilterPlugin):
    """Base of all predicates: a code of 0 fits, `failures` names what any other code stands for."""

    def __init__(self, wording: Wording) -> None:
        super().__init__()
        self.wording = wording

    def failures(self, state: FilterState | None, code: int) -> list[str]:
        """Return the failures that a code stands for, as 1.8 spells them."""
        return [self.name]

    def status(self, state: FilterState | None, code: int) -> Status:
        return self.wording.status(self.name, self.failures(state, code))


@dataclass
class _Combinations(FilterState):
    """The distinct combinations of the parts' codes that were met, and the rejections they stand for."""

    numbers: dict[tuple[int, ...], int] = field(default_factory=dict)
    statuses: list[Status] = field(default_factory=list)


class Conjunction(FilterPlugin):
    """Predicates that are all asked, whatever the others say; a node fails with the reasons of all.

    An error of one goes before all reasons. `parts` are (name, predicate), kept as `names` and `parts`: a
    rejection names those that failed, each once. A code numbers a distinct combination of the parts' codes;
    the numbers belong to one cycle.
    """

    name = "GeneralPredicates"
    reads = Reads.PODS

    def __init__(self, parts: Sequence[tuple[str, FilterPlugin]]) -> None:
        super().__init__()
        self.names = [name for name, _ in parts]
        self.parts = [part for _, part in parts]

    @property
    def each(self) -> Sequence[FilterPlugin]:
        return self.parts

    def pre_filter(self, cycle: Cycle) -> PreFilterAnswer:
        return _Combinations()

    def filter(self, view: View, nodes: IntArray) -> IntArray:
        answers = np.zeros((len(self.parts), len(nodes)), dtype=np.int64)
        for place, part in enumerate(self.parts):
            if part.name not in view.cycle.skipped_filters:
                answers[place] = part.filter(view, nodes)
        codes = np.zeros(len(nodes), dtype=np.int64)
        rejected = answers.any(axis=0)
        if rejected.any():
            failed = answers[:, rejected]
            _, first, place_of = np.unique(_as_one(failed), return_index=True, return_inverse=True)
            numbers = [self._number(view, tuple(column)) for column in failed[:, first].T.tolist()]
            codes[rejected] = np.array(numbers, dtype=np.int64)[place_of]
        return codes

    def _number(self, view: View, combination: tuple[int, ...]) -> int:
        met = view.states[self.name]
        assert isinstance(met, _Combinations)
        if combination not in met.numbers:
            met.statuses.append(self._together(view, combination))
            met.numbers[combination] = len(met.statuses)
        return met.numbers[combination]

    def _together(self, view: View, combination: tuple[int, ...]) -> Status:
        failed = [place for place, own in enumerate(combination) if own != 0]
        statuses = [
            self.parts[place].status(view.states.get(self.parts[place].name), combination[place])
            for place in failed
        ]
        if error := next((status for status in statuses if status.code == ERROR), None):
            return error
        name = ", ".join(dict.fromkeys(self.names[place] for place in failed))
        curable = all(status.code == UNSCHEDULABLE for status in statuses)
        reasons = [reason for status in statuses for reason in status.reasons]
        return Status(name, UNSCHEDULABLE if curable else UNRESOLVABLE, reasons)

    def status(self, state: FilterState | None, code: int) -> Status:
        assert isinstance(state, _Combinations)
        return state.statuses[code - 1]

    def numbers(self, view: View, node: int) -> list[Figure]:
        return [figure for part in self.parts for figure in part.numbers(view, node)]


def _as_one(answers: IntArray) -> IntArray:
    """Return a number for each column of the answers, in the order of the columns; shape (nodes,).

    Sorting such numbers is much quicker than sorting columns.
    """
    one: IntArray = answers[0]
    size = int(one.max()) + 1
    for codes in answers[1:]:
        if size * (int(codes.max()) + 1) > _INT64_MAX:
            one, codes = _ranks(one), _ranks(codes)
            size = int(one.max()) + 1
        top = int(codes.max()) + 1
        one, size = one * top + codes, size * top
    return one


def _ranks(values: IntArray) -> IntArray:
    ranks: IntArray = np.unique(values, return_inverse=True)[1]
    return ranks
