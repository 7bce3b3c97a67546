"""What is left of each resource on nodes on which a pod would be, while others are put there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scheduler_core.predicates.resources import EXACT
from scheduler_core.state.nodes import BoolArray, IntArray


@dataclass
class Slack:
    """What would be left on some nodes beside the pod, as others are put there, shape (nodes,).

    By resource `amounts` is what is left, `never` where the pod is above the node's whole size, `requests`,
    shape (pods,), what each pod takes; `pods` is how many more there may be.
    """

    pods: IntArray
    amounts: list[IntArray]
    never: list[BoolArray]
    requests: list[IntArray]

    def take(self, places: IntArray, pods: IntArray) -> IntArray:
        """Put `pods[i]` on the node at `places[i]` where the pod still fits then; return Filter's codes."""
        left = self.pods[places] - 1
        codes = (left < 0).astype(np.int64)
        amounts = [one[places] - asked[pods] for one, asked in zip(self.amounts, self.requests, strict=True)]
        for place, (amount, never) in enumerate(zip(amounts, self.never, strict=True)):
            short = amount < 0
            if short.any():
                codes |= short.astype(np.int64) << (2 * place + 1)
                codes |= (short & never[places]).astype(np.int64) << (2 * place + 2)
        fits = codes == 0
        stays = places[fits]
        self.pods[stays] = left[fits]
        for one, amount in zip(self.amounts, amounts, strict=True):
            one[stays] = amount[fits]
        return codes


def may_overflow(amounts: IntArray) -> bool:
    """Return whether sums of a few of these amounts may leave 64 bits."""
    return len(amounts) > 0 and (int(amounts.max()) >= EXACT or int(amounts.min()) <= -EXACT)
