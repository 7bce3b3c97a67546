"""Single cards of nodes in edits: a scheduler that shares cards says which there are and what holds them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol

Object = dict[str, Any]
CardState = Literal["unhealthy", "healthy", "removed"]


@dataclass(frozen=True)
class CardSeen:
    """A card as its node registers it: by vendor's key, UUID, index among the vendor's, and model.

    memory in MiB; cores in percent of a card; slots: how many containers may share it.
    """

    vendor: str
    id: str
    index: int
    model: str
    memory: int
    cores: int
    slots: int
    healthy: bool


class CardChanged(NamedTuple):
    """A node of which one card is in another state, and notes on what else of the node that changed."""

    node: Object
    notes: Sequence[str]


class CardEdits(Protocol):
    """What a scheduler knows of single cards."""

    def cards(self, node: Object) -> Sequence[CardSeen]:
        """Return the cards that a node registers, healthy or not."""

    def changed(self, node: Object, card: CardSeen, state: CardState) -> CardChanged:
        """Return the node with one of its cards in another state. Raises Refused."""

    def holds(self, pod: Object, card: CardSeen) -> bool:
        """Return whether a pod was given a card, or a part of it."""
