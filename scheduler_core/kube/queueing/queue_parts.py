"""The parts of a scheduler's queue: who is in which, in the order of coming, and who is first in turn.

Every kube-scheduler's queue is kept in these, whatever its version and whether or not a clock moves. What
differs is who brings a pod from part to part, and how a part is ranked: that is handed in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from scheduler_core.kube.queueing.turns import Place, Turns
from scheduler_core.state.journal import Journal
from scheduler_core.state.ordered_lists import OrderedLists

K = TypeVar("K")
Rank = Callable[[K, int], Place]
"""Where a member that has this order stands in its part's turn: the least comes first, equals by name."""

ACTIVE, BACKOFF, UNSCHEDULABLE, GATED, IN_FLIGHT = "active", "backoff", "unschedulable", "gated", "in_flight"


def by_entry(member: object, order: int) -> tuple[int]:
    """First in, first out: a scheduler without pod priority."""
    return (order,)


def by_priority(priority_of: Callable[[K], int]) -> Rank[K]:
    """The higher priority first; who enters again stands behind its equals."""
    return lambda member, order: (-priority_of(member), order)


class QueueParts(OrderedLists[K]):
    """The parts of one queue, of which each member is in one at most. `ranks` has the parts with a turn."""

    def __init__(
        self,
        journal: Journal,
        ranks: Mapping[str, Rank[K]],
        name: str = "",
        *,
        name_of: Callable[[K], str] = str,
    ) -> None:
        super().__init__(journal, name, name_of=name_of, told=bool(name))
        self._ranks = ranks
        self._part_of: dict[K, str] = {}
        self._places: dict[K, Place] = {}
        self._turns = {part: Turns() for part in ranks}

    def part_of(self, member: K) -> str | None:
        """Return where the member is, None if it is nowhere."""
        return self._part_of.get(member)

    def first(self, part: str) -> K | None:
        """Return who is first in turn in a part."""
        place = self._turns[part].first
        return None if place is None else place[-1]

    def in_turn(self, part: str) -> list[K]:
        """Return the members of a part in their turn."""
        return [place[-1] for place in self._turns[part]]

    def enter(self, member: K, part: str) -> None:
        """Put a member behind all others of a part, wherever it was."""
        self.exit(member)
        self.append(part, member)

    def exit(self, member: K) -> None:
        """Take a member out, if it is anywhere."""
        part = self._part_of.get(member)
        if part is not None:
            self.take_out(part, member)

    def rank_again(self, member: K) -> None:
        """Let a member whose rank may have changed stand where it belongs; its order stays."""
        part = self._part_of.get(member)
        if part in self._turns:
            self._lose_turn(part, member)
            self._take_turn(part, member, self.orders[part][member])

    # -- the journal's verbs -------------------------------------------------------------------------

    def join(self, of: str, key: Any, order: int) -> None:
        super().join(of, key, order)
        self._part_of[key] = of
        if of in self._turns:
            self._take_turn(of, key, order)

    def leave(self, of: str, key: Any, order: int) -> None:
        super().leave(of, key, order)
        del self._part_of[key]
        if of in self._turns:
            self._lose_turn(of, key)

    def move_all(self, of: str, to: str, by: int) -> None:
        super().move_all(of, to, by)
        self._sort()

    def move_back(self, of: str, to: str, by: int, first: int) -> None:
        super().move_back(of, to, by, first)
        self._sort()

    def load(self, data: dict[str, Any]) -> None:
        super().load(data)
        self._sort()

    def clear(self) -> None:
        """Forget everybody; not to be undone."""
        self.orders.clear()
        self._sort()

    def _take_turn(self, part: str, member: K, order: int) -> None:
        place = self._places[member] = (*self._ranks[part](member, order), member)
        self._turns[part].add(place)

    def _lose_turn(self, part: str, member: K) -> None:
        self._turns[part].remove(self._places.pop(member))

    def _sort(self) -> None:
        self._part_of = {member: part for part, members in self.orders.items() for member in members}
        self._places = {
            member: (*rank(member, order), member)
            for part, rank in self._ranks.items()
            for member, order in self.orders.get(part, {}).items()
        }
        for part in self._ranks:
            self._turns[part] = Turns(self._places[member] for member in self.orders.get(part, ()))
