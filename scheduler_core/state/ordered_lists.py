"""Lists whose members keep the order in which they came."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Generic, TypeVar

from scheduler_core.state.journal import Join, Journal, Leave, Lists, MoveAll

K = TypeVar("K")


class OrderedLists(Lists, Generic[K]):
    """Lists of one name. `orders[of]` maps each member to its order, in that order; to be read only."""

    def __init__(
        self, journal: Journal, name: str = "", *, name_of: Callable[[K], str] = str, told: bool = False
    ) -> None:
        self._journal = journal
        self._name_of = name_of
        self.name = name
        self.told = told
        self.orders: dict[str, dict[K, int]] = {}
        self._last = 0

    def get(self, of: str, default: Sequence[K] = ()) -> Sequence[K]:
        """Return the members of a list in their order."""
        members = self.orders.get(of)
        return list(members) if members else default

    def items(self) -> Iterator[tuple[str, list[K]]]:
        """Yield every list that has members."""
        for of, members in self.orders.items():
            if members:
                yield of, list(members)

    def append(self, of: str, key: K) -> None:
        """Let something join a list behind all others."""
        self._journal.do(Join(self, of, key, self._last + 1))

    def take_out(self, of: str, key: K) -> None:
        """Take a member out of a list."""
        self._journal.do(Leave(self, of, key, self.orders[of][key]))

    def move_members(self, of: str, to: str) -> None:
        """Put all members of a list behind those of another, at once."""
        moved = self.orders.get(of)
        if moved:
            first = self._last + 1
            by = first - min(moved.values())
            self._journal.do(MoveAll(self, of, to, by, first, len(moved)))

    # -- the journal's verbs -------------------------------------------------------------------------

    def id_of(self, key: Any) -> str:
        return self._name_of(key)

    def join(self, of: str, key: Any, order: int) -> None:
        members = self.orders.setdefault(of, {})
        is_last = not members or order > next(reversed(members.values()))
        members[key] = order
        if not is_last:
            self.orders[of] = dict(sorted(members.items(), key=lambda member: member[1]))
        self._last = max(self._last, order)

    def leave(self, of: str, key: Any, order: int) -> None:
        del self.orders[of][key]

    def unjoin(self, of: str, key: Any, order: int) -> None:
        self.leave(of, key, order)
        self._last = order - 1

    def move_all(self, of: str, to: str, by: int) -> None:
        target = self.orders.setdefault(to, {})
        for key, order in self.orders[of].items():
            target[key] = order + by
            self._last = max(self._last, order + by)
        self.orders[of] = {}

    def move_back(self, of: str, to: str, by: int, first: int) -> None:
        target = self.orders[to]
        moved = {key: order for key, order in target.items() if order >= first}
        for key in moved:
            del target[key]
        self.orders[of] = {key: order - by for key, order in moved.items()}
        self._last = first - 1

    # -- checkpoints ---------------------------------------------------------------------------------

    def dump(self) -> dict[str, Any]:
        """Return all lists as plain data."""
        orders = {
            of: [list(members), list(members.values())]
            for of, members in sorted(self.orders.items())
            if members
        }
        return {"last": self._last, "orders": orders}

    def load(self, data: dict[str, Any]) -> None:
        """Restore what `dump` returned."""
        self._last = data["last"]
        self.orders = {of: dict(zip(*members, strict=True)) for of, members in data["orders"].items()}
