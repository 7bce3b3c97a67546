"""The broken line through points of utilization and score, by which requests over capacity are scored.

Source: kubernetes v1.36 plugins/helper/shape_score.go BuildBrokenLinearFunction;
plugins/noderesources/requested_to_capacity_ratio.go.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from scheduler_core.go.arithmetic import go_divide
from scheduler_core.state.nodes import IntArray


def ratio_of(shape: list[dict[str, Any]]) -> Callable[[IntArray, IntArray], IntArray]:
    """Return the broken line through the points of the shape: utilization 0..100 to score 0..10 times 10."""
    points = [(int(p.get("utilization") or 0), int(p.get("score") or 0) * 10) for p in shape]

    def score(requested: IntArray, capacity: IntArray) -> IntArray:
        # Above capacity the utilization counts as 100.
        used = np.where(requested > capacity, 100, go_divide(requested * 100, capacity))
        result = np.full_like(used, points[-1][1])
        for (left, low), (right, high) in reversed(list(pairwise(points))):
            between = low + go_divide((high - low) * (used - left), right - left)
            result = np.where(used <= right, between, result)
        return np.where(used <= points[0][0], points[0][1], result)

    return score


def round_half_away(numerator: IntArray, denominator: IntArray) -> IntArray:
    return np.floor(numerator / denominator + 0.5).astype(np.int64)
