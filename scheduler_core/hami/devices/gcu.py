"""Enflame's whole cards: counted by the node's capacity.

Source: HAMi v2.10.0 pkg/device/enflame/gcu.go.
"""

from __future__ import annotations

from collections.abc import Sequence

from scheduler_core.hami.configuration.settings import EnflameSettings
from scheduler_core.hami.devices.vendor import Vendor
from scheduler_core.hami.rules.cards import Allocated, Card, Request, Taken, Usage
from scheduler_core.hami.rules.constants import CARD_NOT_HEALTHY, EXCLUSIVE_CONFLICT
from scheduler_core.hami.rules.fit import Fit, take_first
from scheduler_core.hami.rules.handshake import Health, NodeCheck
from scheduler_core.hami.rules.pod_request import Ask, NodeInfo, Object

KEY = "GCU"
_ALL = 100


class Gcu(Vendor):
    """Enflame's cards, each for one container."""

    key = KEY
    to_allocate = "hami.io/enflame-gcu-devices-to-allocate"
    allocated = "hami.io/enflame-gcu-devices-allocated"

    def __init__(self, settings: EnflameSettings) -> None:
        self.count_name = settings.resource_name_gcu

    def cards(self, check: NodeCheck) -> tuple[Card, ...]:
        return tuple(
            Card(f"{check.name}-GCU-{index}", index, 1, _ALL, _ALL, KEY)
            for index in self.numbered(self.counted(check))
        )

    def health(self, check: NodeCheck) -> Health:
        return Health((check.capacity(self.count_name) or 0) > 0, True)

    def request(self, container: Object) -> Request | None:
        count = self.count(container)
        return None if count is None else self.ask(count, _ALL, 100, _ALL)

    def fit(
        self, cards: Sequence[Usage], request: Request, ask: Ask, node: NodeInfo, allocated: Allocated
    ) -> Fit:
        def why(usage: Usage) -> str:
            if not usage.health:
                return CARD_NOT_HEALTHY
            return EXCLUSIVE_CONFLICT if usage.used > 0 else ""

        def take(usage: Usage) -> Taken:
            return Taken(usage.card.index, usage.card.id, KEY, request.memory, request.cores)

        return take_first(cards, request.nums, why, take)
