"""The words by which a pod or the configuration chooses among nodes and among cards.

Source: HAMi v2.10.0 pkg/scheduler/policy/gpu_policy.go, pkg/util/device_scoring_weights.go, pkg/util/util.go.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from scheduler_core.go.parse import parse_bool, parse_int
from scheduler_core.go.quote import quote
from scheduler_core.go.sort import go_sort
from scheduler_core.hami.rules.cards import Usage
from scheduler_core.hami.rules.constants import BINPACK, MUTEX, NUMA, NUMA_BIND, SCORING_WEIGHTS, SPREAD

_STABLE_UP_TO = 12
"""Go's sort keeps the order of equals in lists of at most so many."""
_SORT_KEYS = (BINPACK, SPREAD, NUMA)
_DIMENSIONS = ("slot", "core", "memory")

SortKey = Callable[[Usage], Any]


class Weights(NamedTuple):
    """How much slots, cores and memory count in a card's score."""

    slot: int = 1
    core: int = 1
    memory: int = 1


class WrongWeights(ValueError):
    """The annotation with the weights can't be read."""


def names_policy(policy: str, name: str) -> bool:
    """Tell whether a comma list of policies has this one."""
    return any(part.strip() == name for part in policy.split(","))


def binds_numa(annotations: Mapping[str, str]) -> bool:
    """Tell whether a pod wants all its cards on one NUMA node."""
    return parse_bool(annotations.get(NUMA_BIND, "")) is True


def read_weights(annotations: Mapping[str, str]) -> Weights:
    """Return the weights that a pod sets, one each by default. Raises WrongWeights in HAMi's words."""
    text = annotations.get(SCORING_WEIGHTS)
    if text is None:
        return Weights()
    parts = text.split(",")
    if len(parts) != len(_DIMENSIONS):
        raise _wrong(text, "expected slot, core, and memory weights")
    weights: dict[str, int] = {}
    for part in parts:
        key, weight = _weight(text, part, weights)
        weights[key] = weight
    if not any(weights.values()):
        raise _wrong(text, "at least one weight must be positive")
    return Weights(*(weights[name] for name in _DIMENSIONS))


def _weight(text: str, part: str, known: Mapping[str, int]) -> tuple[str, int]:
    key, equals, value = part.strip().partition("=")
    key = key.strip()
    if not equals:
        raise _wrong(text, "expected key=value entries")
    if key in known:
        raise _wrong(text, f"duplicate {quote(key)} weight")
    weight = parse_int(value.strip())
    if weight is None:
        raise _wrong(text, f"{quote(key)} weight must be an integer")
    if weight < 0:
        raise _wrong(text, f"{quote(key)} weight must not be negative")
    if key not in _DIMENSIONS:
        raise _wrong(text, f"unknown weight {quote(key)}")
    return key, weight


def _wrong(text: str, why: str) -> WrongWeights:
    return WrongWeights(f"invalid {SCORING_WEIGHTS} annotation {quote(text)}: {why}")


def sort_cards(cards: list[Usage], key: SortKey) -> None:
    """Sort in place as HAMi does; cards are then tried from the end."""
    if len(cards) <= _STABLE_UP_TO:
        cards.sort(key=key)
    else:
        go_sort(cards, lambda one, other: bool(key(one) < key(other)))


@lru_cache(maxsize=1024)
def sort_key(policy: str, numa_bind: bool) -> SortKey:
    """Return what cards are sorted by under a GPU policy."""
    if "," in policy or policy == NUMA:
        return _chain(policy, numa_bind)
    if policy == MUTEX:
        return lambda usage: (-usage.used, usage.card.numa)
    if policy == BINPACK:
        if numa_bind:
            return lambda usage: (-usage.card.numa, usage.score)
        return lambda usage: (usage.score, usage.card.numa)
    if numa_bind:
        return lambda usage: (usage.card.numa, -usage.score)
    return lambda usage: (-usage.score, usage.card.numa)


def _chain(policy: str, numa_bind: bool) -> SortKey:
    """Return the sort key of a comma list: its words in order, the card's index last."""
    words = list(dict.fromkeys(word for part in policy.split(",") if (word := part.strip()) in _SORT_KEYS))
    words = words or [SPREAD]
    if numa_bind and words[0] != NUMA:
        words = [NUMA, *(word for word in words if word != NUMA)]
    signs = [(word == NUMA, -1 if word == SPREAD else 1) for word in words]

    def key(usage: Usage) -> Any:
        parts = [usage.card.numa if is_numa else sign * usage.score for is_numa, sign in signs]
        return (*parts, usage.card.index)

    return key
