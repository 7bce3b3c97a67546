"""Places a pod's containers on a node's cards, and scores the node.

Source: HAMi v2.10.0 pkg/scheduler/score.go.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from scheduler_core.hami.devices.all_vendors import Vendors
from scheduler_core.hami.rules.cards import Allocated, Usage
from scheduler_core.hami.rules.charging import NodeUsage
from scheduler_core.hami.rules.constants import NODE_INSUFFICIENT_DEVICE, SPREAD
from scheduler_core.hami.rules.numbers import float32
from scheduler_core.hami.rules.pod_request import Ask, NodeInfo
from scheduler_core.hami.rules.scheduling_policies import Weights, sort_cards, sort_key
from scheduler_core.hami.rules.scores import score_cards
from scheduler_core.hami.rules.watching import watcher

_NEUTRAL_WEIGHT = 10_000


class Placement(NamedTuple):
    """Where a pod's containers go on a node, or, with `devices` None, why they don't fit."""

    devices: Allocated | None
    score: float = 0.0
    reason: str = ""


def place(ask: Ask, node: NodeInfo, usage: NodeUsage, vendors: Vendors, weights: Weights) -> Placement:
    """Place a pod on a node. Its init containers run one at a time, each by itself on the node as it is."""
    cards = usage.cards
    for_init: Allocated = {}
    for number, requests in enumerate(ask.requests[: ask.init_count]):
        if requests:
            reason = _place_container(ask, node, _copies(cards), vendors, weights, number, for_init)
            if reason:
                return Placement(None, reason=reason)
        _pad(for_init, usage.types, number)
    devices: Allocated = {}
    copies = _copies(cards)
    for number, requests in enumerate(ask.requests[ask.init_count :]):
        if requests:
            container = ask.init_count + number
            reason = _place_container(ask, node, copies, vendors, weights, container, devices)
            if reason:
                return Placement(None, reason=reason)
        _pad(devices, usage.types, number)
    for vendor, pieces in for_init.items():
        devices[vendor] = pieces + devices.get(vendor, [])
    added = _added_score(ask, node, cards, vendors, devices)
    return Placement(devices, float32(usage.score + added))


def _copies(cards: Iterable[Usage]) -> list[Usage]:
    return [usage.copy() for usage in cards]


def _pad(devices: Allocated, types: Iterable[str], number: int) -> None:
    """Give a container without cards an empty place, under every type of card, as HAMi does.

    Only where a type's name is a vendor's key is that the vendor's list.
    """
    for card_type in types:
        pieces = devices.setdefault(card_type, [])
        if len(pieces) == number:
            pieces.append([])


def _place_container(
    ask: Ask,
    node: NodeInfo,
    cards: list[Usage],
    vendors: Vendors,
    weights: Weights,
    container: int,
    devices: Allocated,
) -> str:
    """Place one container and charge its cards; return why it doesn't fit, or the empty text."""
    requests, watch = ask.requests[container], watcher()
    score_cards(cards, requests.values(), weights)
    for key, request in requests.items():
        sort_cards(cards, sort_key(ask.gpu_policy, ask.numa_bind))
        vendor, word = vendors[key], key.lower()
        candidates = [usage for usage in cards if word in usage.card.type.lower()]
        if watch is not None:
            cores = [vendor.all_cores(usage.card, ask) for usage in candidates]
            watch.asks(container, request, candidates, cores)
        if request.nums > len(candidates) and not vendor.cuts(candidates, ask):
            return NODE_INSUFFICIENT_DEVICE
        taken, reason = vendor.fit(candidates, request, ask, node, devices)
        for one in taken or ():
            usage = next(usage for usage in cards if usage.card.id == one.id)
            fault = vendor.charge(ask, usage, one)
            if fault:
                return f"AddResourceUsage failed for device {one.id}: {fault}"
        if watch is not None:
            watch.gets(taken, reason)
        if taken is None:
            return reason
        devices.setdefault(key, []).append(taken)
    return ""


def _added_score(
    ask: Ask, node: NodeInfo, cards: Sequence[Usage], vendors: Vendors, devices: Allocated
) -> float:
    """Return what the vendors add to a node's score."""
    added = 0.0
    for key, pieces in devices.items():
        vendor = vendors.get(key)
        if vendor is None:
            continue
        score = vendor.node_score(node, pieces, cards, ask.node_policy)
        if vendor.scores_by_policy:
            score = float32(score * (-_NEUTRAL_WEIGHT if ask.node_policy == SPREAD else _NEUTRAL_WEIGHT))
        added = float32(added + score)
    return added
