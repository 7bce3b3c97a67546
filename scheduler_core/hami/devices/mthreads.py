"""Moore Threads: counted by the node's capacity, memory in units of 512 MiB, 16 cores a card.

Source: HAMi v2.10.0 pkg/device/mthreads/device.go.
"""

from __future__ import annotations

from collections.abc import Sequence

from scheduler_core.go.arithmetic import int32
from scheduler_core.hami.configuration.settings import SharedSettings
from scheduler_core.hami.devices.one_card import OneCardPerPod
from scheduler_core.hami.devices.units import cards_of_cores, memory_in_units, optional_int
from scheduler_core.hami.devices.vendor import Annotations, Refused, Vendor
from scheduler_core.hami.rules.cards import Allocated, Card, Request, Taken, Usage
from scheduler_core.hami.rules.constants import ASSIGNED_NODE
from scheduler_core.hami.rules.containers import set_limit
from scheduler_core.hami.rules.fit import Fit, take_first
from scheduler_core.hami.rules.handshake import NodeCheck
from scheduler_core.hami.rules.numbers import MAX_INT32, quotient
from scheduler_core.hami.rules.pod_request import Ask, NodeInfo, Object, accepts_ids, amount_of, limit_of
from scheduler_core.objects.amounts.go_quantity import as_int64, whole

KEY = "Mthreads"
_UNIT = 512
_CORES_OF_CARD, _UNITS_OF_CARD = 16, 96
_LEGAL_UNITS = (2, 4, 8, 16, 32, 64, 96)
_USE_ID, _AVOID_ID = "mthreads.ai/use-gpuuuid", "mthreads.ai/nouse-gpuuuid"


class Mthreads(Vendor):
    """Moore Threads' cards."""

    key = KEY
    units = _UNIT
    allocated = "hami.io/mthreads-vgpu-devices-allocated"
    reads = id_keys = (_USE_ID, _AVOID_ID)

    def __init__(self, settings: SharedSettings) -> None:
        self.count_name = settings.resource_count_name
        self.memory_name = settings.resource_memory_name
        self.core_name = settings.resource_core_name

    def mutate(self, container: Object, pod: Object) -> bool:
        text = amount_of(container, self.count_name)
        if text is None:
            return False
        count = whole(text)
        if count <= 0:
            raise Refused(f"{self.count_name} must be greater than 0")
        memory = limit_of(container, self.memory_name)
        if count > 1 or memory is None:
            set_limit(container, self.core_name, count * _CORES_OF_CARD)
            set_limit(container, self.memory_name, count * _UNITS_OF_CARD)
        elif (as_int64(memory) or 0) not in _LEGAL_UNITS:
            legal = ", ".join(map(str, _LEGAL_UNITS))
            raise Refused(f"sGPU memory request value is invalid, valid values are [{legal}]")
        if count > 1:
            pod["metadata"].setdefault("annotations", {})["mthreads.com/request-gpu-num"] = str(count)
        return True

    def cards(self, check: NodeCheck) -> tuple[Card, ...]:
        return cards_of_cores(self, check, "mthreads", _CORES_OF_CARD)

    def request(self, container: Object) -> Request | None:
        count, memory = self.count(container), memory_in_units(container, self.memory_name, _UNIT)
        if count is None or not 0 < count <= MAX_INT32 or memory is None:
            return None
        cores = int32(optional_int(amount_of(container, self.core_name), 0))
        return self.ask(count, quotient(memory, count), 0 if memory else 100, quotient(cores, count))

    def fit(
        self, cards: Sequence[Usage], request: Request, ask: Ask, node: NodeInfo, allocated: Allocated
    ) -> Fit:
        rules = OneCardPerPod(request, ask, accepts_ids(ask.annotations, _USE_ID, _AVOID_ID), allocated)
        return take_first(cards, request.nums, rules.why, rules.take)

    def annotate(self, ask: Ask, annotations: Annotations, pieces: list[list[Taken]], now: int) -> None:
        super().annotate(ask, annotations, pieces, now)
        for piece in filter(None, pieces):
            annotations["mthreads.com/gpu-index"] = ",".join(str(taken.index) for taken in piece)
            annotations["mthreads.com/predicate-time"] = str(now)
            annotations["mthreads.com/predicate-node"] = annotations[ASSIGNED_NODE]
