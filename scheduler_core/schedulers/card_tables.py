"""The tables of shared cards in a run's state, whoever shares them: the cards, and what pods hold of them.

| table | id | row |
| --- | --- | --- |
| `cards` | node/card | CardRow |
| `holdings` | the pod's uid | HoldingRow |
"""

from __future__ import annotations

from typing import NamedTuple

from scheduler_core.events.changes import Event

CARDS, HOLDINGS = "cards", "holdings"


class Held(Event, frozen=True):
    """What a pod holds of a card, all its containers together. Memory in MiB."""

    id: str
    memory: int
    cores: int
    slots: int


class MigSlice(NamedTuple):
    """A slice that is taken."""

    profile: str
    start: int
    size: int


class CardRow(Event, frozen=True):
    """A card that its node has registered, and what is used of it. Memory in MiB; `slots` tasks may share it.

    `slices` are those in use of a card in MIG mode, `profile@start+size`.
    """

    node: str
    id: str
    vendor: str
    index: int
    type: str
    mode: str
    numa: int
    health: bool
    slots: int
    memory: int
    cores: int
    used: int = 0
    used_memory: int = 0
    used_cores: int = 0
    slices: list[str] = []


class CardSlice(Event, frozen=True):
    """A slice of a card in MIG mode."""

    card: str
    profile: str
    start: int
    size: int

    def taken(self) -> MigSlice:
        """Return the slice without its card."""
        return MigSlice(self.profile, self.start, self.size)


class HoldingRow(Event, frozen=True):
    """What a pod holds by vendor, all its containers together, on the node that it was assigned to.

    `init_done`: its init containers are through, and what only they needed is free again.
    """

    pod: str
    node: str
    devices: dict[str, list[Held]]
    slices: list[CardSlice] = []
    app_class: str = ""
    init_done: bool = False


def slice_text(taken: MigSlice) -> str:
    """Return a slice as the log has it."""
    return f"{taken.profile}@{taken.start}+{taken.size}"


TABLES: dict[str, type] = {CARDS: CardRow, HOLDINGS: HoldingRow}
