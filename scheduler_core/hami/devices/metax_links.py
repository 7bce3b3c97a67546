"""MetaX cards that are linked: cards of one zone talk to each other directly; zone 0 is none.

Source: HAMi v2.10.0 pkg/device/metax/score.go, sdevice.go prioritizeExclusiveDevices, scoreExclusiveDevices.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from scheduler_core.hami.rules.cards import Taken

_LINK = 10


class LinkedCard(NamedTuple):
    """A card and its zone."""

    id: str
    zone: int


def choose_by_links(taken: Sequence[Taken], wanted: int) -> list[Taken]:
    """Return cards of the smallest zone that has enough, else of zones from the smallest on, else of none."""
    zones: dict[int, list[Taken]] = {}
    for one in taken:
        zones.setdefault(max(_zone(one), 0), []).append(one)
    unlinked = zones.pop(0, [])
    smallest_first = sorted(zones.values(), key=len)
    for cards in smallest_first:
        if len(cards) >= wanted:
            return cards[:wanted]
    return [*(one for cards in smallest_first for one in cards), *unlinked][:wanted]


def topology_score(taken: Iterable[Taken], idle: Sequence[LinkedCard]) -> int:
    """Return ten times the links among the cards taken, less the links that those left idle lose."""
    chosen = [LinkedCard(one.id, _zone(one)) for one in taken]
    ids = {card.id for card in chosen}
    rest = [card for card in idle if card.id not in ids]
    allocated = _links(chosen)
    return 10 * allocated - (_links(idle) - allocated - _links(rest))


def _links(cards: Iterable[LinkedCard]) -> int:
    """Return 10 for each pair of different cards in one zone."""
    zones = Counter(card.zone for card in cards if card.zone != 0)
    return _LINK * sum(count * (count - 1) // 2 for count in zones.values())


def _zone(taken: Taken) -> int:
    zone: int = (taken.custom or {}).get("zone", 0)
    return zone
