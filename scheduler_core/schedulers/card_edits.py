"""Single cards of nodes in edits: a scheduler that shares cards says which there are and what holds them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol

from scheduler_core.objects.identity import derived_uid

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


def own_ids(texts: Mapping[str, str], ids: Iterable[str], name: str) -> dict[str, str]:
    """Return annotations in which cards have ids of their own: those of a node with another name."""
    longest_first = sorted(filter(None, ids), key=lambda one: (-len(one), one))
    if not longest_first:
        return dict(texts)
    known = re.compile("|".join(map(re.escape, longest_first)))
    end = derived_uid("cards", name)[:8]
    return {key: known.sub(lambda found: f"{found[0]}-{end}", text) for key, text in texts.items()}


class CardEdits(Protocol):
    """What a scheduler knows of single cards."""

    def cards(self, node: Object) -> Sequence[CardSeen]:
        """Return the cards that a node registers, healthy or not."""

    def changed(self, node: Object, card: CardSeen, state: CardState) -> CardChanged:
        """Return the node with one of its cards in another state. Raises Refused."""

    def holds(self, pod: Object, card: CardSeen) -> bool:
        """Return whether a pod was given a card, or a part of it."""
