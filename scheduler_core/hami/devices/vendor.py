"""What a vendor's file says: how its cards are registered, asked for, fitted, charged and told.

Source: HAMi v2.10.0 pkg/device/devices.go Devices.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import ClassVar

from scheduler_core.go.arithmetic import int32
from scheduler_core.hami.rules.cards import Allocated, Card, Request, Taken, Usage
from scheduler_core.hami.rules.encoding import (
    Unreadable,
    device_string,
    json_with_card,
    line_with_card,
    read_card_line,
    read_cards,
)
from scheduler_core.hami.rules.fit import Fit
from scheduler_core.hami.rules.handshake import Health, NodeCheck
from scheduler_core.hami.rules.pod_request import (
    Ask,
    NodeInfo,
    Object,
    amount_of,
    containers_of,
    limit_of,
    resources_of,
)
from scheduler_core.objects.amounts.go_quantity import as_int64

Settings = Mapping[str, object]
"""A vendor's part of the device configuration, checked."""
Annotations = dict[str, str]


MOST_CARDS = 4096
"""How many cards a node may have by its capacity; a larger number is taken for a mistake."""


class NoCards(Exception):
    """A node has no cards of the vendor, or says so in a way that can't be read."""


class UnreadableCards(NoCards):
    """An annotation of a node says something of its cards that can't be read."""

    def __init__(self, annotation: str, message: str) -> None:
        super().__init__(message)
        self.annotation = annotation


class Refused(Exception):
    """The webhook's words against a pod."""


