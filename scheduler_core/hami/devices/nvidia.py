"""NVIDIA: memory, share of memory, cores, MIG, NUMA, topology, quotas.

Source: HAMi v2.10.0 pkg/device/nvidia/device.go.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations
from math import comb

from msgspec.structs import replace

from scheduler_core.go.arithmetic import int32
from scheduler_core.hami.configuration.settings import NvidiaSettings
from scheduler_core.hami.devices.mig import choose_slice
from scheduler_core.hami.devices.vendor import Annotations, Refused, UnreadableCards, Vendor
from scheduler_core.hami.rules.cards import ALL_MEMORY_UNSET, Allocated, Card, Request, Taken, Usage
from scheduler_core.hami.rules.constants import (
    CARD_CORDONED,
    CARD_NOT_HEALTHY,
    CARD_TYPE_MISMATCH,
    CARD_UUID_MISMATCH,
    MIG_ALLOCATIONS,
    MIG_INFEASIBLE,
    NUMA_BIND,
    NUMA_NOT_FIT,
    QUOTA_NOT_FIT,
)
from scheduler_core.hami.rules.containers import add_env, has_amount, set_limit
from scheduler_core.hami.rules.encoding import Unreadable, mig_text, read_pair_scores
from scheduler_core.hami.rules.fit import Fit, Reasons, SharedCards, too_few
from scheduler_core.hami.rules.handshake import Health, NodeCheck
from scheduler_core.hami.rules.numbers import MAX_INT32
from scheduler_core.hami.rules.pod_request import (
    Ask,
    NodeInfo,
    Object,
    accepts_ids,
    accepts_types,
    amount_of,
    limit_of,
)
from scheduler_core.hami.rules.quota import Quotas
from scheduler_core.hami.rules.quota_fit import within_quota
from scheduler_core.hami.rules.vendor_memory import Memory
from scheduler_core.hami.rules.watching import watcher
from scheduler_core.objects.amounts.go_quantity import as_int64, whole

KEY = "NVIDIA"
MIG_MODE, HAMI_CORE_MODE = "mig", "hami-core"
CORDON = "hami.io/device-cordon"
_PAIR_SCORES = "hami.io/node-nvidia-score"
_USE_TYPE, _AVOID_TYPE = "nvidia.com/use-gputype", "nvidia.com/nouse-gputype"
_USE_ID, _AVOID_ID = "nvidia.com/use-gpuuuid", "nvidia.com/nouse-gpuuuid"
_MODE = "nvidia.com/vgpu-mode"
_DEFAULT_CORE_POLICY = "default"
_MOST_COMBINATIONS = 1_000_000
"""Where there are more, the cards tried first are taken: the real one would go through them all."""


class Nvidia(Vendor):
    """NVIDIA's cards."""

    key = KEY
    to_allocate = "hami.io/vgpu-devices-to-allocate"
    allocated = "hami.io/vgpu-devices-allocated"
    register = "hami.io/node-nvidia-register"
    handshake = forgotten = "hami.io/node-handshake"
    locks = True
    reads = (_USE_TYPE, _AVOID_TYPE, _USE_ID, _AVOID_ID, _MODE, NUMA_BIND)
    id_keys = (_USE_ID, _AVOID_ID)
    type_keys = (_USE_TYPE, _AVOID_TYPE)
    mode_key = _MODE
    also_registered = (_PAIR_SCORES,)
    node_ids = (CORDON,)

    def __init__(self, settings: NvidiaSettings, quotas: Quotas, memory: Memory) -> None:
        self.settings = settings
        self.quotas = quotas
        self._memory = memory
        self.count_name = settings.resource_count_name
        self.memory_name = settings.resource_memory_name
        self.core_name = settings.resource_core_name
        self.share_name = settings.resource_memory_percentage_name
        self.units = settings.memory_factor

    # -- webhook -------------------------------------------------------------------------------------

    def mutate(self, container: Object, pod: Object) -> bool:
        settings = self.settings
        share = amount_of(container, self.share_name)
        if share is not None and not 0 <= whole(share) <= 100:
            raise Refused(
                f"invalid {self.share_name} value {whole(share)} in container {container.get('name', '')}: "
                "must be an integer between 0 and 100"
            )
        priority = limit_of(container, settings.resource_priority_name)
        if priority is not None:
            add_env(container, "CUDA_TASK_PRIORITY", str(whole(priority)))
        if settings.gpu_core_policy not in ("", _DEFAULT_CORE_POLICY):
            add_env(container, "GPU_CORE_UTILIZATION_POLICY", settings.gpu_core_policy)
        asks = self._complete_count(container)
        asks = self._complete_cores(container) or asks
        if asks and settings.runtime_class_name and pod["spec"].get("runtimeClassName") is None:
            pod["spec"]["runtimeClassName"] = settings.runtime_class_name
        if not asks and settings.overwrite_env:
            add_env(container, "NVIDIA_VISIBLE_DEVICES", "none")
        return asks

    def _complete_count(self, container: Object) -> bool:
        if limit_of(container, self.count_name) is not None:
            return True
        implied = (self.core_name, self.memory_name, self.share_name)
        if self.settings.default_gpu_num > 0 and any(
            limit_of(container, name) is not None for name in implied
        ):
            set_limit(container, self.count_name, self.settings.default_gpu_num)
            return True
        return False

    def _complete_cores(self, container: Object) -> bool:
        """Give a container with whole cards all their cores."""
        if not has_amount(container, self.count_name) or not self.core_name:
            return False
        if has_amount(container, self.core_name):
            return False
        share = amount_of(container, self.share_name)
        if whole(share) != 100 if share is not None else has_amount(container, self.memory_name):
            return False
        set_limit(container, self.core_name, 100)
        return True

    # -- registration --------------------------------------------------------------------------------

    def cards(self, check: NodeCheck) -> tuple[Card, ...]:
        cards = self.registered(check)
        text = check.annotations.get(_PAIR_SCORES)
        if text is None:
            return cards
        try:
            scores = read_pair_scores(text)
        except Unreadable as error:
            raise UnreadableCards(_PAIR_SCORES, str(error)) from None
        return tuple(replace(card, pair_scores=scores.get(card.id, {})) for card in cards)

    def health(self, check: NodeCheck) -> Health:
        """Return what the handshake says, unless the number of cards that pods may have has changed."""
        count_key, text_key = self._remembered(check.name)
        now, before = check.allocatable(self.count_name), self._memory.get(count_key) or 0
        hands = super().health(check)
        text, known = check.annotations.get(self.register, ""), self._memory.get(text_key) or ""
        if now == before == 0:
            return hands
        if now != before:
            self._memory.keep(count_key, now)
            self._memory.keep(text_key, text)
            return Health(True, True) if now else Health(False, hands.fresh)
        if text != known:
            self._memory.keep(text_key, text)
            return Health(hands.healthy, True)
        return hands

    def forget_node(self, name: str) -> None:
        """Forget what was known of a node that is gone."""
        for key in self._remembered(name):
            self._memory.forget(key)

    def _remembered(self, name: str) -> tuple[str, str]:
        return f"{KEY}/reported/{name}", f"{KEY}/register/{name}"

    # -- requests ------------------------------------------------------------------------------------

    def request(self, container: Object) -> Request | None:
        count = self.count(container)
        memory = self._memory_of(container)
        if count is None or memory is None:
            return None
        percentage = self._percentage_of(container)
        if percentage == ALL_MEMORY_UNSET and memory == 0:
            if self.settings.default_memory != 0:
                memory = self.settings.default_memory
            else:
                percentage = 100
        text = amount_of(container, self.core_name)
        cores = None if text is None else as_int64(text)
        return self.ask(count, memory, percentage, self.settings.default_cores if cores is None else cores)

    def _memory_of(self, container: Object) -> int | None:
        """Return the MiB that are asked for, None where they can't be read."""
        text = amount_of(container, self.memory_name)
        if text is None:
            return 0
        memory, units = as_int64(text), max(self.units, 1)
        return None if memory is None or not 0 <= memory <= MAX_INT32 // units else memory * units

    def _percentage_of(self, container: Object) -> int:
        text = amount_of(container, self.share_name)
        share = None if text is None else as_int64(text)
        return min(share, 100) if share is not None and share > 0 else ALL_MEMORY_UNSET

    # -- fit -----------------------------------------------------------------------------------------

    def fit(
        self, cards: Sequence[Usage], request: Request, ask: Ask, node: NodeInfo, allocated: Allocated
    ) -> Fit:
        walk = _Walk(self, request, ask, node, allocated)
        found = walk.through(cards)
        if found is not None:
            return found
        if ask.topology and len(walk.taken) >= request.nums:
            return Fit(_by_topology(walk.taken, request.nums, node))
        return too_few(walk.taken, walk.reasons, len(cards))

    def cuts(self, cards: Sequence[Usage], ask: Ask) -> bool:
        return MIG_MODE in ask.annotations.get(_MODE, MIG_MODE) and any(
            usage.card.mode == MIG_MODE for usage in cards
        )

    def charge(self, ask: Ask, usage: Usage, taken: Taken) -> str:
        if usage.card.mode == MIG_MODE:
            choice = choose_slice(usage.card.mig_profiles, usage.slices, taken.memory)
            if choice is None:
                return "MIG profile and placement allocation failed"
            profile, taken.slice = choice
            taken.memory, taken.cores = profile.memory, profile.core
            usage.slices.append(taken.slice)
        return super().charge(ask, usage, taken)

    def annotate(self, ask: Ask, annotations: Annotations, pieces: list[list[Taken]], now: int) -> None:
        super().annotate(ask, annotations, pieces, now)
        slices = mig_text(pieces)
        if slices is not None:
            annotations[MIG_ALLOCATIONS] = slices


