"""Enflame's cards cut by profiles (DRS): asked for by slices, or by memory and cores.

Source: HAMi v2.10.0 pkg/device/enflame/device.go.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from scheduler_core.go.parse import parse_int
from scheduler_core.hami.configuration.settings import EnflameSettings
from scheduler_core.hami.devices.drs import Profile, Spec, choose_profile, read_spec
from scheduler_core.hami.devices.vendor import Annotations, NoCards, Refused, Vendor
from scheduler_core.hami.rules.cards import Allocated, Card, Request, Taken, Usage
from scheduler_core.hami.rules.constants import (
    CARD_INSUFFICIENT_CORE,
    CARD_INSUFFICIENT_MEMORY,
    CARD_NOT_HEALTHY,
    CARD_UUID_MISMATCH,
    MODE_NOT_FIT,
)
from scheduler_core.hami.rules.containers import complete_amounts
from scheduler_core.hami.rules.fit import ALL_CORES, Fit, refuse, slot_reason, take_first
from scheduler_core.hami.rules.handshake import NodeCheck
from scheduler_core.hami.rules.numbers import MAX_INT32
from scheduler_core.hami.rules.pod_request import (
    Ask,
    NodeInfo,
    Object,
    accepts_ids,
    all_containers,
    amount_of,
)
from scheduler_core.objects.amounts.go_quantity import whole

KEY = "Enflame"
BY_SLICES, BY_SIZE = 0, -1
"""What the percentage of a request says here: in which of the two ways it asks."""
_CAPACITY = "enflame.com/gcu-drs-capacity"
_USE_ID, _AVOID_ID = "enflame.com/use-gpuuuid", "enflame.com/nouse-gpuuuid"


class Enflame(Vendor):
    """Enflame's cards in slices."""

    key = KEY
    allocated = "hami.io/enflame-vgpu-devices-allocated"
    also_registered = (_CAPACITY,)
    reads = id_keys = (_USE_ID, _AVOID_ID)

    def __init__(self, settings: EnflameSettings) -> None:
        self.count_name = (
            settings.resource_name_drs_gcu or settings.resource_name_v_gcu or "enflame.com/drs-gcu"
        )
        self.memory_name = settings.resource_name_memory or "enflame.com/gcu-memory"
        self.core_name = settings.resource_name_core or "enflame.com/gcu-core"

    # -- webhook -------------------------------------------------------------------------------------

    def mutate(self, container: Object, pod: Object) -> bool:
        slices = amount_of(container, self.count_name)
        if slices is not None:
            if whole(slices) <= 0:
                raise Refused(f"{self.count_name} must be greater than 0")
            complete_amounts(container, self.count_name)
            return True
        memory, cores = amount_of(container, self.memory_name), amount_of(container, self.core_name)
        if memory is not None and whole(memory) <= 0:
            raise Refused(f"{self.memory_name} must be greater than 0")
        if cores is not None and not 0 < whole(cores) <= ALL_CORES:
            raise Refused(f"{self.core_name} must be in range (0,100]")
        for name, amount in ((self.memory_name, memory), (self.core_name, cores)):
            if amount is not None:
                complete_amounts(container, name)
        return memory is not None or cores is not None

    # -- registration --------------------------------------------------------------------------------

    def cards(self, check: NodeCheck) -> tuple[Card, ...]:
        text = check.annotations.get(_CAPACITY)
        spec = None if text is None else read_spec(text)
        if spec is None or not spec.cards:
            raise NoCards(f"no drs devices found on node {check.name}")
        return tuple(_card(check.name, spec, place) for place in range(len(spec.cards)))

    # -- requests ------------------------------------------------------------------------------------

    def request(self, container: Object) -> Request | None:
        slices = self.count(container)
        if slices is not None and slices > 0:
            return None if slices > MAX_INT32 else self.ask(1, slices, BY_SLICES, 0)
        memory, cores = amount_of(container, self.memory_name), amount_of(container, self.core_name)
        if memory is None and cores is None:
            return None
        amounts = [0 if text is None else whole(text) for text in (memory, cores)]
        return None if max(amounts) > MAX_INT32 else self.ask(1, amounts[0], BY_SIZE, amounts[1])

    # -- fit -----------------------------------------------------------------------------------------

    def fit(
        self, cards: Sequence[Usage], request: Request, ask: Ask, node: NodeInfo, allocated: Allocated
    ) -> Fit:
        by_size = request.percentage != BY_SLICES
        profile = choose_profile([usage.card.custom for usage in cards], request, by_size)
        if profile is None:
            return refuse(MODE_NOT_FIT, len(cards))
        rules = _Rules(profile, ask)
        return take_first(cards, request.nums, rules.why, rules.take)

    def charge(self, ask: Ask, usage: Usage, taken: Taken) -> str:
        """Note on a card how many of its slices are taken."""
        fault = super().charge(ask, usage, taken)
        usage.used += max(int((taken.custom or {}).get("slices", 1)), 1) - 1
        return fault

    # -- telling -------------------------------------------------------------------------------------

    def annotate(self, ask: Ask, annotations: Annotations, pieces: list[list[Taken]], now: int) -> None:
        super().annotate(ask, annotations, pieces, now)
        annotations["enflame.com/gcu-assigned"] = "false"
        annotations["enflame.com/gcu-assigned-time"] = str(now)
        names = [container.get("name", "") for container in all_containers(ask.pod)]
        assigned: dict[str, Any] = {}
        for number, piece in enumerate(pieces):
            if not piece:
                continue
            custom = piece[0].custom or {}
            name = names[number] if number < len(names) else f"container-{number}"
            assigned[name] = _assigned(custom)
            for key, value in (
                ("enflame.com/gcu-assigned-index", custom["index"]),
                ("enflame.com/gcu-assigned-id", custom["index"]),
                ("enflame.com/gcu-assigned-minor", custom["minor"]),
                ("enflame.com/gcu-request-size", str(custom["slices"])),
            ):
                if value:
                    annotations.setdefault(key, value)
        if assigned:
            ordered = dict(sorted(assigned.items()))
            annotations["assigned-containers"] = msgspec.json.encode(ordered).decode()


