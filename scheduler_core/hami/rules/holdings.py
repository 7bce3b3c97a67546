"""What a pod holds of its cards, all its containers together.

Source: HAMi v2.10.0 pkg/device/initContainer.go.
"""

from __future__ import annotations

from collections.abc import Sequence

from scheduler_core.go.arithmetic import int32
from scheduler_core.hami.rules.cards import Allocated, Holding, Taken
from scheduler_core.schedulers.card_tables import Held


class _Sum:
    __slots__ = ("cores", "memory", "slots")

    def __init__(self) -> None:
        self.memory = self.cores = self.slots = 0


def collapse(devices: Allocated, init_count: int) -> Holding:
    """Return what a pod holds while its init containers may run: their maximum or the others' sum, by card.

    Init containers are told by their place in the vendor's list, as HAMi does, even where containers
    without cards are missing in it.
    """
    return {vendor: _held(pieces[:init_count], pieces[init_count:]) for vendor, pieces in devices.items()}


def without_init_containers(devices: Allocated, init_count: int) -> Holding:
    """Return what a pod holds once its init containers are done."""
    return {vendor: _held((), pieces[init_count:]) for vendor, pieces in devices.items()}


def _once(taken: Taken) -> Held:
    """Return what a pod holds of a card that one container alone was given."""
    return Held(taken.id, max(int32(taken.memory), 0), max(int32(taken.cores), 0), 1)


def _held(init: Sequence[list[Taken]], others: Sequence[list[Taken]]) -> list[Held]:
    given = [taken for piece in others for taken in piece]
    if not init and len({taken.id for taken in given}) == len(given):
        return [_once(taken) for taken in sorted(given, key=lambda taken: taken.id)]
    peaks: dict[str, _Sum] = {}
    for taken in (taken for piece in init for taken in piece):
        peak = peaks.setdefault(taken.id, _Sum())
        peak.memory, peak.cores = max(peak.memory, taken.memory), max(peak.cores, taken.cores)
        peak.slots = 1
    sums: dict[str, _Sum] = {}
    for taken in given:
        total = sums.setdefault(taken.id, _Sum())
        total.memory, total.cores = int32(total.memory + taken.memory), int32(total.cores + taken.cores)
        total.slots += 1
    none = _Sum()
    held = []
    for card in sorted(peaks.keys() | sums.keys()):
        peak, total = peaks.get(card, none), sums.get(card, none)
        memory, cores = max(peak.memory, total.memory), max(peak.cores, total.cores)
        held.append(Held(card, memory, cores, max(peak.slots, total.slots)))
    return held
