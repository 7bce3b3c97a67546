"""The order in which a scheduler goes through the nodes: as it stood when the scheduler last listed them.

A scheduler lists the nodes anew before an attempt where one has come that was not there at the last attempt,
or one is no longer there. A node that changes its zone, or goes and comes again between two attempts, keeps
its old place in the list until another node comes or goes.

Source: kubernetes v1.36 pkg/scheduler/backend/cache/cache.go UpdateSnapshot, updateNodeInfoSnapshotList.
"""

from __future__ import annotations

from collections.abc import Iterable

from scheduler_core.state.checkpoint import ByName, Checkpointed
from scheduler_core.state.journal import Journal
from scheduler_core.state.node_order import Turn, round_the_zones
from scheduler_core.state.nodes import IntArray, NodeTable
from scheduler_core.state.register import Register


def _turn(values: Iterable[int]) -> Turn:
    return Turn(*values)


class _List(Checkpointed):
    """What one scheduler's list has otherwise than the nodes stand now."""

    remembered = {"listed": "listed", "old": "old", "gone": "gone", "new": "new"}

    def __init__(self, journal: Journal) -> None:
        self.listed: Register[str, bool] = Register(journal, {"once": False}.items())
        """Whether there has been an attempt."""
        self.old: Register[str, Turn] = Register(journal, read=_turn)
        """The turns in the list of nodes that have others by now."""
        self.gone: Register[str, Turn] = Register(journal, read=_turn)
        """The turns in the list of nodes that are no longer there."""
        self.new: Register[str, bool] = Register(journal)
        """Nodes that the list lacks."""

    def change(self, name: str, before: Turn, now: Turn) -> None:
        if name not in self.new.values and before != now and name not in self.old.values:
            self.old.put(name, before)

    def add(self, name: str, turn: Turn) -> None:
        listed = self.gone.get(name)
        if listed is None:
            self.new.put(name, True)
            return
        self.gone.drop(name)
        if listed != turn:
            self.old.put(name, listed)

    def remove(self, name: str, turn: Turn) -> None:
        if name in self.new.values:
            self.new.drop(name)
            return
        self.gone.put(name, self.old.values.get(name, turn))
        if name in self.old.values:
            self.old.drop(name)

    def look(self) -> None:
        if not self.listed.values["once"]:
            self.listed.put("once", True)
        elif not self.gone.values and not self.new.values:
            return
        for register in (self.old, self.gone, self.new):
            for name in list(register.values):
                register.drop(name)

    @property
    def is_stale(self) -> bool:
        """Whether the next attempt goes through the nodes otherwise than they stand now."""
        return bool(
            self.listed.values["once"] and self.old.values and not self.gone.values and not self.new.values
        )


class ListedOrder(Checkpointed):
    """Each scheduler that has joined has a list of its own; for any other the nodes stand as they do now."""

    remembered = {"lists": "_by_viewer"}

    def __init__(self, journal: Journal, nodes: NodeTable) -> None:
        self._journal = journal
        self._nodes = nodes
        self._lists: dict[str, _List] = {}
        self._viewers: dict[str, str] = {}
        self._by_viewer = ByName(self._lists.items)

    def join(self, viewer: str, scheduler_names: Iterable[str]) -> None:
        """Let a scheduler list nodes by itself, for the pods that ask for one of these names."""
        self._lists[viewer] = _List(self._journal)
        self._viewers.update(dict.fromkeys(scheduler_names, viewer))

    def look(self, viewer: str) -> None:
        """Note that a scheduler begins an attempt."""
        self._lists[viewer].look()

    def change(self, name: str, before: Turn, now: Turn) -> None:
        """Note that a node has another turn."""
        for each in self._lists.values():
            each.change(name, before, now)

    def add(self, name: str, turn: Turn) -> None:
        """Note that a node comes."""
        for each in self._lists.values():
            each.add(name, turn)

    def remove(self, name: str, turn: Turn) -> None:
        """Note that a node goes; it had this turn."""
        for each in self._lists.values():
            each.remove(name, turn)

    def rows(self, scheduler_name: str) -> IntArray:
        """Return the nodes' rows in the order in which a pod's scheduler goes through them."""
        listed = self._lists.get(self._viewers.get(scheduler_name, ""))
        if listed is None or not listed.is_stale:
            return self._nodes.in_turn
        pairs = zip(self._nodes.names, self._nodes.turns, strict=True)
        return round_the_zones([listed.old.values.get(name, turn) for name, turn in pairs])
