"""Switches of HAMi that settings leave open, and cards of nodes that its settings leave out.

A release reads the cards of some vendors only where a flag says so, which its chart leaves off. Whoever has
installed HAMi for nodes that register such cards has switched it on: so a switch of which nothing is said is
on where nodes register cards of its vendors, also in a way that cannot be read. What settings say is never
changed.

Source: HAMi v2.10.0 charts/hami/values.yaml devices; cmd/scheduler/main.go.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from scheduler_core.hami.configuration.kube_scheduler import INNER
from scheduler_core.hami.configuration.settings import SWITCHES, Configuration, read_configuration, switched
from scheduler_core.hami.devices.all_vendors import reading_vendors
from scheduler_core.hami.devices.vendor import Vendor
from scheduler_core.hami.extender.registration import idle_node, unreadable_annotations
from scheduler_core.hami.imports.registered_cards import count_words, installed_vendors
from scheduler_core.hami.rules.pod_request import Object
from scheduler_core.objects.identity import name_of


def with_switches(settings: Mapping[str, Any] | None, nodes: Iterable[Object]) -> dict[str, Any] | None:
    """Return HAMi's settings with the switches that nodes call for and that the settings leave open.

    None stays None where there are no such switches. Settings that say which resources kube-scheduler leaves
    to HAMi leave no switch open. Raises BadInput for settings that cannot be read.
    """
    given = dict(settings or {})
    inner = given.get(INNER)
    says_all = isinstance(inner, Mapping) and "extenders" in inner
    is_open = [flag for flag in SWITCHES if flag not in given and not says_all]
    hami = read_configuration({key: value for key, value in given.items() if key != INNER})
    wanted = {flag: keys for flag in is_open if (keys := _keys_behind(hami, flag))}
    if wanted:
        known, vendors = list(nodes), _all_on(hami)
        registered = {*_nodes_by_vendor(known, vendors), *_unreadable_keys(known, vendors)}
        given |= {flag: True for flag, keys in wanted.items() if keys & registered}
    return None if settings is None and not given else given


def left_out_cards(hami: Configuration, nodes: Iterable[Object]) -> list[str]:
    """Return a whole phrase for each vendor of which nodes register cards that nobody can get under HAMi's
    settings.
    """
    read = {vendor.key for vendor in reading_vendors(hami).values() if vendor.names - {""}}
    on = _all_on(hami)
    vendors = {vendor.key: vendor for vendor in (*installed_vendors(), *on)}
    off = {key: flag for flag in SWITCHES for key in _keys_behind(hami, flag)}
    unread = [vendor for key, vendor in vendors.items() if key not in read]
    return [
        f"{count_words(names, 'Node')} {'registers' if len(names) == 1 else 'register'} cards of {key}, "
        f"which HAMi's settings leave out ({_why(off.get(key))}): no pod is given any of them"
        for key, names in _nodes_by_vendor(nodes, unread).items()
    ]


def _why(flag: str | None) -> str:
    return f"{flag} is not on" if flag else "nothing about them in deviceConfig"


def _all_on(hami: Configuration) -> Sequence[Vendor]:
    return tuple(
        reading_vendors(msgspec.structs.replace(hami, enable_ascend=True, enable_iluvatar=True)).values()
    )


def _keys_behind(hami: Configuration, flag: str) -> set[str]:
    """Return the keys of the vendors that a switch stands for under these settings."""
    return {chip.common_word for chip in switched(hami.device_config, flag)}


def _nodes_by_vendor(nodes: Iterable[Object], vendors: Sequence[Vendor]) -> dict[str, list[str]]:
    """Return the names of the nodes that register cards of each vendor."""
    found: dict[str, list[str]] = {}
    for name, key in _registered(nodes, vendors):
        found.setdefault(key, []).append(name)
    return found


def _unreadable_keys(nodes: Iterable[Object], vendors: Sequence[Vendor]) -> Iterator[str]:
    """Yield the keys of the vendors of whose cards nodes say what cannot be read."""
    keys = {vendor.register: vendor.key for vendor in vendors}
    for node in nodes:
        for annotation in unreadable_annotations(node, vendors, 0):
            yield keys[annotation]


def _registered(nodes: Iterable[Object], vendors: Sequence[Vendor]) -> Iterator[tuple[str, str]]:
    for node in nodes:
        cards = idle_node(node, vendors, 0)
        for key in cards.cards if cards is not None else ():
            yield name_of(node), key
