"""The pass that takes over what nodes register, and drops what is gone.

Source: HAMi v2.10.0 pkg/scheduler/scheduler.go register, onDelNode.
"""

from __future__ import annotations

from collections.abc import Iterable

from scheduler_core.hami.devices.vendor import NoCards, UnreadableCards, Vendor
from scheduler_core.hami.rules.handshake import NodeCheck
from scheduler_core.hami.rules.pod_request import NodeInfo, Object
from scheduler_core.hami.rules.usage import Inventory

Patch = dict[str, str | None]


def register_node(node: Object, vendors: Iterable[Vendor], inventory: Inventory, now: int) -> Patch:
    """Look at a node for every vendor; return what is to be written to its annotations."""
    check = NodeCheck(node, now)
    for vendor in vendors:
        try:
            cards = vendor.cards(check)
            readable = True
        except NoCards:
            cards, readable = (), False
        health = vendor.health(check)
        if not health.healthy:
            if inventory.remove_vendor(check.name, vendor.key):
                _clean_up(vendor, check)
        elif readable and not cards:
            inventory.remove_vendor(check.name, vendor.key)
        elif readable and health.fresh:
            inventory.register(check.name, check.annotations, vendor.key, cards)
    return check.patches


def idle_node(node: Object, vendors: Iterable[Vendor], now: int) -> NodeInfo | None:
    """Return a node with all cards that it would register, None where it has none; nothing is taken over."""
    check = NodeCheck(node, now)
    found = {}
    for vendor in vendors:
        try:
            cards = vendor.cards(check)
        except NoCards:
            continue
        if cards:
            found[vendor.key] = cards
    return NodeInfo(check.name, check.annotations, found) if found else None


def unreadable_annotations(node: Object, vendors: Iterable[Vendor], now: int) -> list[str]:
    """Return the names of a node's annotations about cards that can't be read."""
    check = NodeCheck(node, now)
    found = []
    for vendor in vendors:
        try:
            vendor.cards(check)
        except UnreadableCards as error:
            found.append(error.annotation)
        except NoCards:
            continue
    return found


def _clean_up(vendor: Vendor, check: NodeCheck) -> None:
    vendor.forget_node(check.name)
    if vendor.forgotten:
        check.patches[vendor.forgotten] = None
