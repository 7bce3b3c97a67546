"""The rules of cards that are counted only: health, ids, slots; nothing else is charged.

Source: HAMi v2.10.0 Fit of pkg/device/biren/device.go and pkg/device/vastai/device.go.
"""

from __future__ import annotations

from scheduler_core.hami.cards import Taken, Usage
from scheduler_core.hami.fit import SharedCards


class CountedCards(SharedCards):
    """Shared cards without memory and cores."""

    def no_room(self, usage: Usage) -> str:
        return ""

    def take(self, usage: Usage) -> Taken:
        card = usage.card
        return Taken(card.index, card.id, self.request.type, 0, self.cores, card.custom)
