"""Ascend NPUs: cut by templates, or shared softly by hami-core; modules and networks of the 910 family.

Source: HAMi v2.10.0 pkg/device/ascend/device.go, vnpu.go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec

from scheduler_core.hami.configuration.settings import NpuSettings, NpusSettings
from scheduler_core.hami.devices.vendor import Annotations, Refused, Vendor
from scheduler_core.hami.rules.cards import Allocated, Card, Request, Taken, Usage
from scheduler_core.hami.rules.constants import MODE_NOT_FIT, TOO_FEW_CARDS
from scheduler_core.hami.rules.containers import LIMITS, REQUESTS, add_env, has_request, set_amount
from scheduler_core.hami.rules.fit import ALL_CORES, Fit, SharedCards, refuse, take_all, take_first, too_few
from scheduler_core.hami.rules.numbers import MAX_INT32, float32, go_decimal
from scheduler_core.hami.rules.pod_request import (
    Ask,
    NodeInfo,
    Object,
    accepts_ids,
    amount_of,
    annotations_of,
    limit_of,
)
from scheduler_core.hami.rules.times import unix
from scheduler_core.objects.amounts.go_quantity import as_int64, whole

_FAMILY_910, _MODULES = "Ascend910", "Ascend910C"
_NPUS_OF_MODULE = 2
_NETWORK_WEIGHT = 10
_MODE, _HAMI_CORE = "huawei.com/vnpu-mode", "hami-core"
_NODE_SHARES = "hami-vnpu-core"
_NETWORK = "NetworkID"


class Ascend(Vendor):
    """One model of Ascend NPUs."""

    locks = True
    node_reads = (_NODE_SHARES,)
    mode_key = _MODE

    def __init__(self, settings: NpuSettings, hami_core: bool) -> None:
        word = settings.common_word
        self.key = word
        self.settings = settings
        self.count_name = settings.resource_name
        self.memory_name = settings.resource_memory_name
        self.core_name = settings.resource_core_name
        self.units = settings.memory_factor
        self.to_allocate = f"hami.io/{word}-devices-to-allocate"
        self.allocated = f"hami.io/{word}-devices-allocated"
        self.register = f"hami.io/node-register-{word}"
        self.handshake = self.forgotten = f"hami.io/node-handshake-{word}"
        self.use_ids, self.avoid_ids = f"hami.io/use-{word}-uuid", f"hami.io/no-use-{word}-uuid"
        self.id_keys = (self.use_ids, self.avoid_ids)
        self.reads = (*self.id_keys, _MODE)
        self._shares = hami_core
        self._templates = sorted(settings.templates, key=lambda template: template.memory)

    # -- webhook -------------------------------------------------------------------------------------

    def mutate(self, container: Object, pod: Object) -> bool:
        settings, limit = self.settings, limit_of(container, self.count_name)
        if limit is None:
            if settings.overwrite_env:
                add_env(container, "ASCEND_VISIBLE_DEVICES", "")
            return False
        self._complete_module(container, whole(limit))
        shares = annotations_of(pod).get(_MODE) == _HAMI_CORE
        cores = amount_of(container, self.core_name) if self.core_name else None
        if not shares and cores is not None and whole(cores) > 0:
            raise Refused(f"{self.core_name} is only supported in hami-core (soft split) mode")
        memory = self._memory_to_give(container, shares)
        if whole(limit) > 1 and not shares and memory != settings.memory_allocatable:
            raise Refused("vNPU not supported for multiple devices")
        for part in (LIMITS, REQUESTS):
            set_amount(container, part, self.memory_name, go_decimal(memory))
        if settings.runtime_class_name and pod["spec"].get("runtimeClassName") is None:
            pod["spec"]["runtimeClassName"] = settings.runtime_class_name
        return True

    def _complete_module(self, container: Object, count: int) -> None:
        """Give whole modules: one NPU becomes two."""
        if self.key != _MODULES or not self.settings.super_pod:
            return
        if count == 1:
            set_amount(container, LIMITS, self.count_name, str(_NPUS_OF_MODULE))
            if has_request(container, self.count_name):
                set_amount(container, REQUESTS, self.count_name, str(_NPUS_OF_MODULE))
        elif count % _NPUS_OF_MODULE:
            raise Refused(f"Ascend910C device request must be 1 or 2*n, got {count}")

    def _memory_to_give(self, container: Object, shares: bool) -> int:
        limit = limit_of(container, self.memory_name)
        if limit is None:
            return self.settings.memory_allocatable
        if shares:
            return whole(limit)
        memory = self._trim(whole(limit))[0]
        if memory <= 0:
            raise Refused(f"{self.memory_name} {whole(limit)} is invalid")
        return memory

    def _trim(self, memory: int) -> tuple[int, str]:
        """Return the memory that is given for so much, and the template's name; empty for a whole NPU."""
        for template in self._templates:
            if memory <= template.memory:
                return template.memory, template.name
        return (self.settings.memory_allocatable if memory <= self.settings.memory_capacity else 0), ""

    # -- requests ------------------------------------------------------------------------------------

    def request(self, container: Object) -> Request | None:
        count, memory = self.count(container), self._memory_of(container)
        if count is None or not 0 < count <= MAX_INT32 or memory is None:
            return None
        text = amount_of(container, self.core_name) if self.core_name else None
        cores = 0 if text is None else whole(text)
        if not 0 <= cores <= MAX_INT32:
            return None
        return self.ask(count, memory, 0 if memory else 100, cores)

    def _memory_of(self, container: Object) -> int | None:
        text = amount_of(container, self.memory_name)
        if text is None:
            return 0
        if whole(text) < 0:
            return None
        memory = as_int64(text)
        if memory is None:
            return 0
        scaled = memory * max(self.units, 1)
        return None if memory > MAX_INT32 or scaled > MAX_INT32 else scaled

    # -- fit -----------------------------------------------------------------------------------------

    def fit(
        self, cards: Sequence[Usage], request: Request, ask: Ask, node: NodeInfo, allocated: Allocated
    ) -> Fit:
        shares = _shares_softly(ask)
        if shares and not self._node_shares(node):
            return refuse(MODE_NOT_FIT, len(cards))
        rules = _Rules(request, ask, accepts_ids(ask.annotations, self.use_ids, self.avoid_ids), self)
        by_module = request.type == _MODULES and request.nums > 1
        by_network = self.key.startswith(_FAMILY_910) and all(
            _NETWORK in usage.card.custom for usage in cards
        )
        if not by_module and not by_network:
            return take_first(cards, request.nums, rules.why, rules.take)
        taken, reasons = take_all(cards, rules.why, rules.take)
        if by_module:
            chosen = _whole_modules(taken, request.nums)
            if len(chosen) == request.nums:
                return Fit(chosen)
            reasons[TOO_FEW_CARDS] = len(chosen)
            return too_few((), reasons, request.nums)
        if len(taken) < request.nums:
            return too_few(taken, reasons, len(cards))
        if len(taken) == request.nums or request.nums == 1:
            return Fit(taken[: request.nums])
        return Fit(_by_network(taken, request.nums))

    def all_cores(self, card: Card, ask: Ask) -> int:
        return ALL_CORES if _shares_softly(ask) else card.cores

    def _node_shares(self, node: NodeInfo) -> bool:
        text = node.annotations.get(_NODE_SHARES)
        return self._shares if text is None else text == "true"

    def node_score(
        self, node: NodeInfo, pieces: list[list[Taken]], before: Sequence[Usage], policy: str
    ) -> float:
        """Return ten times the share of the largest network, summed over containers."""
        if not self.key.startswith(_FAMILY_910):
            return 0.0
        score = 0.0
        for piece in filter(None, pieces):
            if any(_NETWORK not in (taken.custom or {}) for taken in piece):
                return 0.0
            networks = Counter(_networks(piece))
            if networks:
                share = float32(max(networks.values()) / networks.total())
                score = float32(score + share)
        return float32(score * _NETWORK_WEIGHT)

    # -- telling -------------------------------------------------------------------------------------

    def annotate(self, ask: Ask, annotations: Annotations, pieces: list[list[Taken]], now: int) -> None:
        super().annotate(ask, annotations, pieces, now)
        annotations["predicate-time"] = unix(now)
        shares = _shares_softly(ask)
        infos = [self._runtime_info(taken, shares) for piece in pieces for taken in piece]
        annotations[f"huawei.com/{self.key}"] = msgspec.json.encode(infos or None).decode()

    def _runtime_info(self, taken: Taken, shares: bool) -> dict[str, Any]:
        temp = "" if shares else self._trim(taken.memory)[1]
        info = {"UUID": taken.id, "temp": temp, "memory": taken.memory, "core": taken.cores}
        return {key: value for key, value in info.items() if value}


