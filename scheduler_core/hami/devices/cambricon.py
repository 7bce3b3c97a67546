"""Cambricon MLU: counted by the node's capacity, memory in units of 256 MiB, a lock of its own.

Source: HAMi v2.10.0 pkg/device/cambricon/device.go.
"""

from __future__ import annotations

from collections.abc import Sequence

from scheduler_core.go.arithmetic import int32
from scheduler_core.hami.configuration.settings import SharedSettings
from scheduler_core.hami.devices.units import cards_of_cores, memory_in_units, optional_int
from scheduler_core.hami.devices.vendor import Annotations, Vendor
from scheduler_core.hami.rules.cards import Allocated, Card, Request, Taken, Usage
from scheduler_core.hami.rules.constants import QUOTA_NOT_FIT
from scheduler_core.hami.rules.fit import Fit, SharedCards, take_first
from scheduler_core.hami.rules.handshake import NodeCheck
from scheduler_core.hami.rules.numbers import quotient
from scheduler_core.hami.rules.pod_request import Ask, NodeInfo, Object, accepts_ids, amount_of
from scheduler_core.hami.rules.quota import Quotas
from scheduler_core.hami.rules.quota_fit import within_quota
from scheduler_core.hami.rules.times import SECOND

KEY = "MLU"
_UNIT = 256
_CORES_OF_CARD = 100
_USE_ID, _AVOID_ID = "cambricon.com/use-gpuuuid", "cambricon.com/nouse-gpuuuid"


class Cambricon(Vendor):
    """Cambricon's MLUs."""

    key = KEY
    units = _UNIT
    to_allocate = "hami.io/cambricon-mlu-devices-to-allocate"
    allocated = "hami.io/cambricon-mlu-devices-allocated"
    locks = True
    own_lock = "cambricon.com/dsmlu.lock"
    own_lock_timeout = 120 * SECOND
    reads = id_keys = (_USE_ID, _AVOID_ID)

    def __init__(self, settings: SharedSettings, quotas: Quotas) -> None:
        self.count_name = settings.resource_count_name
        self.memory_name = settings.resource_memory_name
        self.core_name = settings.resource_core_name
        self.quotas = quotas

    def cards(self, check: NodeCheck) -> tuple[Card, ...]:
        return cards_of_cores(self, check, "cambricon-mlu", _CORES_OF_CARD)

    def request(self, container: Object) -> Request | None:
        count, memory = self.count(container), memory_in_units(container, self.memory_name, _UNIT)
        if count is None or memory is None:
            return None
        cores = optional_int(amount_of(container, self.core_name), _CORES_OF_CARD)
        return self.ask(count, memory, 0 if memory else 100, cores)

    def fit(
        self, cards: Sequence[Usage], request: Request, ask: Ask, node: NodeInfo, allocated: Allocated
    ) -> Fit:
        rules = _Rules(self, request, ask, allocated)
        return take_first(cards, request.nums, rules.why, rules.take)

    def annotate(self, ask: Ask, annotations: Annotations, pieces: list[list[Taken]], now: int) -> None:
        super().annotate(ask, annotations, pieces, now)
        annotations["CAMBRICON_DSMLU_ASSIGNED"] = "false"
        first = next((piece[0] for piece in pieces if piece), None)
        if first is not None:
            profile = f"{first.index}_{first.cores}_{quotient(first.memory, _UNIT)}"
            annotations["CAMBRICON_DSMLU_PROFILE"] = profile


class _Rules(SharedCards):
    def __init__(self, vendor: Cambricon, request: Request, ask: Ask, allocated: Allocated) -> None:
        super().__init__(request, ask, accepts_ids(ask.annotations, _USE_ID, _AVOID_ID))
        self._vendor, self._ask, self._allocated = vendor, ask, allocated
        self._limited = vendor.quotas.limits(ask.namespace, KEY)
        self._taken: list[Taken] = []

    def take(self, usage: Usage) -> Taken:
        taken = super().take(usage)
        self._taken.append(taken)
        return taken

    def over_quota(self, usage: Usage, memory: int) -> str:
        if not self._limited:
            return ""
        more = Taken(usage.card.index, usage.card.id, KEY, int32(memory), self.cores)
        pieces = [*self._allocated.get(KEY, ()), [*self._taken, more]]
        return "" if within_quota(self._vendor.quotas, self._ask, KEY, pieces) else QUOTA_NOT_FIT