class _Rules:
    def __init__(self, profile: Profile, ask: Ask) -> None:
        self._profile, self._mutex = profile, ask.mutex
        self._memory = profile.memory * 1024
        self._accepts_id = accepts_ids(ask.annotations, _USE_ID, _AVOID_ID)

    def why(self, usage: Usage) -> str:
        """Return why a card can't be had."""
        card = usage.card
        if not usage.health:
            return CARD_NOT_HEALTHY
        if self._accepts_id is not None and not self._accepts_id(card.id):
            return CARD_UUID_MISMATCH
        reason = slot_reason(usage, self._mutex)
        if not reason and usage.memory_left < self._memory:
            reason = CARD_INSUFFICIENT_MEMORY
        if not reason and card.cores > 0 and usage.cores_left < self._profile.cores:
            reason = CARD_INSUFFICIENT_CORE
        return reason

    def take(self, usage: Usage) -> Taken:
        """Return the slice of a card as the container gets it."""
        card, profile = usage.card, self._profile
        carried = {
            "profile": profile.name,
            "profile_id": profile.id,
            "minor": card.custom.get("minor", ""),
            "index": card.custom.get("index", ""),
            "slices": profile.slices,
        }
        return Taken(card.index, card.id, KEY, self._memory, profile.cores, carried)


def _card(node: str, spec: Spec, place: int) -> Card:
    item = spec.cards[place]
    number = parse_int(item.index)
    index = place if number is None else number
    custom = {
        "minor": item.minor.strip() or str(index),
        "index": str(index),
        "profiles": dict(spec.profiles),
        "maxSlice": spec.slices,
    }
    memory = spec.memory * 1024
    return Card(f"{node}-enflame-drs-{index}", index, item.slots, memory, ALL_CORES, KEY, custom=custom)


def _assigned(custom: dict[str, Any]) -> dict[str, Any]:
    told: dict[str, Any] = {"allocated": False, "request": custom["slices"]}
    if custom["profile_id"]:
        told["profileID"] = custom["profile_id"]
    if custom["profile"]:
        told["profileName"] = custom["profile"]
    return told