class Vendor:
    """A vendor with cards that are counted only; each overrides what it does otherwise.

    `key` names it in requests, in what pods hold, and, as a part of the type's name, its cards. `to_allocate`
    and `allocated` are the pod's annotations, `handshake` is the node's, `register` the one with its cards;
    `locks` says that a bind takes the node's lock, `units` how many MiB a unit of memory has.
    `reads` are the pod's annotations that the fit depends on.
    """

    key: str = ""
    count_name: str = ""
    memory_name: str = ""
    core_name: str = ""
    units: int = 0
    to_allocate: str = ""
    allocated: str = ""
    register: str = ""
    as_line: ClassVar[bool] = False
    """Whether that registration has commas and colons; else it is JSON."""
    id_field: ClassVar[str] = "id"
    health_field: ClassVar[str] = "health"
    handshake: str = ""
    forgotten: str = ""
    """The node's annotation that is deleted when the cards are gone."""
    locks: bool = False
    own_lock: str = ""
    """The node's annotation that this vendor locks instead of the common one."""
    own_lock_timeout: int = 0
    """In nanoseconds."""
    reads: Sequence[str] = ()
    id_keys: Sequence[str] = ()
    """Those of them that name cards: by turns one to use and one to avoid."""
    type_keys: Sequence[str] = ()
    """Those of them that name types of cards, in the same order."""
    mode_key: str = ""
    """The one of them that says how cards may be shared."""
    node_reads: Sequence[str] = ()
    """The node's annotations that the fit or the node score depends on."""
    also_registered: Sequence[str] = ()
    """The node's annotations that its device plugin writes beside that with the cards."""
    node_ids: Sequence[str] = ()
    """Those of the node's annotations that name cards."""
    fits_by_memory: ClassVar[bool] = False
    """Whether the fit depends on what the vendor remembers."""
    scores_by_policy: ClassVar[bool] = False
    """Whether the node score is turned round and weighed by the node policy."""

    # -- webhook -------------------------------------------------------------------------------------

    def mutate(self, container: Object, pod: Object) -> bool:
        """Complete a container; return whether it asks for the vendor's cards. Raises Refused."""
        return limit_of(container, self.count_name) is not None

    # -- registration --------------------------------------------------------------------------------

    def cards(self, check: NodeCheck) -> tuple[Card, ...]:
        """Return the cards that a node registers. Raises NoCards."""
        return self.registered(check)

    def registered(self, check: NodeCheck) -> tuple[Card, ...]:
        """Return the cards in the node's annotation. Raises NoCards."""
        text = check.annotations.get(self.register)
        if text is None:
            raise NoCards(f"annos not found {self.register}")
        try:
            cards = read_card_line(text) if self.as_line else read_cards(text)
        except Unreadable as error:
            raise UnreadableCards(self.register, str(error)) from None
        if not cards:
            raise NoCards("no device found on node")
        return cards

    def with_card(self, text: str, card: str, healthy: bool | None) -> str:
        """Return a registration in which the card with this id is healthy or not, or missing for None."""
        if self.as_line:
            return line_with_card(text, card, healthy)
        return json_with_card(text, card, healthy, (self.id_field, self.health_field))

    def counted(self, check: NodeCheck) -> int:
        """Return how many cards a node's capacity has. Raises NoCards for none."""
        count = check.capacity(self.count_name)
        if not count:
            raise NoCards(f"device not found {self.count_name}")
        return count

    def numbered(self, count: int) -> range:
        """Return the indexes of so many cards. Raises NoCards for more than any node has."""
        if count > MOST_CARDS:
            raise NoCards(f"{count} cards are more than any node has")
        return range(count)

    def health(self, check: NodeCheck) -> Health:
        """Return whether the node's cards are there, and whether what it registers is news."""
        if self.handshake:
            return check.shake_hands(self.handshake, self.count_name)
        return Health(True, True)

    def forget_node(self, name: str) -> None:
        """Forget what was known of a node that is gone."""

    # -- requests ------------------------------------------------------------------------------------

    def request(self, container: Object) -> Request | None:
        """Return what a container asks for, None where that is nothing or can't be read."""
        count = self.count(container)
        return None if count is None else self.ask(count, percentage=100)

    def is_named(self, container: Object) -> bool:
        """Return whether a container names a resource of the vendor's; else it asks for none of its cards."""
        return not self.names.isdisjoint(resources_of(container))

    @cached_property
    def names(self) -> frozenset[str]:
        """The resources of the vendor's, of which a container names one to ask for cards."""
        return frozenset((self.count_name, self.memory_name, self.core_name))

    def count(self, container: Object) -> int | None:
        """Return how many cards a container asks for, None where it says nothing that is a whole number."""
        text = amount_of(container, self.count_name)
        return None if text is None else as_int64(text)

    def ask(self, nums: int, memory: int = 0, percentage: int = 0, cores: int = 0) -> Request:
        """Return a request of the vendor's cards."""
        return Request(self.key, int32(nums), int32(memory), percentage, int32(cores))

    # -- fit -----------------------------------------------------------------------------------------

    def fit(
        self, cards: Sequence[Usage], request: Request, ask: Ask, node: NodeInfo, allocated: Allocated
    ) -> Fit:
        """Return which of the vendor's cards a container gets; `allocated` is what the pod has already."""
        raise NotImplementedError

    def cuts(self, cards: Sequence[Usage], ask: Ask) -> bool:
        """Return whether one card can serve a container several times."""
        return False

    def all_cores(self, card: Card, ask: Ask) -> int:
        """Return how many cores a card has for a pod."""
        return card.cores

    def charge(self, ask: Ask, usage: Usage, taken: Taken) -> str:
        """Note on a card that it is taken; return what went wrong, or the empty text."""
        usage.used += 1
        usage.cores = int32(usage.cores + taken.cores)
        usage.memory = int32(usage.memory + taken.memory)
        return ""

    def node_score(
        self, node: NodeInfo, pieces: list[list[Taken]], before: Sequence[Usage], policy: str
    ) -> float:
        """Return what the vendor adds to a node's score; `before` are its cards before this pod."""
        return 0.0

    # -- telling -------------------------------------------------------------------------------------

    def annotate(self, ask: Ask, annotations: Annotations, pieces: list[list[Taken]], now: int) -> None:
        """Add to a pod's annotations what it was given."""
        text = device_string(pieces)
        if self.to_allocate:
            annotations[self.to_allocate] = text
        annotations[self.allocated] = text

    # -- locks ---------------------------------------------------------------------------------------

    def wants_lock(self, pod: Object) -> bool:
        """Return whether a bind of the pod has to lock its node for this vendor."""
        return self.locks and any(self.asks(container) for container in containers_of(pod))

    def asks(self, container: Object) -> bool:
        """Return whether a container asks for at least one card."""
        if not self.is_named(container):
            return False
        request = self.request(container)
        return request is not None and request.nums > 0
