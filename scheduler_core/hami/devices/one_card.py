"""The rule by which all containers of a pod must have the same card.

Source: HAMi v2.10.0 customFilterRule of pkg/device/mthreads/device.go and pkg/device/metax/device.go.
"""

from __future__ import annotations

from collections.abc import Callable

from scheduler_core.hami.rules.cards import Allocated, Request, Usage
from scheduler_core.hami.rules.constants import CARD_NOT_FOUND_BY_RULE
from scheduler_core.hami.rules.fit import SharedCards
from scheduler_core.hami.rules.pod_request import Ask


class OneCardPerPod(SharedCards):
    """Shared cards, of which a pod gets no second one."""

    def __init__(
        self, request: Request, ask: Ask, accepts_id: Callable[[str], bool] | None, allocated: Allocated
    ) -> None:
        super().__init__(request, ask, accepts_id)
        self._taken = {taken.id for piece in allocated.get(request.type, ()) for taken in piece}

    def by_rule(self, usage: Usage, memory: int) -> str:
        return CARD_NOT_FOUND_BY_RULE if self._taken - {usage.card.id} else ""