class _Rules(SharedCards):
    def __init__(self, request: Request, ask: Ask, accepts_id: Any, vendor: Ascend) -> None:
        super().__init__(request, ask, accepts_id)
        self._ask = ask
        self._vendor = vendor

    def all_cores(self, usage: Usage) -> int:
        return self._vendor.all_cores(usage.card, self._ask)

    def take(self, usage: Usage) -> Taken:
        taken = super().take(usage)
        taken.custom = usage.card.custom
        return taken


def _shares_softly(ask: Ask) -> bool:
    return ask.annotations.get(_MODE) == _HAMI_CORE


def _networks(taken: Sequence[Taken]) -> list[int]:
    found = ((one.custom or {}).get(_NETWORK) for one in taken)
    return [int(network) for network in found if isinstance(network, int | float)]


def _by_network(taken: list[Taken], wanted: int) -> list[Taken]:
    """Return NPUs from the network that has most of them downwards."""
    networks: dict[int, list[Taken]] = {}
    for one in taken:
        for network in _networks([one]):
            networks.setdefault(network, []).append(one)
    largest_first = sorted(networks.values(), key=len, reverse=True)
    return [one for network in largest_first for one in network][:wanted]


def _whole_modules(taken: list[Taken], wanted: int) -> list[Taken]:
    """Return NPUs of modules that are free as a whole."""
    modules: dict[int, list[Taken]] = {}
    for one in taken:
        modules.setdefault(one.index // _NPUS_OF_MODULE, []).append(one)
    free = [module for module in modules.values() if len(module) == _NPUS_OF_MODULE]
    needed = -(-wanted // _NPUS_OF_MODULE)
    return [one for module in free[:needed] for one in module]


def ascend_vendors(settings: NpusSettings) -> list[Ascend]:
    """Return a vendor for each model that is configured."""
    return [Ascend(chip, settings.hami_vnpu_core) for chip in settings.configs]
