"""What the cards of nodes lack for a pod: what nobody has anywhere, or what others hold.

Freeing cards helps with the second alone. A scheduler that shares cards finds it out by its own rules: it
asks the node as it is, and once more with all cards idle.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from scheduler_core.events.changes import Event

LackKind = Literal[
    "unregistered", "vendor", "type", "id", "few", "memory", "cores", "units", "slots", "idle", "slices",
    "numa", "several", "unhealthy", "cordoned", "unreadable", "quota", "rule",
]  # fmt: skip
"""unregistered: the node registers no cards; vendor: none of the vendor. type: none of the type or mode; id:
none of the named ones. few: fewer cards that would do than are asked for. memory, cores: too little of it;
units: no core is left for a pod that names no number. slots: as many pods are on a card as may be. idle:
the pod wants cards for itself. slices: no MIG slice is large enough. numa: too few cards of one NUMA node, or
of one group. several: enough for each container of the pod, but not for all at once. unhealthy, cordoned:
such cards would do. unreadable: what the node registers of the vendor cannot be read, so that its cards are
unknown. quota: of the pod's namespace. rule: another one."""
_MENDED_BY_OTHERS = frozenset({"unhealthy", "cordoned", "unreadable", "quota"})


class CardWish(Event, frozen=True, omit_defaults=True):
    """The cards that a container asks for: `number` of a vendor, with so much of each.

    memory: in MiB, or `percentage` of a card where that is 0; cores: in percent of a card. types, ids: words
    of which a card's type has one, and ids of which it has one; no_types, no_ids: those that it may not have.
    mode: how the card may be shared. one_numa: all of one NUMA node.
    """

    vendor: str = ""
    number: int = 0
    memory: int = 0
    percentage: int = 0
    cores: int = 0
    types: tuple[str, ...] = ()
    no_types: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    no_ids: tuple[str, ...] = ()
    mode: str = ""
    one_numa: bool = False


class CardLack(Event, frozen=True, omit_defaults=True):
    """What the cards of `nodes` lack, in the scheduler's own word `reason`; `alone`: nothing else does there.

    frees: the node would take the pod if nobody held any of its cards. wish: what is asked for where it ends.
    """

    kind: LackKind
    frees: bool
    reason: str = ""
    wish: CardWish = CardWish()
    nodes: int = 0
    alone: int = 0

    @property
    def is_missing(self) -> bool:
        """Whether the nodes have no such cards at all, free or not, healthy or not."""
        return not self.frees and self.kind not in _MENDED_BY_OTHERS

    @property
    def takes_less(self) -> bool:
        """Whether a pod might go there that asks for fewer cards, or less of each."""
        return not (self.is_missing and self.kind in ("unregistered", "vendor", "type", "id", "rule"))


def all_missing(lacks: Iterable[CardLack]) -> bool:
    """Return whether no node has such cards at all; False where nothing is known of it."""
    known = list(lacks)
    return bool(known) and all(one.is_missing for one in known)
