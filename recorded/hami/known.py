"""How the recorded cycles of HAMi tell cards, usage, requests and times."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from scheduler_core.hami.extender.api_client import Objects
from scheduler_core.hami.extender.extender import Hami
from scheduler_core.hami.rules.cards import Card, Request, Usage
from scheduler_core.hami.rules.encoding import read_pod_cards
from scheduler_core.hami.rules.pod_request import (
    Ask,
    Object,
    annotations_of,
    containers_of,
    init_containers_of,
)
from scheduler_core.hami.rules.quota import Quota
from scheduler_core.hami.rules.times import date_time, rfc3339, unix
from scheduler_core.schedulers.card_tables import slice_text

Plain = dict[str, Any]
_HANDSHAKE = "hami.io/node-handshake"
_REQUESTING = re.compile(r"Requesting_\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")


def shown_times(annotations: Mapping[str, str | None], now: int) -> dict[str, str | None]:
    """Return annotations with words for the times in them."""
    words = {
        str(now): "<unix-nano>",
        rfc3339(now): "<rfc3339>",
        date_time(now): "<datetime>",
        unix(now): "<unix>",
    }
    shown = dict(annotations)
    for key, value in annotations.items():
        for text, word in words.items():
            if value is not None and text in value:
                shown[key] = value = value.replace(text, word)
    return shown


# -- nodes -------------------------------------------------------------------------------------------


def registered_of(hami: Hami, name: str) -> Plain | None:
    """Return a node's cards by vendor, None where it has none."""
    node = hami.inventory.node(name)
    if node is None:
        return None
    return {vendor: [_card(card) for card in cards] for vendor, cards in node.cards.items()}


def handshake_of(objects: Objects, name: str) -> Plain:
    """Return a node's handshakes, with a word for the moment."""
    item = objects.node(name)
    found = annotations_of(item or {"metadata": {}})
    return {
        key: _REQUESTING.sub("Requesting_<datetime>", value)
        for key, value in found.items()
        if key.startswith(_HANDSHAKE)
    }


def _card(card: Card) -> Plain:
    told: Plain = {
        "id": card.id,
        "index": card.index,
        "type": card.type,
        "count": card.count,
        "totalmem": card.memory,
        "totalcore": card.cores,
        "numa": card.numa,
        "health": card.health,
    }
    if card.mode:
        told["mode"] = card.mode
    if card.custom:
        told["custominfo"] = card.custom
    if card.mig_profiles:
        told["mig_profiles"] = msgspec.to_builtins(card.mig_profiles)
    return told


# -- usage -------------------------------------------------------------------------------------------


def used(hami: Hami) -> Plain:
    """Return what is used of all nodes' cards; what is idle is left out."""
    found = {name: usage_of(hami.inventory.usage(name).cards) for name in sorted(hami.inventory.nodes())}
    return {name: usage for name, usage in found.items() if usage}


def single(hami: Hami, name: str) -> Plain:
    """Return what is used of one node's cards."""
    usage = usage_of(hami.inventory.usage(name).cards)
    return {name: usage} if usage else {}


def usage_of(cards: list[Usage]) -> Plain:
    """Return what is used of a node's cards."""
    return {usage.card.id: told for usage in cards if (told := _usage(usage))}


def _usage(usage: Usage) -> Plain:
    told: Plain = {}
    if usage.used or usage.memory or usage.cores or usage.slices:
        told = {"used": usage.used, "usedmem": usage.memory, "usedcores": usage.cores}
    if usage.slices:
        told["mig"] = sorted(slice_text(one) for one in usage.slices)
    if usage.health != usage.card.health:
        told["health"] = usage.health
    return told


def quotas(hami: Hami) -> Plain:
    """Return what namespaces use of which limits."""
    told: Plain = {}
    for (namespace, name), quota in sorted(hami.quotas.values.items()):
        if quota == Quota(0):
            continue
        entry: Plain = {"used": quota.used}
        if quota.limit is not None:
            entry["limit"] = quota.limit
        told.setdefault(namespace, {})[name] = entry
    return told


# -- pods --------------------------------------------------------------------------------------------


def requested(ask: Ask) -> list[Plain]:
    """Return what the containers of a pod ask for."""
    init = init_containers_of(ask.pod)
    told: list[Plain] = []
    for number, (container, requests) in enumerate(
        zip([*init, *containers_of(ask.pod)], ask.requests, strict=True)
    ):
        entry: Plain = {
            "container": container["name"],
            "devices": {key: _request(request) for key, request in requests.items()},
        }
        if number < len(init):
            entry["init"] = True
        told.append(entry)
    return told


def _request(request: Request) -> Plain:
    return {
        "nums": request.nums,
        "type": request.type,
        "memreq": request.memory,
        "mem_percentage": request.percentage,
        "coresreq": request.cores,
    }


def allocated(annotations: Mapping[str, str], hami: Hami) -> Plain:
    """Return the cards that a pod's annotations say it was given."""
    keys = {key: vendor.allocated for key, vendor in hami.vendors.items()}
    return {
        vendor: [
            [
                {"uuid": taken.id, "type": taken.type, "usedmem": taken.memory, "usedcores": taken.cores}
                for taken in piece
            ]
            for piece in pieces[:-1]
        ]
        for vendor, pieces in read_pod_cards(annotations, keys).items()
    }


def seen_pod(pod: Object) -> Plain:
    """Return what matters of a pod that the webhook let in."""
    spec = pod["spec"]
    told: Plain = {"schedulerName": spec.get("schedulerName", "")}
    if spec.get("runtimeClassName") is not None:
        told["runtimeClassName"] = spec["runtimeClassName"]
    if annotations_of(pod):
        told["annotations"] = annotations_of(pod)
    for part, containers in (
        ("initContainers", init_containers_of(pod)),
        ("containers", containers_of(pod)),
    ):
        if containers or part == "containers":
            told[part] = [_container(container) for container in containers]
    return told


def _container(container: Object) -> Plain:
    resources = container.get("resources") or {}
    told: Plain = {
        "name": container["name"],
        "limits": resources.get("limits") or {},
        "requests": resources.get("requests") or {},
    }
    if container.get("env"):
        told["env"] = container["env"]
    return told
