"""Single cards of HAMi's in edits: which a node registers, what a change of one is, which pods hold it.

A device plugin registers a card that fails as unhealthy, and tells the kubelet, which takes the card's slots
out of the node's allocatable resources; capacity keeps them. HAMi gives such a card to no new pod. Neither
HAMi nor the kubelet evicts the pods that hold it.

Source: HAMi v2.10.0 pkg/device-plugin/nvidiadevice/nvinternal/plugin/register.go getAPIDevices, server.go
ListAndWatch, rm/devices.go GetPluginDevices; pkg/device/nvidia/device.go Fit; kubernetes v1.36
pkg/kubelet/cm/devicemanager/manager.go GetCapacity.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from scheduler_core.hami.devices.vendor import NoCards, Vendor
from scheduler_core.hami.imports.registered_cards import installed_vendors
from scheduler_core.hami.rules.cards import Card
from scheduler_core.hami.rules.encoding import Unreadable, read_pod_cards
from scheduler_core.hami.rules.handshake import NodeCheck
from scheduler_core.hami.rules.pod_request import annotations_of
from scheduler_core.objects.identity import name_of
from scheduler_core.schedulers.card_edits import CardChanged, CardSeen, CardState, own_ids
from scheduler_core.schedulers.object_admission import Refused

Object = dict[str, Any]
_REPORTED = "Reported"
"""A handshake that a device plugin has answered."""


class HamiCardEdits:
    """HAMi's cards, as the configuration that a release installs reads them."""

    def cards(self, node: Object) -> list[CardSeen]:
        """Return the cards that a node registers, vendor by vendor."""
        return [_seen(vendor, card) for vendor, cards in _registered(node) for card in cards]

    def changed(self, node: Object, card: CardSeen, state: CardState) -> CardChanged:
        """Return the node with one of its cards in another state. Raises Refused.

        The vendor's resource follows where it counts the slots of the node's cards.
        """
        vendor = next(one for one in installed_vendors() if one.key == card.vendor)
        annotations = annotations_of(node)
        text = annotations.get(vendor.register) if vendor.register else None
        if text is None:
            raise Refused("card", f"{card.vendor} registers nothing of a single card's health: use patch")
        text = vendor.with_card(text, card.id, None if state == "removed" else state == "healthy")
        metadata = {**node["metadata"], "annotations": {**annotations, vendor.register: text}}
        return _with_slots(node, {**node, "metadata": metadata}, vendor)

    def holds(self, pod: Object, card: CardSeen) -> bool:
        """Return whether a pod's annotations name a card; what of them can't be read names none."""
        vendor = next(one for one in installed_vendors() if one.key == card.vendor)
        try:
            held = read_pod_cards(annotations_of(pod), {vendor.key: vendor.allocated})
        except Unreadable:
            return False
        return any(taken.id == card.id for piece in held.get(vendor.key, ()) for taken in piece)


def registration(node: Object, name: str) -> dict[str, str]:
    """Return the annotations by which a node like this one registers cards of its own, all healthy.

    name: the name of the new node, of which the cards' ids are made.
    """
    annotations, found = annotations_of(node), dict[str, str]()
    for vendor, cards in _registered(node):
        keys = (vendor.register, *vendor.also_registered, *vendor.node_reads)
        texts = {key: annotations[key] for key in keys if key in annotations}
        if not texts:
            continue
        for card in cards:
            if vendor.register in texts and not card.health:
                texts[vendor.register] = vendor.with_card(texts[vendor.register], card.id, True)
        found |= own_ids(texts, [card.id for card in cards], name)
        if vendor.handshake:
            found[vendor.handshake] = _REPORTED
    return found


def _registered(node: Object) -> Iterator[tuple[Vendor, Sequence[Card]]]:
    check = NodeCheck(node, 0)
    for vendor in installed_vendors():
        try:
            yield vendor, vendor.cards(check)
        except NoCards:
            continue


def _seen(vendor: Vendor, card: Card) -> CardSeen:
    return CardSeen(
        vendor.key, card.id, card.index, card.type, card.memory, card.cores, card.count, card.health
    )


def _with_slots(before: Object, after: Object, vendor: Vendor) -> CardChanged:
    """Return the changed node with the amounts that its kubelet then reports of the vendor's resource."""
    cards = [[card for one, cards in _registered(node) if one.key == vendor.key for card in cards]
             for node in (before, after)]  # fmt: skip
    status = dict(before.get("status") or {})
    notes = []
    for field, counts in (("allocatable", _healthy_slots), ("capacity", _slots)):
        amounts = status.get(field) or {}
        was, now = map(counts, cards)
        if amounts.get(vendor.count_name) == str(was) and was != now:
            status[field] = {**amounts, vendor.count_name: str(now)}
            notes.append(f"{field} of {vendor.count_name} on {name_of(before)}: {was} → {now}")
    return CardChanged({**after, "status": status} if notes else after, notes)


def _slots(cards: Iterable[Card]) -> int:
    return sum(card.count for card in cards)


def _healthy_slots(cards: Iterable[Card]) -> int:
    return sum(card.count for card in cards if card.health)
