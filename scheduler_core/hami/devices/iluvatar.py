"""Iluvatar: one vendor for each model, memory in units of 256 MiB.

Source: HAMi v2.10.0 pkg/device/iluvatar/device.go.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scheduler_core.hami.configuration.settings import IluvatarSettings
from scheduler_core.hami.devices.units import memory_in_units, optional_int
from scheduler_core.hami.devices.vendor import Vendor
from scheduler_core.hami.rules.cards import Allocated, Request, Usage
from scheduler_core.hami.rules.containers import add_env, has_env, set_limit
from scheduler_core.hami.rules.fit import Fit, SharedCards, take_first
from scheduler_core.hami.rules.pod_request import Ask, NodeInfo, Object, accepts_ids, amount_of, limit_of
from scheduler_core.objects.amounts.go_quantity import whole

_UNIT = 256
_CORES_OF_CARD = 100
_NAME_VARIABLE = "SOL_CONTINER_NAME"
"""Spelt as the real one spells it."""


class Iluvatar(Vendor):
    """One model of Iluvatar's cards."""

    units = _UNIT
    as_line = True
    locks = True

    def __init__(self, settings: IluvatarSettings) -> None:
        word = settings.common_word
        self.key = word
        self.count_name = settings.resource_count_name
        self.memory_name = settings.resource_memory_name
        self.core_name = settings.resource_core_name
        self.to_allocate = f"hami.io/{word}-devices-to-allocate"
        self.allocated = f"hami.io/{word}-devices-allocated"
        self.register = f"hami.io/node-{word}-register"
        self.handshake = f"hami.io/node-handshake-{word}"
        self.use_ids, self.avoid_ids = f"hami.io/use-{word}-uuid", f"hami.io/no-use-{word}-uuid"
        self.reads = self.id_keys = (self.use_ids, self.avoid_ids)

    def mutate(self, container: Object, pod: Object) -> bool:
        limit = limit_of(container, self.count_name)
        if limit is None:
            return False
        if whole(limit) > 1:
            set_limit(container, self.core_name, whole(limit) * _CORES_OF_CARD)
        if container.get("name") and not has_env(container, _NAME_VARIABLE):
            add_env(container, _NAME_VARIABLE, container["name"])
        return True

    def request(self, container: Object) -> Request | None:
        count, memory = self.count(container), memory_in_units(container, self.memory_name, _UNIT)
        if count is None or memory is None:
            return None
        cores = optional_int(amount_of(container, self.core_name), 0)
        return self.ask(count, memory, 0 if memory else 100, cores)

    def fit(
        self, cards: Sequence[Usage], request: Request, ask: Ask, node: NodeInfo, allocated: Allocated
    ) -> Fit:
        rules = SharedCards(request, ask, accepts_ids(ask.annotations, self.use_ids, self.avoid_ids))
        return take_first(cards, request.nums, rules.why, rules.take)


def iluvatar_vendors(settings: Iterable[IluvatarSettings]) -> list[Iluvatar]:
    """Return a vendor for each model that is configured."""
    return [Iluvatar(chip) for chip in settings]
