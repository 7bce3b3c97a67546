"""What cards are, what a container asks of them, and what it was given.

Source: HAMi v2.10.0 pkg/device/devices.go.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import msgspec

from scheduler_core.go.arithmetic import int32
from scheduler_core.schedulers.card_tables import Held, MigSlice

ALL_MEMORY_UNSET = 101
"""The percentage of a request that says nothing of a share of the memory."""


Uint32 = Annotated[int, msgspec.Meta(ge=0, lt=2**32)]
Int32 = Annotated[int, msgspec.Meta(ge=-(2**31), lt=2**31)]
Int64 = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]


class MigPlacement(msgspec.Struct, frozen=True):
    start: Uint32 = 0
    size: Uint32 = 0


class MigProfile(msgspec.Struct, frozen=True, rename="camel"):
    """A kind of slice of a card in MIG mode; memory in MiB."""

    name: str = ""
    memory: Int32 = msgspec.field(default=0, name="memoryMB")
    core: Int32 = 0
    slice_count: Uint32 = 0
    placements: tuple[MigPlacement, ...] = ()


class Card(msgspec.Struct, frozen=True):
    """A card as its node registered it: `count` tasks may share it; memory in MiB.

    `type` is the model or the vendor's key, `custom` what else the device plugin reports, `pair_scores` how
    well the card is connected to others.
    """

    id: str
    index: int
    count: int
    memory: int
    cores: int
    type: str
    numa: int = 0
    mode: str = ""
    health: bool = True
    mig_profiles: tuple[MigProfile, ...] = ()
    custom: dict[str, Any] = {}
    pair_scores: dict[str, int] = {}


class Request(NamedTuple):
    """What a container asks of one vendor. Memory in MiB; `percentage` counts where `memory` is 0."""

    type: str
    nums: int
    memory: int
    percentage: int
    cores: int


Requests = dict[str, Request]
"""A container's requests by vendor key."""


class Usage(msgspec.Struct):
    """A card and what is used of it. `classes` are the app classes of the pods on it, where they matter."""

    card: Card
    vendor: str
    used: int = 0
    memory: int = 0
    cores: int = 0
    health: bool = True
    slices: list[MigSlice] = []
    classes: list[str] = []
    qos: str | None = None
    score: float = 0.0

    @property
    def memory_left(self) -> int:
        """The MiB that are free, as 32 bits hold the difference."""
        return int32(self.card.memory - self.memory)

    @property
    def cores_left(self) -> int:
        """The percent of its cores that are free, as 32 bits hold the difference."""
        return int32(self.card.cores - self.cores)

    def copy(self) -> Usage:
        """Return a copy that can be charged without changing this one."""
        twin: Usage = self.__copy__()  # type: ignore[attr-defined]
        twin.slices = self.slices.copy()
        return twin


class Taken(msgspec.Struct):
    """A card that a container gets, and how much of it. `custom` is what the vendor carries along."""

    index: int
    id: str
    type: str
    memory: int
    cores: int
    custom: dict[str, Any] | None = None
    slice: MigSlice | None = None


Allocated = dict[str, list[list[Taken]]]
"""By vendor key: for each container the cards that it gets."""


Holding = dict[str, list[Held]]
"""By vendor key, in the order of the cards' ids."""
