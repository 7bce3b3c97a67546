"""Kunlun's shared XPUs: by memory, in three sizes, connected as whole ones.

Source: HAMi v2.10.0 pkg/device/kunlun/vdevice.go.
"""

from __future__ import annotations

from collections.abc import Sequence

from scheduler_core.go.arithmetic import int32
from scheduler_core.hami.configuration.settings import KunlunSettings
from scheduler_core.hami.devices.kunlun_wings import MEMORY_OF_CARD, KunlunIds, select_cards
from scheduler_core.hami.devices.vendor import Vendor
from scheduler_core.hami.rules.cards import Allocated, Request, Taken, Usage
from scheduler_core.hami.rules.constants import CARD_UUID_MISMATCH, EXCLUSIVE_CONFLICT, NUMA_NOT_FIT
from scheduler_core.hami.rules.containers import LIMITS, REQUESTS, set_amount
from scheduler_core.hami.rules.fit import Fit, refuse
from scheduler_core.hami.rules.numbers import go_decimal, quotient
from scheduler_core.hami.rules.pod_request import Ask, NodeInfo, Object, amount_of, limit_of
from scheduler_core.objects.amounts.go_quantity import as_int64, whole

KEY = "XPU"
_SIZES = (24_576, 49_152)


class Xpu(Vendor):
    """Kunlun's shared XPUs."""

    key = KEY
    to_allocate = "hami.io/xpu-devices-to-allocate"
    allocated = "hami.io/xpu-devices-allocated"
    register = "hami.io/node-register-xpu"
    handshake = forgotten = "hami.io/node-handshake-xpu"
    locks = True
    reads = id_keys = KunlunIds.reads

    def __init__(self, settings: KunlunSettings) -> None:
        self.count_name = settings.resource_v_count_name
        self.memory_name = settings.resource_v_memory_name

    def mutate(self, container: Object, pod: Object) -> bool:
        if limit_of(container, self.count_name) is None:
            return False
        memory = limit_of(container, self.memory_name)
        if memory is not None:
            for part in (LIMITS, REQUESTS):
                set_amount(container, part, self.memory_name, go_decimal(_size(whole(memory))))
        return True

    def request(self, container: Object) -> Request | None:
        count = self.count(container)
        if count is None:
            return None
        text = amount_of(container, self.memory_name)
        asked = None if text is None else as_int64(text)
        if asked is None:
            return self.ask(count, MEMORY_OF_CARD, 100, 100)
        memory = _size(asked)
        return self.ask(count, memory, 0, memory * 100 // MEMORY_OF_CARD)

    def fit(
        self, cards: Sequence[Usage], request: Request, ask: Ask, node: NodeInfo, allocated: Allocated
    ) -> Fit:
        ids = KunlunIds(ask)
        fitting = [_fits(usage, request) for usage in cards]
        usable = [fits and not (ask.mutex and usage.used) for usage, fits in zip(cards, fitting, strict=True)]
        chosen = select_cards(cards, request.nums, ids.narrow(cards, usable))
        if chosen:
            return Fit(
                [
                    Taken(usage.card.index, usage.card.id, KEY, request.memory, request.cores)
                    for usage in chosen
                ]
            )
        in_use = sum(fits and usage.used > 0 for usage, fits in zip(cards, fitting, strict=True))
        if ask.mutex and in_use:
            return refuse(EXCLUSIVE_CONFLICT, len(cards), in_use)
        if ids.excluded:
            return refuse(CARD_UUID_MISMATCH, len(cards), ids.excluded)
        return refuse(NUMA_NOT_FIT, len(cards))


def _size(memory: int) -> int:
    """Return the size of share that so many MiB are rounded up to."""
    return next((size for size in _SIZES if memory <= size), MEMORY_OF_CARD)


def _fits(usage: Usage, request: Request) -> bool:
    """Tell whether a card has room, and no pods of another size."""
    if not usage.health or int32(request.memory + usage.memory) > usage.card.memory:
        return False
    return usage.used == 0 or quotient(usage.memory, usage.used) == request.memory
