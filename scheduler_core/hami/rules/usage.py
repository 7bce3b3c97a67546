"""What nodes have registered, what pods hold of it, and so what is left of each card.

What pods hold is a table; what is used of a card follows from it and is kept for each node until something of
the node changes. `changes` names nodes in the order in which something of them changed, undoing included.

Source: HAMi v2.10.0 pkg/scheduler/nodes.go, pkg/device/pods.go, pkg/scheduler/scheduler.go getNodesUsage.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from scheduler_core.equivalence.invalidation import ChangeList
from scheduler_core.hami.rules.cards import Card, Usage
from scheduler_core.hami.rules.charging import NOTHING, NodeUsage, count_usage, with_one_more
from scheduler_core.hami.rules.pod_request import NodeInfo
from scheduler_core.schedulers.card_rows import RowsByNode
from scheduler_core.schedulers.card_tables import CARDS, HOLDINGS, CardRow, HoldingRow, slice_text
from scheduler_core.state.journal import Journal
from scheduler_core.state.log_table import Rows
from scheduler_core.state.register import Register

MOST_CHANGES = 100_000
_COUNTS_KEPT = 2
"""How many counts of a node are kept: what is taken back and made again is not counted anew."""


class Registered(msgspec.Struct, frozen=True):
    """A node's cards by vendor key, and its annotations when it registered last."""

    annotations: dict[str, str]
    cards: dict[str, tuple[Card, ...]]


class _Count(NamedTuple):
    """What is used of a node, and the log's rows of its cards, when so much is registered and held."""

    registered: Registered | None
    held: dict[str, HoldingRow]
    usage: NodeUsage
    rows: dict[str, CardRow]


class _Nodes(Register[str, Registered]):
    def __init__(self, inventory: Inventory, journal: Journal) -> None:
        super().__init__(journal)
        self._inventory = inventory

    def write(self, key: Any, field: str, value: Any) -> None:
        super().write(key, field, value)
        self._inventory.touch(key)


