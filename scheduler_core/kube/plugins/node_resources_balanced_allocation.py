"""NodeResourcesBalancedAllocation: prefers nodes whose resources the pod would balance.

The score compares the deviation of the used fractions before and after the pod: 75 is no change.

Source: kubernetes v1.36 plugins/noderesources/balanced_allocation.go.
"""

import math
from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from scheduler_core.kube.framework import MAX_NODE_SCORE, SKIP, Cycle, NotModelled, Reads, ScorePlugin
from scheduler_core.predicates.resources import (
    EXACT,
    FEW,
    NATIVE,
    amount_columns,
    needs_selectors,
    weighted_resources,
)
from scheduler_core.state.nodes import BoolArray, IntArray

_HALF = MAX_NODE_SCORE // 2
_MOST = float(MAX_NODE_SCORE)
Balance = TypeVar("Balance", int, IntArray)


class NodeResourcesBalancedAllocation(ScorePlugin):
    """Score: skipped for a pod that requests none of the scored resources."""

    name = "NodeResourcesBalancedAllocation"
    reads = Reads.ROOM

    @cached_property
    def _names(self) -> list[str]:
        return [name for name, _ in weighted_resources(self.args.get("resources"))]

    def pre_score(self, cycle: Cycle, nodes: IntArray) -> Any:
        asked = self.pre_score_late(cycle, nodes)
        return asked if self.scores_requests(asked) else SKIP

    def pre_score_late(self, cycle: Cycle, nodes: IntArray) -> list[int]:
        return [cycle.pod.running_requests.get(name, 0) for name in self._names]

    def scores_requests(self, asked: list[int]) -> bool:
        """Return whether a pod with these requests is scored."""
        return any(asked)

    def score(self, cycle: Cycle, prepared: Any, nodes: IntArray) -> IntArray:
        if not self.scores_requests(prepared):
            return np.zeros(len(nodes), dtype=np.int64)
        for name, asked in zip(self._names, prepared, strict=True):
            # It has no cache of compiled selectors, as NodeResourcesFit has, and looks into it all the same.
            if asked and needs_selectors(cycle.state, name, nodes):
                raise NotModelled(f"the balance of {name}: kube-scheduler panics over its class's selectors")
        if len(nodes) <= FEW:
            score_of = self.scoring(cycle, prepared)
            return np.array([score_of(node) for node in nodes.tolist()], dtype=np.int64)
        return self._score_many(cycle, prepared, nodes)

    def _score_many(self, cycle: Cycle, prepared: Any, nodes: IntArray) -> IntArray:
        fractions, counted = [], []
        for name, asked in zip(self._names, prepared, strict=True):
            if asked == 0 and name not in NATIVE:
                continue
            columns = amount_columns(cycle.state, name, non_zero=False, emptied=cycle.emptied)
            allocatable, allocated = (column.take(nodes) for column in columns)
            used = allocatable != 0
            size = allocatable if np.count_nonzero(used) == len(nodes) else np.where(used, allocatable, 1)
            without_and_with = np.empty((2, len(nodes)))
            np.divide(allocated, size, out=without_and_with[0])
            np.divide(allocated + asked, size, out=without_and_with[1])
            fractions.append(np.minimum(without_and_with, 1.0, out=without_and_with))
            counted.append(used)
        before, after = _balance(fractions, counted)
        return self.compared(before, after)

    def compared(self, before: Balance, after: Balance) -> Balance:
        """Return the score of nodes by their balance without the pod and with it, 0 to 100 each."""
        change = _HALF + after - before
        # Halved towards zero, as Go divides.
        return _HALF + ((change + (change < 0)) >> 1)

    def scoring(self, cycle: Cycle, prepared: Any) -> Callable[[int], int]:
        if not self.scores_requests(prepared):
            return lambda node: 0
        parts = []
        for name, asked in zip(self._names, prepared, strict=True):
            if asked != 0 or name in NATIVE:
                columns = amount_columns(cycle.state, name, non_zero=False, emptied=cycle.emptied)
                parts.append((asked, columns[0].item, columns[1].item))

        def score_of(node: int) -> int:
            before, after = [], []
            for asked, capacity_of, allocated_of in parts:
                capacity, allocated = capacity_of(node), allocated_of(node)
                plain = 0 <= capacity < EXACT and allocated >= 0 and asked >= 0 and allocated + asked < EXACT
                if not plain:
                    return int(self._score_many(cycle, prepared, np.array([node], dtype=np.int64))[0])
                if capacity:
                    used, wanted = allocated / capacity, (allocated + asked) / capacity
                    before.append(used if used < 1.0 else 1.0)
                    after.append(wanted if wanted < 1.0 else 1.0)
            return self.compared(_balance_of_one(before), _balance_of_one(after))

        return score_of


def _balance_of_one(fractions: list[float]) -> int:
    if len(fractions) == 2:
        deviation = abs((fractions[0] - fractions[1]) / 2)
    else:
        deviation = _deviation(fractions) if fractions else 0.0
    return int((1 - deviation) * _MOST)


def _deviation(fractions: list[float]) -> float:
    total = 0.0
    for fraction in fractions:
        total += fraction
    mean = total / len(fractions)
    squares = 0.0
    for fraction in fractions:
        squares += (fraction - mean) * (fraction - mean)
    return math.sqrt(squares / len(fractions))


def _balance(fractions: list[NDArray[np.float64]], counted: list[BoolArray]) -> IntArray:
    """Return trunc((1 - deviation) * 100), without the pod and with it: shape (2, nodes) as the fractions."""
    deviation = _of_two(fractions, counted) if len(fractions) == 2 else _of_many(fractions, counted)
    return ((1 - deviation) * _MOST).astype(np.int64)


def _of_two(fractions: list[NDArray[np.float64]], counted: list[BoolArray]) -> NDArray[np.float64]:
    """Return the deviation of two fractions: half of what they differ by; of one alone it is 0."""
    one, other = fractions
    halves = np.abs((one - other) / 2)
    both = counted[0] & counted[1]
    return halves if np.count_nonzero(both) == len(both) else np.where(both, halves, 0.0)


def _of_many(fractions: list[NDArray[np.float64]], counted: list[BoolArray]) -> NDArray[np.float64]:
    """Return the standard deviation; the float operations are in Go's order."""
    number = np.sum(counted, axis=0)
    total = np.zeros(fractions[0].shape)
    for fraction, used in zip(fractions, counted, strict=True):
        total = total + np.where(used, fraction, 0.0)
    mean = total / np.where(number == 0, 1, number)
    squares = np.zeros_like(total)
    signed = np.zeros_like(total)
    first = np.ones(len(number), dtype=np.bool_)
    for fraction, used in zip(fractions, counted, strict=True):
        squares = squares + np.where(used, (fraction - mean) * (fraction - mean), 0.0)
        signed = np.where(used, np.where(first, fraction, signed - fraction), signed)
        first = first & ~used
    deviation = np.where(number > 2, np.sqrt(squares / np.where(number == 0, 1, number)), 0.0)
    return np.where(number == 2, np.abs(signed / 2), deviation)
