"""MetaX whole cards: by the node's capacity; its annotations say how well its cards are connected.

Source: HAMi v2.10.0 pkg/device/metax/device.go.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from scheduler_core.hami.configuration.settings import MetaxSettings
from scheduler_core.hami.devices.one_card import OneCardPerPod
from scheduler_core.hami.devices.vendor import Vendor
from scheduler_core.hami.rules.cards import Allocated, Card, Request, Taken, Usage
from scheduler_core.hami.rules.constants import BINPACK, SPREAD
from scheduler_core.hami.rules.encoding import Unreadable, decode_annotation
from scheduler_core.hami.rules.fit import ALL_CORES, Fit, take_first
from scheduler_core.hami.rules.handshake import Health, NodeCheck
from scheduler_core.hami.rules.numbers import float32
from scheduler_core.hami.rules.pod_request import Ask, NodeInfo, Object

KEY = "Metax-GPU"
_MEMORY = 65_536
_BEST = 2000
_BY_POLICY = {
    BINPACK: "metax-tech.com/gpu.topology.losses",
    SPREAD: "metax-tech.com/gpu.topology.scores",
}


class MetaxGpu(Vendor):
    """MetaX's cards, each for one container."""

    key = KEY
    to_allocate = "hami.io/metax-gpu-devices-to-allocate"
    allocated = "hami.io/metax-gpu-devices-allocated"
    node_reads = tuple(_BY_POLICY.values())

    def __init__(self, settings: MetaxSettings) -> None:
        self.count_name = settings.resource_count_name

    def cards(self, check: NodeCheck) -> tuple[Card, ...]:
        return tuple(
            Card(f"{check.name}-metax-{index}", index, 1, _MEMORY, ALL_CORES, KEY)
            for index in self.numbered(self.counted(check))
        )

    def health(self, check: NodeCheck) -> Health:
        return Health((check.capacity(self.count_name) or 0) > 0, True)

    def request(self, container: Object) -> Request | None:
        count = self.count(container)
        return None if count is None else self.ask(count, percentage=100, cores=ALL_CORES)

    def fit(
        self, cards: Sequence[Usage], request: Request, ask: Ask, node: NodeInfo, allocated: Allocated
    ) -> Fit:
        rules = OneCardPerPod(request, ask, None, allocated)
        return take_first(cards, request.nums, rules.why, rules.take)

    def node_score(
        self, node: NodeInfo, pieces: list[list[Taken]], before: Sequence[Usage], policy: str
    ) -> float:
        """Return 2000 less what so many cards lose, or, for spread, less what they are worth."""
        text = node.annotations.get(_BY_POLICY.get(policy, ""))
        if text is None:
            return 0.0
        return float32(_BEST - float32(_by_number(text).get(sum(map(len, pieces)), 0)))


@lru_cache(maxsize=4096)
def _by_number(text: str) -> dict[int, int]:
    """Return figures by number of cards; none where the text can't be read."""
    try:
        return decode_annotation(text, dict[int, int] | None) or {}
    except Unreadable:
        return {}
