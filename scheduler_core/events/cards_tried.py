"""The cards of a node in an explanation: which a container tried, in which order, and what came of each."""

from typing import Literal

from scheduler_core.events.changes import Event


class CardTried(Event, frozen=True):
    """A card in the order in which a container tried them, and what was used of it then; memory in MiB.

    `verdict`: taken; fits, but others were chosen; refused, for `reason`; or unseen, since enough were found
    before or the cards were chosen all at once. `score` is what they are sorted by,
    null where that is no score. `cores` are what the card registered, `cores_for_pod` what it has for this
    pod: an NPU has 100 for one in hami-core mode. More of them may be used than it has.
    Of a card in MIG mode `profiles` are those that are large enough, in the order in which they are tried,
    `in_use` the slices that were taken before, `slices` those that the container gets: `profile@start+size`.
    """

    id: str
    index: int
    numa: int
    score: float | None
    slots: int
    used: int
    memory: int
    used_memory: int
    cores: int
    cores_for_pod: int
    used_cores: int
    verdict: Literal["taken", "fits", "refused", "unseen"]
    reason: str
    profiles: list[str] = []
    in_use: list[str] = []
    slices: list[str] = []


class ContainerCards(Event, frozen=True):
    """What a container asks of a vendor, and the cards that it tried; `reason` is why it doesn't fit.

    Of each card it asks `memory` MiB, or `percentage` of the card where that is 0, and `cores`.
    """

    container: str
    vendor: str
    number: int
    memory: int
    percentage: int
    cores: int
    cards: list[CardTried]
    reason: str


class NodeCards(Event, frozen=True):
    """What a scheduler says of a node on the node's own cards. `reason` is empty where the pod fits.

    `extender` is the one that was asked, or a plugin.

    `score` is the sum of `slots`, `cores` and `memory` (ten times the share that is used of each before this
    pod) and of what vendors add.
    """

    extender: str
    reason: str
    score: float | None
    slots: float
    cores: float
    memory: float
    containers: list[ContainerCards]

    def in_short(self) -> "CardsInShort":
        """Return which cards were passed over, and why; what the last container says of a card counts."""
        tried = {card.id: card for one in self.containers for card in one.cards if card.verdict != "unseen"}
        taken = {card.id for one in self.containers for card in one.cards if card.verdict == "taken"}
        refused: dict[str, list[str]] = {}
        given_up = []
        for card in tried.values():
            if card.id in taken:
                continue
            if card.verdict == "refused":
                refused.setdefault(card.reason, []).append(card.id)
            else:
                given_up.append(card.id)
        parts = self.slots, self.cores, self.memory
        return CardsInShort(self.reason, self.score, *parts, refused, given_up)


class CardsInShort(Event, frozen=True):
    """What HAMi says of a node, in short: reason and scores as in NodeCards, and which cards it passed over.

    `refused` has ids by reason, `given_up` those that fit and weren't chosen; a card that any container takes
    is in neither.
    """

    reason: str
    score: float | None
    slots: float
    cores: float
    memory: float
    refused: dict[str, list[str]]
    given_up: list[str]
