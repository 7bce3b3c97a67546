"""What a predicate is: a filter whose failures are worded by the release; and predicates taken together.

Source: kubernetes v1.8 plugin/pkg/scheduler and v1.11 pkg/scheduler: algorithm/predicates GeneralPredicates,
core/generic_scheduler.go podFitsOnNode.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from scheduler_core.events.decisions import Status
from scheduler_core.kube.framework import UNRESOLVABLE, UNSCHEDULABLE, Cycle, FilterPlugin, View
from scheduler_core.kube.releases.predicates.wording import Wording
from scheduler_core.state.nodes import IntArray

_INT64_MAX = 2**63 - 1


class Predicate(FilterPlugin):
    """Base of all predicates: a code of 0 fits, `failures` names what any other code stands for."""

    def __init__(self, wording: Wording) -> None:
        super().__init__()
        self.wording = wording

    def failures(self, cycle: Cycle, code: int) -> list[str]:
        """Return the failures that a code stands for, as 1.8 spells them."""
        return [self.name]

    def status(self, cycle: Cycle, code: int) -> Status:
        return self.wording.status(self.name, self.failures(cycle, code))


class Conjunction(FilterPlugin):
    """Predicates that are all asked, whatever the others say; a node fails with the reasons of all.

    A code numbers a distinct combination of the parts' codes; the numbers belong to one cycle. With
    `names_parts` the rejection names the parts that failed, else the conjunction itself.
    """

    name = "GeneralPredicates"
    reads_pods = True

    def __init__(self, parts: list[FilterPlugin], *, names_parts: bool = False) -> None:
        super().__init__()
        self.parts = parts
        self._names_parts = names_parts

    @property
    def each(self) -> Sequence[FilterPlugin]:
        return [leaf for part in self.parts for leaf in part.each]

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
            numbers = [self._number(view.cycle, tuple(column)) for column in failed[:, first].T.tolist()]
            codes[rejected] = np.array(numbers, dtype=np.int64)[place_of]
        return codes

    def _combinations(self, cycle: Cycle) -> dict[tuple[int, ...], int]:
        combinations: dict[tuple[int, ...], int] = cycle.scratch.setdefault(f"{self.name} {id(self)}", {})
        return combinations

    def _number(self, cycle: Cycle, combination: tuple[int, ...]) -> int:
        combinations = self._combinations(cycle)
        return combinations.setdefault(combination, len(combinations) + 1)

    def status(self, cycle: Cycle, code: int) -> Status:
        combination = list(self._combinations(cycle))[code - 1]
        statuses = [
            part.status(cycle, own) for part, own in zip(self.parts, combination, strict=True) if own != 0
        ]
        name = ", ".join(status.plugin for status in statuses) if self._names_parts else self.name
        curable = all(status.code == UNSCHEDULABLE for status in statuses)
        reasons = [reason for status in statuses for reason in status.reasons]
        return Status(name, UNSCHEDULABLE if curable else UNRESOLVABLE, reasons)

    def numbers(self, view: View, node: int) -> list[dict[str, Any]]:
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
