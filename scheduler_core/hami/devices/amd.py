"""AMD: by number and memory; cores are a share of a card's compute units.

Source: HAMi v2.10.0 pkg/device/amd/device.go.
"""

from __future__ import annotations

from collections.abc import Sequence

from scheduler_core.go.arithmetic import int32
from scheduler_core.hami.configuration.settings import SharedSettings
from scheduler_core.hami.devices.vendor import Refused, Vendor
from scheduler_core.hami.rules.cards import Allocated, Request, Taken, Usage
from scheduler_core.hami.rules.constants import (
    CARD_INSUFFICIENT_CORE,
    CARD_INSUFFICIENT_MEMORY,
    CARD_NOT_HEALTHY,
    CARD_TYPE_MISMATCH,
    CARD_UUID_MISMATCH,
)
from scheduler_core.hami.rules.fit import Fit, slot_reason, take_first
from scheduler_core.hami.rules.handshake import Health, NodeCheck
from scheduler_core.hami.rules.numbers import MAX_INT32, quotient
from scheduler_core.hami.rules.pod_request import Ask, NodeInfo, Object, accepts_ids, accepts_types, limit_of
from scheduler_core.objects.amounts.go_quantity import as_int64

KEY = "AMD"
_USE_TYPE, _AVOID_TYPE = "amd.com/use-gputype", "amd.com/nouse-gputype"
_USE_ID, _AVOID_ID = "amd.com/use-gpu-uuid", "amd.com/nouse-gpu-uuid"


class Amd(Vendor):
    """AMD's cards."""

    key = KEY
    to_allocate = "hami.io/amd-devices-to-allocate"
    allocated = "hami.io/amd-devices-allocated"
    register = forgotten = "hami.io/node-amd-register"
    locks = True
    reads = (_USE_TYPE, _AVOID_TYPE, _USE_ID, _AVOID_ID)
    id_keys = (_USE_ID, _AVOID_ID)
    type_keys = (_USE_TYPE, _AVOID_TYPE)

    def __init__(self, settings: SharedSettings) -> None:
        self.count_name = settings.resource_count_name
        self.memory_name = settings.resource_memory_name
        self.core_name = settings.resource_core_name

    def mutate(self, container: Object, pod: Object) -> bool:
        if limit_of(container, self.count_name) is not None:
            text = limit_of(container, self.core_name)
            if text is not None and not 1 <= (as_int64(text) or 0) <= 100:
                raise Refused(f"{self.core_name} must be an integer percentage between 1 and 100")
            return True
        return any(
            name and limit_of(container, name) is not None for name in (self.memory_name, self.core_name)
        )

    def health(self, check: NodeCheck) -> Health:
        if self.count_name and not check.capacity(self.count_name):
            return Health(False, False)
        return Health(True, True)

    def request(self, container: Object) -> Request | None:
        limits = (limit_of(container, name) for name in (self.count_name, self.memory_name, self.core_name))
        count, memory, cores = limits
        numbers = [
            None if count is None else as_int64(count),
            0 if memory is None else as_int64(memory),
            100 if cores is None else as_int64(cores),
        ]
        if any(number is None or not 0 <= number <= MAX_INT32 for number in numbers):
            return None
        nums, mebibytes, share = (number or 0 for number in numbers)
        return self.ask(nums, mebibytes, 0, share) if nums and 1 <= share <= 100 else None

    def fit(
        self, cards: Sequence[Usage], request: Request, ask: Ask, node: NodeInfo, allocated: Allocated
    ) -> Fit:
        rules = _Rules(request, ask)
        return take_first(cards, request.nums, rules.why, rules.take)


class _Rules:
    def __init__(self, request: Request, ask: Ask) -> None:
        self._request, self._mutex = request, ask.mutex
        self._accepts_type = accepts_types(ask.annotations, _USE_TYPE, _AVOID_TYPE)
        self._accepts_id = accepts_ids(ask.annotations, _USE_ID, _AVOID_ID)

    def why(self, usage: Usage) -> str:
        """Return why a card can't be had."""
        card = usage.card
        if not usage.health:
            return CARD_NOT_HEALTHY
        if self._accepts_type is not None and not self._accepts_type(card.type):
            return CARD_TYPE_MISMATCH
        if self._accepts_id is not None and not self._accepts_id(card.id):
            return CARD_UUID_MISMATCH
        reason = slot_reason(usage, self._mutex)
        if not reason and usage.memory_left < self._memory(usage):
            reason = CARD_INSUFFICIENT_MEMORY
        if not reason and (card.cores <= 0 or usage.cores_left < self._cores(usage)):
            reason = CARD_INSUFFICIENT_CORE
        return reason

    def take(self, usage: Usage) -> Taken:
        """Return the card as the container gets it, under its model's name."""
        card = usage.card
        return Taken(card.index, card.id, card.type, self._memory(usage), self._cores(usage))

    def _memory(self, usage: Usage) -> int:
        return self._request.memory or max(usage.card.memory, 0)

    def _cores(self, usage: Usage) -> int:
        share = quotient(int32(usage.card.cores * self._request.cores), 100)
        return min(max(share, 1), usage.card.cores)