class Inventory:
    """Nodes with cards, and the pods that hold some."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.changes: ChangeList[str] = ChangeList(MOST_CHANGES)
        self._now: dict[str, _Count] = {}
        """The last count of each node."""
        self._since: dict[str, set[str]] = {}
        """The pods of which something has changed since, by nodes whose last count may be wrong by now."""
        self._counts: dict[str, list[_Count]] = {}
        self._untold: dict[str, None] = {}
        self._nodes = _Nodes(self, journal)
        self.holdings: RowsByNode[HoldingRow] = RowsByNode(journal, HOLDINGS, HoldingRow, self.touch)
        self._cards: RowsByNode[CardRow] = RowsByNode(journal, CARDS, CardRow, self._tell_later)

    def touch(self, node: str, *pods: str) -> None:
        """Note that something of a node has changed: what pods, by uid, hold, or what it has registered."""
        self.changes.note(node)
        self._since.setdefault(node, set()).update(pods)
        self._untold[node] = None

    # -- nodes ---------------------------------------------------------------------------------------

    def nodes(self) -> Mapping[str, Registered]:
        """Return what nodes have registered."""
        return self._nodes.values

    def node(self, name: str) -> NodeInfo | None:
        """Return what a node has registered, None where that is nothing."""
        found = self._nodes.get(name)
        return None if found is None else NodeInfo(name, found.annotations, found.cards)

    def register(
        self, name: str, annotations: Mapping[str, str], vendor: str, cards: tuple[Card, ...]
    ) -> None:
        """Take over a vendor's cards of a node."""
        before = self._nodes.get(name)
        known = {} if before is None else before.cards
        registered = Registered(dict(annotations), {**known, vendor: cards})
        if registered != before:
            self._nodes.put(name, registered)

    def remove_vendor(self, name: str, vendor: str) -> bool:
        """Take a vendor's cards from a node; return whether it had any."""
        before = self._nodes.get(name)
        if before is None or vendor not in before.cards:
            return False
        left = {key: cards for key, cards in before.cards.items() if key != vendor}
        if left:
            self._nodes.put(name, Registered(before.annotations, left))
        else:
            self._nodes.drop(name)
        return True

    def remove_node(self, name: str) -> None:
        """Forget a node's cards; pods keep what they hold of them."""
        if name in self._nodes.values:
            self._nodes.drop(name)

    # -- pods ----------------------------------------------------------------------------------------

    def add(self, uid: str, row: HoldingRow) -> bool:
        """Let a pod hold cards; return whether it held none. What init containers gave back stays free."""
        before = self.holdings.rows.get(uid)
        if before is not None and before.init_done:
            row = msgspec.structs.replace(row, devices=before.devices, init_done=True)
        self.holdings.put(uid, row)
        return before is None

    def take_out(self, uid: str) -> HoldingRow | None:
        """Let a pod hold no cards; return what it held."""
        row = self.holdings.rows.get(uid)
        if row is not None:
            self.holdings.drop(uid)
        return row

    # -- what is used --------------------------------------------------------------------------------

    def usage(self, name: str) -> NodeUsage:
        """Return what is used of a node's cards."""
        return self._count_of(name).usage

    def _count_of(self, name: str) -> _Count:
        found, changed = self._now.get(name), self._since.pop(name, None)
        if found is None or changed is not None:
            found = self._now[name] = self._counted(name, found, changed or set())
        return found

    def _counted(self, name: str, last: _Count | None, changed: set[str]) -> _Count:
        registered, held = self._nodes.get(name), self._held(name, last, changed)
        counts = self._counts.setdefault(name, [])
        for known in counts:
            if known.registered is registered and known.held == held:
                return known
        count = None
        if last is not None and last.registered is registered:
            count = _one_more(
                name, last, held, [uid for uid in changed if held.get(uid) != last.held.get(uid)]
            )
        if count is None:
            usage = NOTHING if registered is None else count_usage(registered.cards, held.values())
            count = _Count(registered, held, usage, _rows(name, usage.cards))
        counts.append(count)
        del counts[:-_COUNTS_KEPT]
        return count

    def _held(self, name: str, last: _Count | None, changed: set[str]) -> dict[str, HoldingRow]:
        """Return what pods hold of a node now, by uid."""
        rows, here = self.holdings.rows, self.holdings.on_node.get(name, set())
        if last is None:
            return {uid: rows[uid] for uid in here}
        held = last.held.copy()
        for uid in changed:
            if uid in here:
                held[uid] = rows[uid]
            else:
                held.pop(uid, None)
        return held

    # -- the log -------------------------------------------------------------------------------------

    @property
    def cards(self) -> Rows[CardRow]:
        """The table of cards as they are now."""
        self.tell_always()
        return self._cards

    def tell(self) -> None:
        """Bring the table of cards up to date, where the log tells it decision by decision."""
        if self._journal.tells:
            self.tell_always()

    def tell_always(self) -> None:
        """Bring the table of cards up to date."""
        for node in list(self._untold):
            self._tell(node)
        self._untold.clear()

    def _tell_later(self, node: str, _card: str) -> None:
        self._untold[node] = None

    def _tell(self, node: str) -> None:
        rows = self._count_of(node).rows
        for key in sorted(self._cards.on_node.get(node, set()) - rows.keys()):
            self._cards.drop(key)
        known = self._cards.rows
        for key, row in rows.items():
            if known.get(key) != row:
                self._cards.put(key, row)

    # -- checkpoints ---------------------------------------------------------------------------------

    def dump(self) -> dict[str, Any]:
        """Return everything as plain data."""
        nodes = [[name, msgspec.to_builtins(found)] for name, found in sorted(self._nodes.values.items())]
        return {"nodes": nodes, "holdings": self.holdings.dump(), "cards": self.cards.dump()}

    def load(self, data: Mapping[str, Any]) -> None:
        """Restore what `dump` returned."""
        self._nodes.load((name, msgspec.convert(found, Registered)) for name, found in data["nodes"])
        self.holdings.load(data["holdings"])
        self._cards.load(data["cards"])
        self._now.clear()
        self._since.clear()
        self._counts.clear()
        self._untold.clear()


def _one_more(name: str, known: _Count, held: dict[str, HoldingRow], changed: Sequence[str]) -> _Count | None:
    """Return the count made of one that is known, if the difference is one more pod; else None."""
    if len(changed) != 1 or changed[0] in known.held:
        return None
    usage = with_one_more(known.usage, held[changed[0]])
    if usage is None:
        return None
    cards = [now for now, before in zip(usage.cards, known.usage.cards, strict=True) if now is not before]
    return _Count(known.registered, held, usage, known.rows | _rows(name, cards))


def _rows(node: str, cards: Iterable[Usage]) -> dict[str, CardRow]:
    return {f"{node}/{usage.card.id}": _row(node, usage) for usage in cards}


def _row(node: str, usage: Usage) -> CardRow:
    card = usage.card
    return CardRow(
        node,
        card.id,
        usage.vendor,
        card.index,
        card.type,
        card.mode,
        card.numa,
        usage.health,
        card.count,
        card.memory,
        card.cores,
        usage.used,
        usage.memory,
        usage.cores,
        [slice_text(one) for one in usage.slices],
    )
