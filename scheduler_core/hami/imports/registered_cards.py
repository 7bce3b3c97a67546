"""How many cards nodes register under the configuration that a release installs, and what cannot be read."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import chain

from scheduler_core.hami.configuration.settings import read_configuration
from scheduler_core.hami.devices.all_vendors import reading_vendors
from scheduler_core.hami.devices.nvidia import MIG_MODE
from scheduler_core.hami.devices.vendor import Vendor
from scheduler_core.hami.extender.registration import idle_node, unreadable_annotations
from scheduler_core.hami.rules.cards import Card
from scheduler_core.hami.rules.constants import GPU_POLICY, NODE_POLICY, NUMA_BIND, SCORING_WEIGHTS
from scheduler_core.hami.rules.pod_request import Object
from scheduler_core.objects.identity import name_of

NAMED = 3
"""How many nodes a phrase names."""


def registered_cards(node: Object) -> int:
    """Return how many cards of all vendors a node registers; whether they can be had doesn't matter."""
    return len(_cards(node))


def card_wishes() -> frozenset[str]:
    """Return the annotations by which pods say which cards they want, and how these are chosen."""
    of_vendors = (key for vendor in installed_vendors() for key in vendor.reads)
    return frozenset((GPU_POLICY, NODE_POLICY, SCORING_WEIGHTS, NUMA_BIND, *of_vendors))


def cards_by_resource(node: Object) -> dict[str, int]:
    """Return how many cards a node registers, by the resource that counts their slots.

    Of vendors whose cards are counted by the node's capacity there are no slots.
    """
    vendors = [vendor for vendor in installed_vendors() if vendor.register]
    found = idle_node(node, vendors, 0)
    known = {} if found is None else found.cards
    return {vendor.count_name: len(known[vendor.key]) for vendor in vendors if vendor.key in known}


def unreadable_registrations(nodes: Iterable[Object]) -> list[str]:
    """Return a whole phrase for each annotation that should say which cards nodes have and can't be read."""
    named: dict[str, list[str]] = {}
    for node in nodes:
        for annotation in unreadable_annotations(node, installed_vendors(), 0):
            named.setdefault(annotation, []).append(name_of(node))
    return [_unreadable(annotation, names) for annotation, names in named.items()]


def _unreadable(annotation: str, names: list[str]) -> str:
    if len(names) == 1:
        return f"Node {names[0]}: annotation {annotation} cannot be read: its cards are unknown"
    return f"annotation {annotation} of {count_words(names, 'Node')} cannot be read: their cards are unknown"


def uncut_cards(nodes: Iterable[Object]) -> list[str]:
    """Return a whole phrase for nodes with cards in MIG mode of which no slice can be cut, at most one.

    Device plugins before HAMi 2.10 register templates of whole cards, which 2.10 doesn't read.
    """
    names = [name_of(node) for node in nodes if any(map(_is_uncut, _cards(node)))]
    if not names:
        return []
    registers = "registers" if len(names) == 1 else "register"
    return [
        f"{count_words(names, 'Node')} {registers} cards in MIG mode without migProfiles, as before HAMi "
        "2.10: HAMi 2.10 cuts no slice of them, so pods don't get any"
    ]


def _is_uncut(card: Card) -> bool:
    return card.mode == MIG_MODE and not card.mig_profiles


def _cards(node: Object) -> list[Card]:
    found = idle_node(node, installed_vendors(), 0)
    return [] if found is None else list(chain.from_iterable(found.cards.values()))


def count_words(names: list[str], noun: str) -> str:
    """Return how many there are, with the first names."""
    return f"{len(names):,} {noun}{'' if len(names) == 1 else 's'} ({listed(names)})"


def listed(names: list[str]) -> str:
    """Return the first of some names, with a sign that there are more."""
    return ", ".join([*names[:NAMED], *(["…"] if len(names) > NAMED else [])])


@cache
def installed_vendors() -> tuple[Vendor, ...]:
    """Return all vendors as the chart of a release sets them up, for who only reads."""
    configuration = read_configuration({"enableAscend": True, "enableIluvatar": True})
    return tuple(reading_vendors(configuration).values())
