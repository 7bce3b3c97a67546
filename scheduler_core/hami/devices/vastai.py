"""Vastai: cards that are counted; in die mode dies of cards (AIC), and those of one card go together.

Source: HAMi v2.10.0 pkg/device/vastai/device.go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from scheduler_core.hami.devices.counted import CountedCards, CountedVendor
from scheduler_core.hami.rules.cards import Allocated, Request, Taken, Usage
from scheduler_core.hami.rules.constants import EXCLUSIVE_CONFLICT
from scheduler_core.hami.rules.fit import Fit, take_all, take_first, too_few
from scheduler_core.hami.rules.numbers import float32
from scheduler_core.hami.rules.pod_request import Ask, NodeInfo, accepts_ids

KEY = "Vastai"
_AIC, _STRATEGY, _DIE = "AIC", "DeviceStrategy", "die"
_USE_ID, _AVOID_ID = "vastaitech.com/use-gpuuuid", "vastaitech.com/nouse-gpuuuid"


class Vastai(CountedVendor):
    """Vastai's cards or dies."""

    key = KEY
    to_allocate = "hami.io/Vastai-devices-to-allocate"
    allocated = "hami.io/Vastai-devices-allocated"
    register = "hami.io/node-va-register"
    handshake = forgotten = "hami.io/node-handshake-va"
    locks = True
    reads = id_keys = (_USE_ID, _AVOID_ID)

    def fit(
        self, cards: Sequence[Usage], request: Request, ask: Ask, node: NodeInfo, allocated: Allocated
    ) -> Fit:
        rules = _Rules(request, ask, cards)
        if not rules.by_die:
            return take_first(cards, request.nums, rules.why, rules.take)
        taken, reasons = take_all(cards, rules.why, rules.take)
        if len(taken) < request.nums:
            return too_few(taken, reasons, len(cards))
        if len(taken) > request.nums > 1:
            taken = _by_card(taken)
        return Fit(taken[: request.nums])

    def node_score(
        self, node: NodeInfo, pieces: list[list[Taken]], before: Sequence[Usage], policy: str
    ) -> float:
        """Return the share of the card with most of a container's dies, summed over containers."""
        score = 0.0
        for piece in filter(None, pieces):
            customs = [taken.custom or {} for taken in piece]
            if any(custom.get(_STRATEGY, _DIE) != _DIE or _AIC not in custom for custom in customs):
                return 0.0
            cards = Counter(custom[_AIC] for custom in customs if isinstance(custom[_AIC], str))
            if cards:
                share = float32(max(cards.values()) / cards.total())
                score = float32(score + share)
        return score


class _Rules(CountedCards):
    def __init__(self, request: Request, ask: Ask, cards: Sequence[Usage]) -> None:
        super().__init__(request, ask, accepts_ids(ask.annotations, _USE_ID, _AVOID_ID))
        self.by_die = bool(cards) and cards[0].card.custom.get(_STRATEGY) == _DIE
        occupied = (usage.card.custom.get(_AIC) for usage in cards if usage.used > 0)
        self._occupied = {card for card in occupied if isinstance(card, str)}

    def no_slot(self, usage: Usage) -> str:
        reason = super().no_slot(usage)
        if not reason and self.mutex and self.by_die and usage.card.custom.get(_AIC) in self._occupied:
            return EXCLUSIVE_CONFLICT
        return reason


def _by_card(taken: list[Taken]) -> list[Taken]:
    """Return dies from the card that has most of them downwards."""
    cards: dict[str, list[Taken]] = {}
    for one in taken:
        card = (one.custom or {}).get(_AIC)
        if isinstance(card, str):
            cards.setdefault(card, []).append(one)
    return [one for card in sorted(cards.values(), key=len, reverse=True) for one in card]
