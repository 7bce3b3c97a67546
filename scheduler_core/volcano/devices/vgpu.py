"""Volcano's vGPUs: cards that several pods share by memory and cores (hami-core), or as instances (mig).

Nodes tell their cards in an annotation, pods which of them they hold. A node's mode is that of the card which
its annotation lists last. If no geometry of that card's type is known, mode `mig` is as hami-core.

Source: volcano v1.16 pkg/scheduler/api/devices/nvidia/vgpu/device_info.go, hamicore.go, mig.go, utils.go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from scheduler_core.go.parse import parse_int
from scheduler_core.objects.amounts.go_quantity import whole
from scheduler_core.objects.amounts.quantity import QuantityError
from scheduler_core.objects.types import Node
from scheduler_core.schedulers.card_edits import own_ids
from scheduler_core.volcano.devices.mig import MIG, Instance, MigCard, instance_named
from scheduler_core.volcano.devices.vgpu_card import (
    FEWER,
    NO_INSTANCE,
    OTHER_MODE,
    Card,
    Tried,
    Usage,
    usage_of,
)
from scheduler_core.volcano.devices.vgpu_requests import (
    CARD_TYPE,
    ContainerRequest,
    Wish,
    Wishes,
    group_of,
)
from scheduler_core.volcano.devices.vgpu_settings import CORES, MEMORY, NUMBER
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
    """A share that a pod holds, as its annotation says. With MIG `uuid` also names the instance."""

    uuid: str
    memory: int
    cores: int


class _Given(NamedTuple):
    """What a container got of a card: MiB that count as used, and those that it had asked for."""

    card: Card
    memory: int
    asked: int
    cores: int


class ContainerTries(NamedTuple):
    """What a container asks for, the cards that it tried, and those that it came to no more."""

    asked: ContainerRequest
    tried: list[Tried]
    unseen: list[Tried]
    found_enough: bool


class VgpuNode(NodeDevices):
    """The cards of a node by their places in its annotation; its mode is how it divides them."""

    def __init__(self, node: str, cards: dict[int, Card], wishes: Wishes, mode: str = SHARING_MODE) -> None:
        self.node = node
        self.cards = cards
        self.mode = mode
        self.wishes = wishes

    def asked_by(self, task: Task) -> bool:
        return self.wishes.asks(task)

    # -- what pods' annotations say ------------------------------------------------------------------

    def add(self, task: Task) -> None:
        for held in _held(task):
            card = next((one for one in self.cards.values() if one.uuid in held.uuid), None)
            if card is not None and task.uid not in card.pods and self._is_readable(held):
                memory = self._counted(held, card.mig.take)
                card.take(memory, held.cores)
                card.pods[task.uid] = Usage(memory, held.cores, group_of(task))

    def remove(self, task: Task) -> None:
        for held in _held(task):
            card = next((one for one in self.cards.values() if one.uuid in held.uuid), None)
            if card is not None and task.uid in card.pods and self._is_readable(held):
                card.give_back(self._counted(held, card.mig.give_back), held.cores)
                del card.pods[task.uid]

    def _is_readable(self, held: Held) -> bool:
        """Return whether a share can be counted: with MIG it must name an instance."""
        return self.mode != MIG or instance_named(held.uuid) is not None

    def _counted(self, held: Held, by_instance: Callable[[str, int], int]) -> int:
        """Return how many MiB of its card a share counts; with MIG those of its instance."""
        named = instance_named(held.uuid) if self.mode == MIG else None
        return held.memory if named is None else by_instance(*named) // self._factor

    @property
    def _factor(self) -> int:
        return self.wishes.settings.memory_factor

    def instances_of(self, task: Task) -> Iterator[tuple[Card, Instance]]:
        """Yield the instances of MIG that a pod's annotation names, each with its card."""
        for held in _held(task):
            named = instance_named(held.uuid) if self.mode == MIG else None
            card = next((one for one in self.cards.values() if one.uuid in held.uuid), None)
            instance = None if named is None or card is None else card.mig.at(*named)
            if card is not None and instance is not None:
                yield card, instance

    def held_by(self, task: Task) -> Mapping[str, float]:
        found: dict[str, float] = {}
        names = self.wishes.settings
        for held in _held(task):
            for card in self.cards.values():
                if card.uuid in held.uuid:
                    for name, amount in ((names.memory, held.memory), (names.cores, held.cores)):
                        found[name] = found.get(name, 0.0) + float(amount * 1000)
        return found

    # -- what a session does -------------------------------------------------------------------------

    def refusal(self, task: Task, policy: str) -> str:
        chosen = self._choose(self.wishes.of(task), policy, take=False)
        if chosen is None:
            return "hami-vgpuDeviceSharing error"
        self.score = chosen.score
        return ""

    def allocate(self, task: Task, policy: str) -> dict[str, str]:
        chosen = self._choose(self.wishes.of(task), policy, take=True)
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
        """Return which cards each container of a pod tries, up to one that finds too few; nothing changes.

        Where Volcano refuses a node before it tries any card, all of them have that as their reason.
        """
        wish = self.wishes.of(task)
        if wish.mode is not None and wish.mode != self.mode:
            return [
                ContainerTries(asked, self._all(policy, OTHER_MODE), [], False)
                for asked in wish.containers[:1]
            ]
        taken: list[_Given] = []
        found: list[ContainerTries] = []
        for asked in wish.containers:
            order, seen = self._places(policy), list[Tried]()
            usages = {place: usage_of(self.cards[place]) for place in order}
            enough = self._for_container(wish, asked, policy, taken, seen) is not None
            if asked.number > len(self.cards):
                seen = self._all(policy, FEWER)
            unseen = [place for place in order if place not in {one.place for one in seen}]
            found.append(ContainerTries(asked, seen, [Tried(at, usages[at], "") for at in unseen], enough))
            if not enough:
                break
        for given in taken:
            given.card.give_back(given.memory, given.cores)
        return found

    def _all(self, policy: str, why: str) -> list[Tried]:
        """Return all cards with one reason against them."""
        return [Tried(place, usage_of(self.cards[place]), why) for place in self._places(policy)]

    def without(self, task: Task) -> VgpuNode:
        """Return a copy on which a pod has not got what its bind in this session will say."""
        copy = self.copied()
        for held in _shares(task.sent.get(HELD, "")):
            for card in copy.cards.values():
                if card.uuid in held.uuid:
                    card.give_back(self._counted(held, card.mig.memory_of), held.cores)
                    card.pods.pop(task.uid, None)
        return copy

    def copied(self) -> VgpuNode:
        cards = {place: card.copied() for place, card in self.cards.items()}
        copy = VgpuNode(self.node, cards, self.wishes, self.mode)
        copy.score = self.score
        return copy

    def _choose(self, wish: Wish, policy: str, *, take: bool) -> _Chosen | None:
        """Return cards for all containers and their score, None where they do not suffice.

        take: the shares stay taken where it fits. Where it does not, Volcano gives back as much memory as was
        asked for, which may be less than that of an instance. Else nothing has changed.
        """
        if wish.mode is not None and wish.mode != self.mode:
            return None
        taken: list[_Given] = []
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
            for given in taken:
                given.card.give_back(given.asked if take else given.memory, given.cores)
        return _Chosen(containers, score) if fits else None

    def _for_container(
        self,
        wish: Wish,
        asked: ContainerRequest,
        policy: str,
        taken: list[_Given],
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
            memory = asked.memory_on(card.memory)
            why = card.refusal(wish, asked)
            instance = None
            if self.mode == MIG and not why:
                instance = card.mig.pick(memory * self._factor)
                why = NO_INSTANCE if instance is None else ""
            wanted = not why and len(held) < asked.number
            if seen is not None:
                seen.append(self._tried(place, why, memory, instance if wanted else None, taken=wanted))
            if why:
                continue
            used = memory if instance is None else instance.memory // self._factor
            card.take(used, asked.cores)
            taken.append(_Given(card, used, memory, asked.cores))
            if wanted:
                name = card.uuid if instance is None else instance.id_on(card.uuid)
                held.append(Held(name, memory, asked.cores))
                score += _score(policy, card)
            if len(held) == asked.number:
                break
        return None if len(held) < asked.number else (held, score)

    def _tried(self, place: int, why: str, memory: int, instance: Instance | None, *, taken: bool) -> Tried:
        card = self.cards[place]
        profiles = card.mig.large_enough(memory * self._factor) if self.mode == MIG else ()
        return Tried(place, usage_of(card), why, taken, profiles, instance)

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


def vgpu_node(node: Node, wishes: Wishes) -> VgpuNode | None:
    """Return the cards that a node tells of, None where Volcano sees none there.

    wishes: what pods ask for, which the nodes of a session share, and the settings by which they do.
    """
    text = annotation(node.metadata, REGISTER)
    allocatable = node.status.allocatable or {}
    if (
        text is None
        or ":" not in text
        or not all(_value(allocatable.get(name)) for name in (NUMBER, CORES, MEMORY))
    ):
        return None
    cards: dict[int, Card] = {}
    mode = SHARING_MODE
    for place, entry in enumerate(text.split(":")):
        if "," not in entry:
            continue
        parts = entry.split(",")
        if len(parts) < _FIELDS:
            return None
        geometries = wishes.settings.geometries_of(parts[3]) if parts[_FIELDS - 1] == MIG else None
        mode = SHARING_MODE if geometries is None else MIG
        shares, memory = parse_int(parts[1]) or 0, parse_int(parts[2]) or 0
        cards[place] = Card(parts[0], shares, memory, parts[3], mig=MigCard(geometries or ()))
    return VgpuNode(node.metadata.name, cards, wishes, mode) if cards else None


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
