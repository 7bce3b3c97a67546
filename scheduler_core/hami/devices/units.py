"""Amounts of a container and of a node that several vendors read alike."""

from __future__ import annotations

from typing import Any

from scheduler_core.go.arithmetic import int32
from scheduler_core.hami.devices.vendor import NoCards, Vendor
from scheduler_core.hami.rules.cards import Card
from scheduler_core.hami.rules.handshake import NodeCheck
from scheduler_core.hami.rules.numbers import MAX_INT32, quotient
from scheduler_core.hami.rules.pod_request import Object, amount_of
from scheduler_core.objects.amounts.go_quantity import as_int64


def memory_in_units(container: Object, name: str, unit: int) -> int | None:
    """Return the MiB that a container asks for in units, 0 by default, None where they can't be read."""
    text = amount_of(container, name)
    if text is None:
        return 0
    units = as_int64(text)
    return None if units is None or not 0 <= units <= MAX_INT32 // unit else units * unit


def optional_int(text: Any, default: int) -> int:
    """Return an amount as an integer, `default` where there is none or it is no whole number."""
    number = None if text is None else as_int64(text)
    return default if number is None else number


def cards_of_cores(vendor: Vendor, check: NodeCheck, word: str, cores_of_card: int) -> tuple[Card, ...]:
    """Return a node's cards by its capacity in cores, of which each card has so many; memory is shared alike.

    `word` names the cards. Raises NoCards.
    """
    cores = check.capacity(vendor.core_name)
    if not cores:
        raise NoCards(f"device not found {vendor.core_name}")
    units = check.capacity(vendor.memory_name) or 0
    memory = int32(quotient(units * vendor.units * cores_of_card, cores))
    count = max(-(-cores // cores_of_card), 0)
    return tuple(
        Card(f"{check.name}-{word}-{index}", index, 100, memory, cores_of_card, vendor.key)
        for index in vendor.numbered(count)
    )
