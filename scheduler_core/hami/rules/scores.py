"""How full nodes and cards are, as 32-bit floats.

Source: HAMi v2.10.0 pkg/scheduler/policy/node_policy.go ComputeDefaultScore, gpu_policy.go ComputeScore.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from scheduler_core.go.arithmetic import int32
from scheduler_core.hami.rules.cards import ALL_MEMORY_UNSET, Request, Usage
from scheduler_core.hami.rules.numbers import float32, quotient
from scheduler_core.hami.rules.scheduling_policies import Weights

_WEIGHT = 10
_EVEN = Weights()


def node_score(cards: Sequence[Usage]) -> float:
    """Return how full a node's cards are, 0 (idle) to 30; 0 where they have no slots, cores or memory."""
    return _fullness(*_sums(cards), _EVEN)


def score_parts(cards: Sequence[Usage]) -> tuple[float, float, float]:
    """Return what slots, cores and memory add to a node's score: ten times the share that is used of each."""
    used, all_slots, used_cores, all_cores, used_memory, all_memory = _sums(cards)
    pairs = ((used, all_slots), (used_cores, all_cores), (used_memory, all_memory))
    if any(int32(whole) == 0 for _, whole in pairs):
        return 0.0, 0.0, 0.0
    slots, cores, memory = (
        float32(_WEIGHT * float32(float32(int32(part)) / float32(int32(whole)))) for part, whole in pairs
    )
    return slots, cores, memory


def _sums(cards: Iterable[Usage]) -> tuple[int, int, int, int, int, int]:
    """Return what is used and what there is of slots, cores and memory."""
    used = slots = used_cores = cores = used_memory = memory = 0
    for usage in cards:
        card = usage.card
        used += usage.used
        slots += card.count
        used_cores += usage.cores
        cores += card.cores
        used_memory += usage.memory
        memory += card.memory
    return used, slots, used_cores, cores, used_memory, memory


def score_cards(cards: Iterable[Usage], requests: Iterable[Request], weights: Weights) -> None:
    """Give each card its score for a container.

    Requests count on a card whose type is the vendor's key, letter by letter: on models they don't.
    """
    by_type: dict[str, list[Request]] = {}
    for request in requests:
        by_type.setdefault(request.type, []).append(request)
    for usage in cards:
        card, asked = usage.card, by_type.get(usage.card.type)
        slots, cores, memory = usage.used, usage.cores, usage.memory
        if asked is not None:
            slots += len(asked)
            cores += sum(request.cores for request in asked)
            memory += sum(_asked(request, card.memory) for request in asked)
        usage.score = _fullness(slots, card.count, cores, card.cores, memory, card.memory, weights)


@lru_cache(maxsize=65_536)
def _fullness(
    slots: int, all_slots: int, cores: int, all_cores: int, memory: int, all_memory: int, weights: Weights
) -> float:
    """Return ten times the sum of three weighed shares, all in 32 bits; 0 where one of them has no whole."""
    pairs = ((slots, all_slots), (cores, all_cores), (memory, all_memory))
    if any(int32(whole) == 0 for _, whole in pairs):
        return 0.0
    total = 0.0
    for weight, (part, whole) in zip(weights, pairs, strict=True):
        share = float32(float32(int32(part)) / float32(int32(whole)))
        total = float32(total + float32(float32(weight) * share))
    return float32(_WEIGHT * total)


def _asked(request: Request, total: int) -> int:
    if request.percentage not in (0, ALL_MEMORY_UNSET):
        return quotient(total * request.percentage, 100)
    return request.memory
