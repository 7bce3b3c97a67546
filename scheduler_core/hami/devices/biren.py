"""Biren: cards that are counted.

Source: HAMi v2.10.0 pkg/device/biren/device.go.
"""

from __future__ import annotations

from collections.abc import Sequence

from scheduler_core.hami.devices.counted import CountedCards, CountedVendor
from scheduler_core.hami.rules.cards import Allocated, Request, Usage
from scheduler_core.hami.rules.fit import Fit, take_first
from scheduler_core.hami.rules.pod_request import Ask, NodeInfo, accepts_ids

_USE_ID, _AVOID_ID = "birentech.com/use-gpuuuid", "birentech.com/nouse-gpuuuid"


class Biren(CountedVendor):
    """Biren's cards."""

    key = "Biren"
    to_allocate = "hami.io/Biren-devices-to-allocate"
    allocated = "hami.io/Biren-devices-allocated"
    register = "hami.io/node-biren-register"
    handshake = forgotten = "hami.io/node-handshake-biren"
    locks = True
    reads = id_keys = (_USE_ID, _AVOID_ID)

    def fit(
        self, cards: Sequence[Usage], request: Request, ask: Ask, node: NodeInfo, allocated: Allocated
    ) -> Fit:
        rules = CountedCards(request, ask, accepts_ids(ask.annotations, _USE_ID, _AVOID_ID))
        return take_first(cards, request.nums, rules.why, rules.take)
