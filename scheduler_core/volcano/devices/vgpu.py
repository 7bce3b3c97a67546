"""Volcano's vGPUs (hami-core): cards that several pods share by memory and cores.

Nodes tell their cards in an annotation, pods which of them they hold. A node in the mode `mig` is as one in
hami-core here: Volcano knows no geometry of any card unless a ConfigMap lists them.

Source: volcano v1.16 pkg/scheduler/api/devices/nvidia/vgpu/device_info.go, hamicore.go, utils.go.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from scheduler_core.go.parse import parse_int
from scheduler_core.objects.amounts.go_quantity import whole
from scheduler_core.objects.amounts.quantity import QuantityError
from scheduler_core.objects.types import Node
from scheduler_core.schedulers.card_edits import own_ids
from scheduler_core.volcano.devices.vgpu_card import Card, Tried, Usage, usage_of
from scheduler_core.volcano.devices.vgpu_requests import (
    CARD_TYPE,
    CORES,
    MEMORY,
    NUMBER,
    ContainerRequest,
    Wish,
    asks_for_cards,
    group_of,
    wish_of,
)
from scheduler_core.volcano.model.custom_resources import annotation
from scheduler_core.volcano.model.node_devices import CannotAllocate, NodeDevices
from scheduler_core.volcano.model.tasks import Task

REGISTER = "volcano.sh/node-vgpu-register"
HELD = "volcano.sh/vgpu-ids-new"
"""The annotation that says which cards a pod holds."""
NODE = "volcano.sh/vgpu-node"
_TO_ALLOCATE, _PHASE = "volcano.sh/devices-to-allocate", "volcano.sh/bind-phase"
SHARING_MODE = "hami-core"
_FIELDS = 6


class Held(NamedTuple):
    """A share that a pod holds, as its annotation says."""

    uuid: str
    memory: int
    cores: int


class ContainerTries(NamedTuple):
    """What a container asks for, the cards that it tried, and those that it came to no more."""

    asked: ContainerRequest
    tried: list[Tried]
    unseen: list[Tried]
    found_enough: bool


class VgpuNode(NodeDevices):
    """The cards of a node, by the place at which its annotation lists them."""

    def __init__(self, node: str, cards: dict[int, Card], wishes: dict[str, Wish] | None = None) -> None:
        self.node = node
        self.cards = cards
        self._wishes = {} if wishes is None else wishes
        """What pods ask for, by uid; nodes of a session share it."""

    def asked_by(self, task: Task) -> bool:
        return asks_for_cards(task)

    # -- what pods' annotations say ------------------------------------------------------------------

    def add(self, task: Task) -> None:
        for held in _held(task):
            card = next((one for one in self.cards.values() if one.uuid in held.uuid), None)
            if card is not None and task.uid not in card.pods:
                card.take(held.memory, held.cores)
                card.pods[task.uid] = Usage(held.memory, held.cores, group_of(task))

    def remove(self, task: Task) -> None:
        for held in _held(task):
            card = next((one for one in self.cards.values() if one.uuid in held.uuid), None)
            if card is not None and task.uid in card.pods:
                card.give_back(held.memory, held.cores)
                del card.pods[task.uid]

    def held_by(self, task: Task) -> Mapping[str, float]:
        found: dict[str, float] = {}
        for held in _held(task):
            for card in self.cards.values():
                if card.uuid in held.uuid:
                    found[MEMORY] = found.get(MEMORY, 0.0) + float(held.memory * 1000)
                    found[CORES] = found.get(CORES, 0.0) + float(held.cores * 1000)
        return found

    # -- what a session does -------------------------------------------------------------------------

    def refusal(self, task: Task, policy: str) -> str:
        chosen = self._choose(self._wish(task), policy, take=False)
        if chosen is None:
            return "hami-vgpuDeviceSharing error"
        self.score = chosen.score
        return ""

    def allocate(self, task: Task, policy: str) -> dict[str, str]:
        chosen = self._choose(self._wish(task), policy, take=True)
        if chosen is None:
            raise CannotAllocate("not enough gpu fitted on this node")
        for held in (held for container in chosen.containers for held in container):
            for card in self.cards.values():
                if card.uuid in held.uuid:
                    usage = card.pods.setdefault(task.uid, Usage())
                    usage.memory += held.memory
                    usage.cores += held.cores
                    usage.group = group_of(task)
        text = ";".join(
            "".join(f"{one.uuid},{CARD_TYPE},{one.memory},{one.cores}:" for one in container)
            for container in chosen.containers
        )
        return {_PHASE: "allocating", _TO_ALLOCATE: text, HELD: text, NODE: self.node}

    def release(self, task: Task) -> tuple[str, ...]:
        self.remove(task)
        return _PHASE, _TO_ALLOCATE, HELD, NODE

    # -- what there is to explain --------------------------------------------------------------------

    def tries(self, task: Task, policy: str) -> list[ContainerTries]:
        """Return which cards each container of a pod tries, up to one that finds too few; nothing changes."""
        wish = self._wish(task)
        if wish.mode is not None and wish.mode != SHARING_MODE:
            return []
        taken: list[tuple[Card, int, int]] = []
        found: list[ContainerTries] = []
        for asked in wish.containers:
            order, seen = self._places(policy), list[Tried]()
            usages = {place: usage_of(self.cards[place]) for place in order}
            enough = self._for_container(wish, asked, policy, taken, seen) is not None
            unseen = [place for place in order if place not in {one.place for one in seen}]
            found.append(ContainerTries(asked, seen, [Tried(at, usages[at], "") for at in unseen], enough))
            if not enough:
                break
        for card, memory, cores in taken:
            card.give_back(memory, cores)
        return found

    def without(self, task: Task) -> VgpuNode:
        """Return a copy on which a pod has not got what its bind in this session will say."""
        copy = self.copied()
        for held in _shares(task.sent.get(HELD, "")):
            for card in copy.cards.values():
                if card.uuid in held.uuid:
                    card.give_back(held.memory, held.cores)
                    card.pods.pop(task.uid, None)
        return copy

    def copied(self) -> VgpuNode:
        cards = {
            place: replace(card, pods={uid: replace(usage) for uid, usage in card.pods.items()})
            for place, card in self.cards.items()
        }
        copy = VgpuNode(self.node, cards, self._wishes)
        copy.score = self.score
        return copy

    def _wish(self, task: Task) -> Wish:
        if task.uid not in self._wishes:
            self._wishes[task.uid] = wish_of(task)
        return self._wishes[task.uid]

    def _choose(self, wish: Wish, policy: str, *, take: bool) -> _Chosen | None:
        """Return cards for all containers and their score, None where they do not suffice.

        take: the shares stay taken where it fits; else, and where it does not fit, nothing has changed.
        """
        if wish.mode is not None and wish.mode != SHARING_MODE:
            return None
        taken: list[tuple[Card, int, int]] = []
        containers: list[list[Held]] = []
        score = 0.0
        for asked in wish.containers:
            found = self._for_container(wish, asked, policy, taken)
            if found is None:
                break
            held, more = found
            containers.append(held)
            score += more
        fits = len(containers) == len(wish.containers)
        if not (fits and take):
            for card, memory, cores in taken:
                card.give_back(memory, cores)
        return _Chosen(containers, score) if fits else None

    def _for_container(
        self,
        wish: Wish,
        asked: ContainerRequest,
        policy: str,
        taken: list[tuple[Card, int, int]],
        seen: list[Tried] | None = None,
    ) -> tuple[list[Held], float] | None:
        """Take one card after another; a container that asks for no card at all uses a share all the same.

        seen: gets the cards that are tried, in their order.
        """
        if asked.number > len(self.cards):
            return None
        held: list[Held] = []
        score = 0.0
        for place in self._places(policy):
            card = self.cards[place]
            if why := card.refusal(wish, asked):
                if seen is not None:
                    seen.append(Tried(place, usage_of(card), why))
                continue
            if seen is not None:
                seen.append(Tried(place, usage_of(card), "", taken=len(held) < asked.number))
            memory = asked.memory_on(card.memory)
            card.take(memory, asked.cores)
            taken.append((card, memory, asked.cores))
            if len(held) < asked.number:
                held.append(Held(card.uuid, memory, asked.cores))
                score += _score(policy, card)
            if len(held) == asked.number:
                break
        return None if len(held) < asked.number else (held, score)

    def _places(self, policy: str) -> list[int]:
        """Return in which order cards are tried."""
        cards = self.cards
        if policy == "binpack":
            return sorted(cards, key=lambda place: (-cards[place].used_memory, place))
        if policy == "spread":
            return sorted(cards, key=lambda place: (cards[place].used_shares, place))
        return sorted(cards, reverse=True)


class _Chosen(NamedTuple):
    containers: list[list[Held]]
    score: float


def vgpu_node(node: Node, wishes: dict[str, Wish]) -> VgpuNode | None:
    """Return the cards that a node tells of, None where Volcano sees none there.

    wishes: what pods ask for, which the nodes of a session share.
    """
    text = annotation(node.metadata, REGISTER)
    allocatable = node.status.allocatable or {}
    if text is None or not all(_value(allocatable.get(name)) for name in (NUMBER, CORES, MEMORY)):
        return None
    cards: dict[int, Card] = {}
    for place, entry in enumerate(text.split(":")):
        if "," not in entry:
            continue
        parts = entry.split(",")
        if len(parts) < _FIELDS:
            return None
        cards[place] = Card(parts[0], parse_int(parts[1]) or 0, parse_int(parts[2]) or 0, parts[3])
    return VgpuNode(node.metadata.name, cards, wishes) if cards else None


def registration(node: Mapping[str, Any], name: str) -> dict[str, str]:
    """Return the annotation by which a new node like this one registers cards of its own.

    name: the name of the new node, of which the cards' ids are made.
    """
    text = (node["metadata"].get("annotations") or {}).get(REGISTER)
    if not isinstance(text, str):
        return {}
    ids = [entry.split(",")[0] for entry in text.split(":") if "," in entry]
    return own_ids({REGISTER: text.replace(",false,", ",true,")}, ids, name)


def _value(amount: str | int | float | None) -> int:
    try:
        return 0 if amount is None else whole(amount)
    except QuantityError:
        return 0


def _score(policy: str, card: Card) -> float:
    """Return what a card gives that has just been taken: so `spread` never gives anything."""
    if policy == "binpack" and card.memory:
        return 100 * (card.used_memory / card.memory)
    return 100.0 if policy == "spread" and card.used_shares == 0 else 0.0


def _held(task: Task) -> Iterator[Held]:
    """Yield the shares that a pod's annotation lists."""
    return _shares(task.annotation(HELD) or "")


def _shares(text: str) -> Iterator[Held]:
    """Yield the shares that a text lists; what can't be read is passed over."""
    for entry in text.replace(";", ":").split(":"):
        parts = entry.split(",")
        if len(parts) < 4:
            continue
        memory, cores = _unsigned(parts[2]), _unsigned(parts[3])
        if memory is not None and cores is not None:
            yield Held(parts[0], memory, cores)


def _unsigned(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and int(text) < 2**32 else None
