"""Which cards of a node a container gets: the first that fit, tried from the end of the list.

Source: HAMi v2.10.0: what the Fit of most vendors has in common; pkg/device/common/common.go GenReason.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from scheduler_core.go.arithmetic import int32
from scheduler_core.hami.rules.cards import ALL_MEMORY_UNSET, Request, Taken, Usage
from scheduler_core.hami.rules.constants import (
    CARD_COMPUTE_UNITS_EXHAUSTED,
    CARD_INSUFFICIENT_CORE,
    CARD_INSUFFICIENT_MEMORY,
    CARD_NOT_HEALTHY,
    CARD_TIME_SLICING_EXHAUSTED,
    CARD_TYPE_MISMATCH,
    CARD_UUID_MISMATCH,
    EXCLUSIVE_CONFLICT,
    TOO_FEW_CARDS,
)
from scheduler_core.hami.rules.numbers import quotient
from scheduler_core.hami.rules.pod_request import Ask
from scheduler_core.hami.rules.watching import watcher

ALL_CORES = 100


class Fit(NamedTuple):
    """The cards that a container gets, or, where they are None, why it gets none."""

    taken: list[Taken] | None
    reason: str = ""


Reasons = dict[str, int]
Why = Callable[[Usage], str]
Take = Callable[[Usage], Taken]


def reason_text(reasons: Reasons, cards: int) -> str:
    """Return how many cards of how many failed for which reason, in the order of the text."""
    return ", ".join(sorted(f"{count}/{cards} {reason}" for reason, count in reasons.items()))


def refuse(reason: str, cards: int, count: int = 1) -> Fit:
    """Return a fit that fails for one reason."""
    return Fit(None, f"{count}/{cards} {reason}")


def too_few(taken: Sequence[object], reasons: Reasons, cards: int) -> Fit:
    """Return the fit that fails because the cards taken are not enough."""
    if taken:
        reasons[TOO_FEW_CARDS] = len(taken)
    return Fit(None, reason_text(reasons, cards))


def take_first(cards: Sequence[Usage], wanted: int, why: Why, take: Take) -> Fit:
    """Take the first cards, from the end, for which `why` has no reason against."""
    taken: list[Taken] = []
    reasons: Reasons = defaultdict(int)
    watch = watcher()
    for usage in reversed(cards):
        reason = why(usage)
        if watch is not None:
            watch.tries(usage, reason)
        if reason:
            reasons[reason] += 1
            continue
        taken.append(take(usage))
        if len(taken) == wanted:
            return Fit(taken)
    return too_few(taken, reasons, len(cards))


def take_all(cards: Iterable[Usage], why: Why, take: Take) -> tuple[list[Taken], Reasons]:
    """Return all cards, from the end, for which `why` has no reason against, and the others' reasons."""
    taken: list[Taken] = []
    reasons: Reasons = defaultdict(int)
    watch = watcher()
    for usage in reversed(list(cards)):
        reason = why(usage)
        if watch is not None:
            watch.tries(usage, reason)
        if reason:
            reasons[reason] += 1
        else:
            taken.append(take(usage))
    return taken, reasons


class SharedCards:
    """The rules by which cards are shared that most vendors have in common; a vendor overrides what differs.

    A rule returns its reason, or the empty text.
    """

    def __init__(self, request: Request, ask: Ask, accepts_id: Callable[[str], bool] | None) -> None:
        self.request = request
        self.mutex = ask.mutex
        self.cores = min(request.cores, ALL_CORES)
        self._accepts_id = accepts_id

    def why(self, usage: Usage) -> str:
        """Return why a card can't be had."""
        if not usage.health:
            return CARD_NOT_HEALTHY
        reason = self.wrong_kind(usage)
        if reason:
            return reason
        if self._accepts_id is not None and not self._accepts_id(usage.card.id):
            return CARD_UUID_MISMATCH
        return self.no_slot(usage) or self.no_room(usage)

    def take(self, usage: Usage) -> Taken:
        """Return the card as the container gets it."""
        return Taken(usage.card.index, usage.card.id, self.request.type, self.memory(usage), self.cores)

    def memory(self, usage: Usage) -> int:
        """Return the MiB that the request comes to on a card."""
        return asked_memory(self.request, usage)

    def no_slot(self, usage: Usage) -> str:
        """Return whether a card has no slot left for this pod."""
        return slot_reason(usage, self.mutex)

    def no_room(self, usage: Usage) -> str:
        """Return whether a card has too little memory or too few cores left."""
        memory = self.memory(usage)
        return (
            self.over_quota(usage, memory)
            or (CARD_INSUFFICIENT_MEMORY if usage.memory_left < memory else "")
            or core_reason(usage, self.all_cores(usage), self.cores)
            or self.by_rule(usage, memory)
        )

    # -- what differs --------------------------------------------------------------------------------

    def wrong_kind(self, usage: Usage) -> str:
        """Return whether the card isn't of the kind that is wanted."""
        return ""

    def over_quota(self, usage: Usage, memory: int) -> str:
        """Return whether the namespace may not have so much more."""
        return ""

    def all_cores(self, usage: Usage) -> int:
        """Return how many cores a card has."""
        return usage.card.cores

    def by_rule(self, usage: Usage, memory: int) -> str:
        """Return the vendor's last word."""
        return ""


def asked_memory(request: Request, usage: Usage) -> int:
    """Return the MiB that a request comes to on a card: by number, else by percentage."""
    if request.memory > 0:
        return request.memory
    if request.memory == 0 and request.percentage != ALL_MEMORY_UNSET:
        return quotient(int32(usage.card.memory * request.percentage), 100)
    return 0


def slot_reason(usage: Usage, mutex: bool) -> str:
    """Return whether all slots of a card are taken, or any at all for a pod that wants idle cards."""
    if usage.card.count <= usage.used:
        return CARD_TIME_SLICING_EXHAUSTED
    return EXCLUSIVE_CONFLICT if mutex and usage.used > 0 else ""


def core_reason(usage: Usage, all_cores: int, cores: int) -> str:
    """Return whether a card can't give so many of its cores; all of them it gives to one alone."""
    if int32(all_cores - usage.cores) < cores:
        return CARD_INSUFFICIENT_CORE
    if all_cores == ALL_CORES and cores == ALL_CORES and usage.used > 0:
        return EXCLUSIVE_CONFLICT
    if all_cores != 0 and usage.cores == all_cores and cores == 0:
        return CARD_COMPUTE_UNITS_EXHAUSTED
    return ""


def wrong_type(fits: bool) -> str:
    """Return the reason of a card of another type."""
    return "" if fits else CARD_TYPE_MISMATCH
