"""What the pods of a run ask of HAMi's cards, as shapes: so many cards of a vendor, so much of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from scheduler_core.hami.asked import asked_by
from scheduler_core.hami.cards import ALL_MEMORY_UNSET, Request
from scheduler_core.hami.devices.table import Vendors, reading_vendors
from scheduler_core.objects.kinds import POD, kind_of
from scheduler_core.world.preparation import Prepared, prepare
from scheduler_core.world.run_input import RunInput
from scheduler_core.world.schedulers import hami_settings

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


def card_shapes(run_input: RunInput) -> list[CardShape]:
    """Return what the pods of a run ask for, also of those that come in it. Raises BadInput.

    A pod's containers count together, with as much of each card as the first one that asks for any; an init
    container that asks for more counts in their place.
    """
    settings = hami_settings(run_input)
    if settings is None:
        return []
    vendors = reading_vendors(settings)
    found: dict[tuple[str, int, int, int, int], list[str]] = {}
    for pod in pods_of(run_input):
        for shape in _shapes(pod, vendors):
            found.setdefault(shape, []).append(str(pod["metadata"]["uid"]))
    return [CardShape(*shape, pods) for shape, pods in found.items()]


def pods_of(run_input: RunInput) -> list[Object]:
    """Return the pods of a run's start and those that come in it, as they are let in. Raises BadInput."""
    return pods_let_in(prepare(run_input))


def pods_let_in(prepared: Prepared) -> list[Object]:
    """Return the pods that a play begins with and those that come in it, as they are let in.

    Those that HAMi's webhook refuses ask for nothing: in a cluster they would not be there.
    """
    pods = [item for item in [*prepared.objects, *prepared.later] if kind_of(item) == POD]
    return [pod for pod in pods if pod["metadata"]["uid"] not in prepared.refused]


def _shapes(pod: Object, vendors: Vendors) -> Iterator[tuple[str, int, int, int, int]]:
    for vendor, parts in asked_by(pod, vendors).items():
        yield vendor, sum(one.nums for one in parts), *_of_each(parts)


def _of_each(parts: Iterable[Request]) -> tuple[int, int, int]:
    first = next(iter(parts))
    return first.memory, 0 if first.percentage == ALL_MEMORY_UNSET else first.percentage, first.cores
