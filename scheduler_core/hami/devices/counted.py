"""Cards that are counted only: health, ids, slots; nothing else is charged.

Source: HAMi v2.10.0 Fit of pkg/device/biren/device.go and pkg/device/vastai/device.go.
"""

from __future__ import annotations

from msgspec.structs import replace

from scheduler_core.hami.configuration.settings import CountSettings
from scheduler_core.hami.devices.vendor import Vendor
from scheduler_core.hami.rules.cards import Card, Taken, Usage
from scheduler_core.hami.rules.fit import SharedCards
from scheduler_core.hami.rules.handshake import NodeCheck


class CountedVendor(Vendor):
    """A vendor whose cards are asked for by number only."""

    def __init__(self, settings: CountSettings) -> None:
        self.count_name = settings.resource_count_name

    def cards(self, check: NodeCheck) -> tuple[Card, ...]:
        return tuple(replace(card, cores=100) for card in self.registered(check))


class CountedCards(SharedCards):
    """Shared cards without memory and cores."""

    def no_room(self, usage: Usage) -> str:
        return ""

    def take(self, usage: Usage) -> Taken:
        card = usage.card
        return Taken(card.index, card.id, self.request.type, 0, self.cores, card.custom)
