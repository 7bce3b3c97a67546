"""What the pods of a run ask of HAMi's cards, as shapes: so many cards of a vendor, so much of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from scheduler_core.hami.configuration.settings import Configuration
from scheduler_core.hami.devices.all_vendors import Vendors, reading_vendors
from scheduler_core.hami.measures.asked_cards import asked_by
from scheduler_core.hami.rules.cards import ALL_MEMORY_UNSET, Request

Object = dict[str, Any]


class CardShape(msgspec.Struct, frozen=True):
    """`number` cards of a vendor, of each `memory` MiB, or `percentage` of it where that is 0, and `cores`.

    `pods` are the uids of those that ask for it.
    """

    vendor: str
    number: int
    memory: int
    percentage: int
    cores: int
    pods: list[str]


def card_shapes(settings: Configuration, pods: Iterable[Object]) -> list[CardShape]:
    """Return what pods ask for of the cards that a HAMi with these settings deals out.

    A pod's containers count together, with as much of each card as the first one that asks for any; an init
    container that asks for more counts in their place.
    """
    vendors = reading_vendors(settings)
    found: dict[tuple[str, int, int, int, int], list[str]] = {}
    for pod in pods:
        for shape in _shapes(pod, vendors):
            found.setdefault(shape, []).append(str(pod["metadata"]["uid"]))
    return [CardShape(*shape, uids) for shape, uids in found.items()]


def _shapes(pod: Object, vendors: Vendors) -> Iterator[tuple[str, int, int, int, int]]:
    for vendor, parts in asked_by(pod, vendors).items():
        yield vendor, sum(one.nums for one in parts), *_of_each(parts)


def _of_each(parts: Iterable[Request]) -> tuple[int, int, int]:
    first = next(iter(parts))
    return first.memory, 0 if first.percentage == ALL_MEMORY_UNSET else first.percentage, first.cores
