"""What is used of a node's cards by what pods hold of them.

Source: HAMi v2.10.0 pkg/scheduler/scheduler.go getNodesUsage.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import NamedTuple

from scheduler_core.go.arithmetic import int32
from scheduler_core.hami.rules.cards import Card, Usage
from scheduler_core.hami.rules.scores import node_score
from scheduler_core.schedulers.card_tables import CardSlice, Held, HoldingRow

_HAMI_CORE, _MIG = "hami-core", "mig"


class NodeUsage(NamedTuple):
    """A node's cards and what is used of them, to be read only; `score` is how full they are.

    Nodes with an equal `form` differ in their cards' ids at most. `ids` and `types` are the cards', each type
    once.
    """

    cards: list[Usage]
    score: float
    form: tuple[Hashable, ...]
    ids: tuple[str, ...]
    types: tuple[str, ...]


NOTHING = NodeUsage([], 0.0, ((),), (), ())
"""Of a node without cards."""


def count_usage(cards: Mapping[str, tuple[Card, ...]], held: Iterable[HoldingRow]) -> NodeUsage:
    """Return what is used of a node's cards by what pods hold of them."""
    found = [
        Usage(card, vendor, health=card.health, qos=_qos(card))
        for vendor, of_vendor in cards.items()
        for card in of_vendor
    ]
    by_id: dict[str, list[Usage]] = {}
    for usage in found:
        by_id.setdefault(usage.card.id, []).append(usage)
    for row in sorted(held, key=lambda row: row.pod):
        _charge(found, by_id, row)
    ids = tuple([usage.card.id for usage in found])
    types = tuple(dict.fromkeys(usage.card.type for usage in found))
    form = (*map(_form, found), ids if len(by_id) < len(found) else ())
    return NodeUsage(found, node_score(found), form, ids, types)


def with_one_more(before: NodeUsage, row: HoldingRow) -> NodeUsage | None:
    """Return what is used once one more pod holds cards; None where it must be counted in the pods' order."""
    if row.slices or row.app_class:
        return None
    held_ids = {held.id for devices in row.devices.values() for held in devices}
    cards, forms = before.cards.copy(), list(before.form)
    places = [place for place, card in enumerate(before.ids) if card in held_ids]
    by_id: dict[str, list[Usage]] = {}
    for place in places:
        if any(cards[place].classes):
            return None
        cards[place] = usage = cards[place].copy()
        usage.classes = usage.classes.copy()
        by_id.setdefault(usage.card.id, []).append(usage)
    _charge(cards, by_id, row)
    for place in places:
        forms[place] = _form(cards[place])
    return NodeUsage(cards, node_score(cards), tuple(forms), before.ids, before.types)


def _form(usage: Usage) -> Hashable:
    """Return everything of a card and its usage but its id."""
    card = usage.card
    return (
        card.index,
        card.count,
        card.memory,
        card.cores,
        card.type,
        card.numa,
        card.mode,
        usage.health,
        usage.used,
        usage.memory,
        usage.cores,
        usage.qos,
        tuple(usage.slices),
        tuple(sorted(usage.classes)) if any(usage.classes) else (),
        card.mig_profiles,
        repr(sorted(card.custom.items())) if card.custom else "",
        repr(sorted(card.pair_scores.items())) if card.pair_scores else "",
    )


def _qos(card: Card) -> str | None:
    qos = card.custom.get("QosPolicy")
    return qos if isinstance(qos, str) else None


def _charge(cards: Iterable[Usage], by_id: Mapping[str, list[Usage]], row: HoldingRow) -> None:
    """Count what a pod holds. A card whose MIG mode and whose pod's slices disagree isn't healthy."""
    left: dict[str, list[CardSlice]] = {}
    for one in row.slices:
        left.setdefault(one.card, []).append(one)
    for held in (held for devices in row.devices.values() for held in devices):
        for usage in by_id.get(held.id, ()):
            _hold(usage, held, row, left.get(held.id))
    for card, slices in left.items():
        if slices:
            _hold_slices(cards, by_id.get(card, ()), slices)


def _hold(usage: Usage, held: Held, row: HoldingRow, slices: list[CardSlice] | None) -> None:
    usage.used += max(held.slots, 1)
    usage.memory = int32(usage.memory + held.memory)
    usage.cores = int32(usage.cores + held.cores)
    usage.classes.append(row.app_class)
    if not slices:
        usage.health = usage.health and usage.card.mode != _MIG
    elif usage.card.mode == _HAMI_CORE:
        usage.health = False
    else:
        usage.slices.append(slices.pop(0).taken())


def _hold_slices(cards: Iterable[Usage], found: Iterable[Usage], slices: list[CardSlice]) -> None:
    """Count slices for which the pod holds no card."""
    usage = next(iter(found), None)
    if usage is None:
        for other in cards:
            other.health = other.health and other.card.mode != _MIG
    elif usage.card.mode != _MIG:
        usage.health = False
    else:
        usage.slices.extend(one.taken() for one in slices)
