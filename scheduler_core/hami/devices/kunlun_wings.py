"""Eight XPUs in two wings of four: all of a wing are connected, and each with one of the other wing.

A card's wing is its place in the sorted list, its connections are those of its index.

Source: HAMi v2.10.0 pkg/device/kunlun/topo.go graghSelect, interconnect; device.go, vdevice.go CheckUUID.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from scheduler_core.hami.rules.cards import Usage
from scheduler_core.hami.rules.pod_request import Ask, accepts_ids

MEMORY_OF_CARD = 98_304
WING = 4
_ALL = 2 * WING
_PAIRS = ((0, 4), (1, 5), (2, 6), (3, 7))
_FOURS = ((0, 1, 4, 5), (2, 3, 6, 7), (0, 2, 4, 6), (1, 3, 5, 7), (0, 3, 4, 7), (1, 2, 5, 6))
_CONNECTED = {frozenset(pair) for pair in _PAIRS} | {
    frozenset(pair) for wing in (range(WING), range(WING, _ALL)) for pair in combinations(wing, 2)
}
_FULLNESS = {1: (1, 3, 2, 4), 2: (2, 3, 4), 4: (4,)}
"""By the number of cards wanted: which numbers of usable cards a wing is looked for with, in this order."""
_ID_KEYS = (
    ("hami.io/use-xpu-uuid", "hami.io/no-use-xpu-uuid"),
    ("baidu.com/use-gpuuuid", "baidu.com/nouse-gpuuuid"),
)


class KunlunIds:
    """The lists of ids that a pod has, and how many cards they exclude."""

    reads = tuple(key for pair in _ID_KEYS for key in pair)

    def __init__(self, ask: Ask) -> None:
        found = (accepts_ids(ask.annotations, use, avoid) for use, avoid in _ID_KEYS)
        self._accept = [accepts for accepts in found if accepts is not None]
        self.excluded = 0

    def narrow(self, cards: Sequence[Usage], usable: Sequence[bool]) -> list[bool]:
        """Return which cards are usable, those left out that the lists exclude."""
        accepted = [all(accepts(usage.card.id) for accepts in self._accept) for usage in cards]
        self.excluded = accepted.count(False)
        return [use and accept for use, accept in zip(usable, accepted, strict=True)]


def select_cards(cards: Sequence[Usage], wanted: int, usable: Sequence[bool]) -> list[Usage]:
    """Return 1, 2, 4 or 8 usable cards that are connected, none where there are none or others are wanted."""
    left, right = sum(usable[:WING]), sum(usable[WING:])
    if wanted == _ALL:
        chosen = list(range(_ALL)) if left + right == _ALL else []
        return _by_index(cards, chosen)
    if wanted not in _FULLNESS:
        return []
    if left >= wanted or right >= wanted:
        for fullness in _FULLNESS[wanted]:
            if left == fullness:
                return _first(cards, usable, 0, wanted)
            if right == fullness:
                return _first(cards, usable, WING, wanted)
    return _by_index(cards, _across(cards, wanted, usable))


def _first(cards: Sequence[Usage], usable: Sequence[bool], start: int, wanted: int) -> list[Usage]:
    """Return a wing's first usable cards. Those beyond the eighth card count for the right wing only."""
    wing = zip(cards[start:_ALL], usable[start:_ALL], strict=True)
    found = [usage.card.index for usage, use in wing if use]
    return _by_index(cards, found[:wanted])


def _by_index(cards: Sequence[Usage], indexes: Sequence[int]) -> list[Usage]:
    found = (next((usage for usage in cards if usage.card.index == index), None) for index in indexes)
    return [usage for usage in found if usage is not None]


def _across(cards: Sequence[Usage], wanted: int, usable: Sequence[bool]) -> Sequence[int]:
    """Return indexes of connected cards of both wings."""
    free = [usage.card.index for usage, use in zip(cards, usable, strict=True) if use]
    if wanted == 2:
        pairs = ((one, other) for one in free for other in free if one != other)
        return next((pair for pair in pairs if tuple(sorted(pair)) in _PAIRS), ())
    if wanted != WING or len(free) not in (4, 5, 6):
        return ()
    possible = [four for four in _FOURS if set(four) <= set(free)]
    if len(free) < 6:
        return possible[0] if possible else ()
    for four in possible:
        if _is_connected(set(free) - set(four)):
            return four
    return possible[-1] if possible else ()


def _is_connected(left_over: set[int]) -> bool:
    return any(pair <= left_over for pair in _CONNECTED)