class _Walk(SharedCards):
    """One walk over the cards of a node for one container."""

    def __init__(
        self, vendor: Nvidia, request: Request, ask: Ask, node: NodeInfo, allocated: Allocated
    ) -> None:
        super().__init__(request, ask, None)
        annotations = ask.annotations
        self.taken: list[Taken] = []
        self.reasons: Reasons = defaultdict(int)
        self._vendor, self._ask, self._allocated = vendor, ask, allocated
        self._collects = ask.topology
        self._numa = -1
        self._mode = annotations.get(_MODE)
        self._accepts_type = accepts_types(annotations, _USE_TYPE, _AVOID_TYPE) if annotations else None
        self._accepts_id = accepts_ids(annotations, _USE_ID, _AVOID_ID) if annotations else None
        self._cordoned = _cordoned(node)
        self._limited = vendor.quotas.limits(ask.namespace, KEY)

    def through(self, cards: Sequence[Usage]) -> Fit | None:
        """Take cards from the end; return them once they are enough, else None.

        From a card in MIG mode slices are taken as long as it has any.
        """
        place, watch = len(cards) - 1, watcher()
        while place >= 0:
            usage = cards[place]
            reason = self.why(usage)
            if watch is not None:
                watch.tries(usage, reason)
            if reason:
                self.reasons[reason] += 1
                place -= 1
                continue
            self.taken.append(self.take(usage))
            if len(self.taken) == self.request.nums and not self._collects:
                return Fit(self.taken)
            if usage.card.mode != MIG_MODE:
                place -= 1
        return None

    def why(self, usage: Usage) -> str:
        card = usage.card
        if not usage.health:
            return CARD_NOT_HEALTHY
        if card.id in self._cordoned:
            return CARD_CORDONED
        if self._accepts_type is not None and not self._accepts_type(card.type):
            return CARD_TYPE_MISMATCH
        if self._mode is not None and card.mode not in self._mode:
            return CARD_TYPE_MISMATCH
        if self._ask.numa_bind and self._numa != card.numa:
            self._begin_on(card.numa)
        if self._accepts_id is not None and not self._accepts_id(card.id):
            return CARD_UUID_MISMATCH
        return self.no_slot(usage) or self.no_room(usage)

    def _begin_on(self, numa: int) -> None:
        """Begin again on another NUMA node: what was taken before is of no use."""
        if self.taken and not self._collects:
            self.reasons[NUMA_NOT_FIT] += len(self.taken)
        self.taken = []
        self._numa = numa

    def over_quota(self, usage: Usage, memory: int) -> str:
        if not self._limited:
            return ""
        more = Taken(usage.card.index, usage.card.id, KEY, int32(memory), self.cores)
        pieces = [*self._allocated.get(KEY, ()), [*self.taken, more]]
        fits = within_quota(self._vendor.quotas, self._ask, KEY, pieces)
        return "" if fits else QUOTA_NOT_FIT

    def by_rule(self, usage: Usage, memory: int) -> str:
        if usage.card.mode != MIG_MODE:
            return ""
        slices, profiles = usage.slices.copy(), usage.card.mig_profiles
        for taken in self.taken:
            if taken.id != usage.card.id:
                continue
            choice = choose_slice(profiles, slices, taken.memory)
            if choice is None:
                return MIG_INFEASIBLE
            slices.append(choice[1])
        return "" if choose_slice(profiles, slices, memory) else MIG_INFEASIBLE


def _cordoned(node: NodeInfo) -> set[str]:
    """Return the ids of the cards that are closed to new pods; a card without an id never is."""
    return {part.strip() for part in node.annotations.get(CORDON, "").split(",")} - {""}


def _by_topology(taken: list[Taken], wanted: int, node: NodeInfo) -> list[Taken]:
    """Return the card that is connected worst, or of several the combination that is connected best."""
    if len(taken) == wanted or comb(len(taken), wanted) > _MOST_COMBINATIONS:
        return taken[:wanted]
    scores = {card.id: card.pair_scores for card in node.cards[KEY]}

    def score(one: Taken, other: Taken) -> int:
        return scores[one.id].get(other.id, 0)

    if wanted == 1:
        return [min(taken, key=lambda one: sum(score(one, other) for other in taken if other.id != one.id))]
    return list(
        max(
            combinations(taken, wanted),
            key=lambda group: sum(score(one, other) for one, other in combinations(group, 2)),
        )
    )
