"""Kunlun: whole XPUs, by the node's capacity, chosen by how they are connected.

Source: HAMi v2.10.0 pkg/device/kunlun/device.go, topo.go calcscore.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scheduler_core.hami.configuration.settings import KunlunSettings
from scheduler_core.hami.devices.kunlun_wings import MEMORY_OF_CARD, WING, KunlunIds, select_cards
from scheduler_core.hami.devices.vendor import Annotations, Vendor
from scheduler_core.hami.rules.cards import Allocated, Card, Request, Taken, Usage
from scheduler_core.hami.rules.constants import CARD_UUID_MISMATCH, NUMA_NOT_FIT
from scheduler_core.hami.rules.fit import Fit, refuse
from scheduler_core.hami.rules.handshake import NodeCheck
from scheduler_core.hami.rules.pod_request import Ask, NodeInfo

KEY = "kunlun"
_SCORES = {-1: 3000.0, 0: 2000.0, 1: 1000.0, 2: 0.0}
_OTHER_SCORE = 1000.0


class Kunlun(Vendor):
    """Kunlun's XPUs, each for one container."""

    key = KEY
    allocated = "hami.io/kunlun-allocated"
    reads = id_keys = KunlunIds.reads

    def __init__(self, settings: KunlunSettings) -> None:
        self.count_name = settings.resource_count_name

    def cards(self, check: NodeCheck) -> tuple[Card, ...]:
        count = self.counted(check)
        return tuple(
            Card(
                f"{check.name}-kunlun-{index}",
                index,
                100,
                MEMORY_OF_CARD,
                100,
                KEY,
                numa=int(index >= count // 2),
            )
            for index in self.numbered(count)
        )

    def fit(
        self, cards: Sequence[Usage], request: Request, ask: Ask, node: NodeInfo, allocated: Allocated
    ) -> Fit:
        ids = KunlunIds(ask)
        usable = [usage.used == 0 and usage.health for usage in cards]
        chosen = select_cards(cards, request.nums, ids.narrow(cards, usable))
        if not chosen:
            if ids.excluded:
                return refuse(CARD_UUID_MISMATCH, len(cards), ids.excluded)
            return refuse(NUMA_NOT_FIT, len(cards))
        return Fit(
            [
                Taken(card.index, card.id, KEY, card.memory, card.cores)
                for card in (usage.card for usage in chosen)
            ]
        )

    def charge(self, ask: Ask, usage: Usage, taken: Taken) -> str:
        usage.used += 1
        return ""

    def node_score(
        self, node: NodeInfo, pieces: list[list[Taken]], before: Sequence[Usage], policy: str
    ) -> float:
        """Return how well the pod's cards fill up wings; 0 on a node that has others too."""
        if any(KEY not in usage.card.type for usage in before):
            return 0.0
        now = _bubbles({taken.index for piece in pieces for taken in piece})
        was = _bubbles({usage.card.index for usage in before if usage.used > 0})
        return _SCORES.get(now - was, _OTHER_SCORE)

    def annotate(self, ask: Ask, annotations: Annotations, pieces: list[list[Taken]], now: int) -> None:
        super().annotate(ask, annotations, pieces, now)
        for piece in filter(None, pieces):
            annotations["BAIDU_COM_DEVICE_IDX"] = ",".join(str(taken.index) for taken in piece)


def _bubbles(indexes: Iterable[int]) -> int:
    """Return how scattered cards are over the wings."""
    found = list(indexes)
    left = sum(index < WING for index in found)
    if not found:
        return 1
    return _bubble(left) + _bubble(len(found) - left)


def _bubble(cards: int) -> int:
    return {WING: 0, 1: 2}.get(cards, 1)
