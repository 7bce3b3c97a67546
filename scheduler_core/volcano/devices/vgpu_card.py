"""One of Volcano's vGPU cards: what is used of it, and why a container may have no share of it.

Source: volcano v1.16 pkg/scheduler/api/devices/nvidia/vgpu/device_info.go, utils.go.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from scheduler_core.schedulers.card_tables import MigSlice
from scheduler_core.volcano.devices.mig import Instance, MigCard
from scheduler_core.volcano.devices.vgpu_requests import ContainerRequest, Wish

ALL_CORES = 100
OTHER_CARD = "the pod names other cards, or not this one"
NO_SHARE = "all its shares are taken"
SAME_GROUP = "a pod of the same group is on it"
NO_MEMORY = "too little memory is left"
TOO_SMALL = "it has less memory than the pod asks for"
NO_CORES = "too few cores are left"
NOT_ALONE = "the pod wants it for itself, and somebody is on it"
ALL_TAKEN = "all its cores are taken, and the pod names no number of them"
NO_INSTANCE = "MIG has no instance for it"
OTHER_TYPE = "it is not of the type that the pod wants"
OTHER_MODE = "its node divides cards in another mode than the pod wants"
FEWER = "its node has fewer cards than the pod asks for"
SAME_RULE = "a pod that it may not share a card with is on it"


@dataclass
class Usage:
    """What one pod has on a card: MiB, percent of cores, and its pod group."""

    memory: int = 0
    cores: int = 0
    group: str = ""


@dataclass
class Card:
    """A card. `shares` says among how many pods it may be divided, `memory` is in MiB, `cores` in percent.

    mig: how it is cut on a node in the mode mig.
    """

    uuid: str
    shares: int
    memory: int
    type: str
    used_shares: int = 0
    used_memory: int = 0
    used_cores: int = 0
    pods: dict[str, Usage] = field(default_factory=dict)
    mig: MigCard = field(default_factory=MigCard)

    def copied(self) -> Card:
        pods = {uid: replace(usage) for uid, usage in self.pods.items()}
        return replace(self, pods=pods, mig=self.mig.copied())

    def take(self, memory: int, cores: int) -> None:
        """Count one more share."""
        self.used_shares += 1
        self.used_memory += memory
        self.used_cores += cores

    def give_back(self, memory: int, cores: int) -> None:
        """Count one share less."""
        self.used_shares -= 1
        self.used_memory -= memory
        self.used_cores -= cores

    def refusal(self, wish: Wish, asked: ContainerRequest) -> str:
        """Return why one more container may have no share of it, empty where it may.

        It is the first of Volcano's tests that fails. Volcano itself says nothing of single cards.
        """
        if not wish.likes_uuid(self.uuid):
            return OTHER_CARD
        if self.shares <= self.used_shares:
            return NO_SHARE
        if wish.apart_from and self._has_group(wish.apart_from):
            return SAME_GROUP
        memory = asked.memory_on(self.memory)
        if self.memory - self.used_memory < memory:
            return NO_MEMORY if memory <= self.memory else TOO_SMALL
        if self.used_cores + asked.cores > ALL_CORES:
            return NO_CORES
        if asked.cores == ALL_CORES and self.used_shares > 0:
            return NOT_ALONE
        if self.used_cores == ALL_CORES and asked.cores == 0:
            return ALL_TAKEN
        return "" if wish.likes_type(self.type) else OTHER_TYPE

    def _has_group(self, group: str) -> bool:
        return any(one.group == group and (one.memory or one.cores) for one in self.pods.values())


class Used(NamedTuple):
    """How many shares of a card are taken, and how much of its memory (MiB) and cores (percent)."""

    shares: int
    memory: int
    cores: int


class Tried(NamedTuple):
    """A card by its place, as it was when a container came to it; `why` is empty where it would do.

    Of a card that MIG cuts `profiles` are those that are large enough, in the order in which they are tried,
    `instance` the one that the container gets.
    """

    place: int
    used: Used
    why: str
    taken: bool = False
    profiles: Sequence[str] = ()
    instance: Instance | None = None


def slice_of(instance: Instance) -> MigSlice:
    """Return an instance as the log tells slices: its place in the geometry, one place long."""
    return MigSlice(instance.profile, instance.place, 1)


def usage_of(card: Card) -> Used:
    """Return what is used of a card now."""
    return Used(card.used_shares, card.used_memory, card.used_cores)
