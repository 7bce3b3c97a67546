"""Hygon DCU: by number, memory and cores.

Source: HAMi v2.10.0 pkg/device/hygon/device.go.
"""

from __future__ import annotations

from collections.abc import Sequence

from scheduler_core.hami.configuration.settings import HygonSettings
from scheduler_core.hami.devices.units import optional_int
from scheduler_core.hami.devices.vendor import Vendor
from scheduler_core.hami.rules.cards import Allocated, Request, Usage
from scheduler_core.hami.rules.fit import Fit, SharedCards, take_first, wrong_type
from scheduler_core.hami.rules.numbers import MAX_INT32
from scheduler_core.hami.rules.pod_request import Ask, NodeInfo, Object, accepts_ids, accepts_types, amount_of

_USE_TYPE, _AVOID_TYPE = "hygon.com/use-dcutype", "hygon.com/nouse-dcutype"
_USE_ID, _AVOID_ID = "hygon.com/use-gpuuuid", "hygon.com/nouse-gpuuuid"


class Hygon(Vendor):
    """Hygon's DCUs."""

    key = "DCU"
    to_allocate = "hami.io/dcu-devices-to-allocate"
    allocated = "hami.io/dcu-devices-allocated"
    register = "hami.io/node-dcu-register"
    as_line = True
    handshake = forgotten = "hami.io/node-handshake-dcu"
    locks = True
    reads = (_USE_TYPE, _AVOID_TYPE, _USE_ID, _AVOID_ID)
    id_keys = (_USE_ID, _AVOID_ID)
    type_keys = (_USE_TYPE, _AVOID_TYPE)

    def __init__(self, settings: HygonSettings) -> None:
        self.count_name = settings.resource_count_name
        self.memory_name = settings.resource_memory_name
        self.core_name = settings.resource_core_name
        self.units = settings.memory_factor

    def request(self, container: Object) -> Request | None:
        count = self.count(container)
        memory = optional_int(amount_of(container, self.memory_name), 0)
        cores = optional_int(amount_of(container, self.core_name), 100)
        scaled = memory * max(self.units, 1)
        if count is None or not 0 < count <= MAX_INT32:
            return None
        if memory < 0 or scaled > MAX_INT32 or not 0 <= cores <= MAX_INT32:
            return None
        return self.ask(count, scaled, 0 if scaled else 100, cores)

    def fit(
        self, cards: Sequence[Usage], request: Request, ask: Ask, node: NodeInfo, allocated: Allocated
    ) -> Fit:
        rules = _Rules(request, ask)
        return take_first(cards, request.nums, rules.why, rules.take)


class _Rules(SharedCards):
    def __init__(self, request: Request, ask: Ask) -> None:
        super().__init__(request, ask, accepts_ids(ask.annotations, _USE_ID, _AVOID_ID))
        self._accepts_type = accepts_types(ask.annotations, _USE_TYPE, _AVOID_TYPE)

    def wrong_kind(self, usage: Usage) -> str:
        return wrong_type(self._accepts_type is None or self._accepts_type(usage.card.type))
