"""How full nodes and cards are, as 32-bit floats.

Source: HAMi v2.10.0 pkg/scheduler/policy/node_policy.go ComputeDefaultScore, gpu_policy.go ComputeScore.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scheduler_core.hami.cards import ALL_MEMORY_UNSET, Request, Usage
from scheduler_core.hami.numbers import float32, int32, quotient
from scheduler_core.hami.policies import Weights

_WEIGHT = 10


def _share(part: int, total: int) -> float:
    return float32(float32(part) / float32(total))


def node_score(cards: Sequence[Usage]) -> float:
    """Return how full a node's cards are, 0 (idle) to 30; 0 where they have no slots, cores or memory."""
    count = int32(sum(usage.card.count for usage in cards))
    cores = int32(sum(usage.card.cores for usage in cards))
    memory = int32(sum(usage.card.memory for usage in cards))
    if count == 0 or cores == 0 or memory == 0:
        return 0.0
    slots = _share(int32(sum(usage.used for usage in cards)), count)
    used_cores = _share(int32(sum(usage.cores for usage in cards)), cores)
    used_memory = _share(int32(sum(usage.memory for usage in cards)), memory)
    return float32(_WEIGHT * float32(float32(slots + used_cores) + used_memory))


def score_cards(cards: Iterable[Usage], requests: Iterable[Request], weights: Weights) -> None:
    """Give each card its score for a container.

    Requests count on a card whose type is the vendor's key, letter by letter: on models they don't.
    """
    by_type: dict[str, list[Request]] = {}
    for request in requests:
        by_type.setdefault(request.type, []).append(request)
    for usage in cards:
        usage.score = _card_score(usage, by_type.get(usage.card.type, ()), weights)


def _card_score(usage: Usage, requests: Sequence[Request], weights: Weights) -> float:
    card = usage.card
    if card.count == 0 or card.cores == 0 or card.memory == 0:
        return 0.0
    cores = usage.cores + sum(request.cores for request in requests)
    memory = usage.memory + sum(_asked(request, card.memory) for request in requests)
    slots = _weighed(weights.slot, _share(int32(usage.used + len(requests)), card.count))
    core = _weighed(weights.core, _share(int32(cores), card.cores))
    of_memory = _weighed(weights.memory, _share(int32(memory), card.memory))
    return float32(_WEIGHT * float32(float32(slots + core) + of_memory))


def _weighed(weight: int, share: float) -> float:
    return share if weight == 1 else float32(float32(weight) * share)


def _asked(request: Request, total: int) -> int:
    if request.percentage not in (0, ALL_MEMORY_UNSET):
        return quotient(total * request.percentage, 100)
    return request.memory
