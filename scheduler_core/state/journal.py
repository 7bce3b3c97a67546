"""The journal: every change to the state, one small record each, in order.

Nothing changes the state but `Journal.do`. From this one list come undo, nested trials, the log's changes,
and what a checkpoint must hold. A table or a list says what carrying out a change means for its own
columns, a change how the log has it (`said`; None where nobody is told). The verbs are those of
`scheduler_core.events.changes`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from scheduler_core.events import changes as events


class Table:
    """Something that has rows. `name` is the log's; a table that is not `told` is the engine's own affair."""

    name = ""
    told = False

    def write(self, key: Any, field: str, value: Any) -> None:
        """Give a field of a row a value."""
        raise NotImplementedError

    def insert(self, key: Any, content: Any) -> None:
        """Add a row."""
        raise NotImplementedError

    def remove(self, key: Any, content: Any) -> None:
        """Take a row away; an `insert` of the same brings all of it back."""
        raise NotImplementedError

    def id_of(self, key: Any) -> str:
        """Return how the log names a row."""
        return str(key)

    def fields(self, key: Any, field: str, old: Any, new: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return a field's old and new value as the log has them."""
        return {field: old}, {field: new}

    def row(self, key: Any) -> dict[str, Any]:
        """Return a row as the log has it."""
        raise NotImplementedError


class Lists:
    """Lists of one name, each of something: members with an order."""

    name = ""
    told = False

    def join(self, of: Any, key: Any, order: int) -> None:
        """Let something take a place."""
        raise NotImplementedError

    def leave(self, of: Any, key: Any, order: int) -> None:
        """Take a member out."""
        raise NotImplementedError

    def unjoin(self, of: Any, key: Any, order: int) -> None:
        """Undo `join`."""
        self.leave(of, key, order)

    def reorder(self, of: Any, key: Any, old: int, new: int) -> None:
        """Give a member another order."""
        raise NotImplementedError

    def move_all(self, of: Any, to: Any, by: int) -> None:
        """Move all members of a list to another; each order grows by `by`."""
        raise NotImplementedError

    def move_back(self, of: Any, to: Any, by: int, first: int) -> None:
        """Undo `move_all`: the members from `first` on came from `of`."""
        raise NotImplementedError

    def id_of(self, key: Any) -> str:
        """Return how the log names a member."""
        return str(key)

    def of_name(self, of: Any) -> str:
        """Return how the log names what a list is of."""
        return str(of)


@dataclass(slots=True)
class Set:
    """A field of a row gets a new value."""

    table: Table
    key: Any
    field: str
    old: Any
    new: Any

    def apply(self) -> None:
        self.table.write(self.key, self.field, self.new)

    def revert(self) -> None:
        self.table.write(self.key, self.field, self.old)

    def said(self) -> events.Set | None:
        if not self.table.told:
            return None
        old, new = self.table.fields(self.key, self.field, self.old, self.new)
        return events.Set(self.table.name, self.table.id_of(self.key), old, new) if new else None


@dataclass(slots=True)
class Appear:
    """A row comes into being; `row` is what the log says of it."""

    table: Table
    key: Any
    content: Any
    row: dict[str, Any] | None = None

    def apply(self) -> None:
        self.table.insert(self.key, self.content)

    def revert(self) -> None:
        self.table.remove(self.key, self.content)

    def said(self) -> events.Appear | None:
        if self.row is None:
            return None
        return events.Appear(self.table.name, self.table.id_of(self.key), self.row)


@dataclass(slots=True)
class Vanish:
    """A row ceases to be."""

    table: Table
    key: Any
    content: Any
    row: dict[str, Any] | None = None

    def apply(self) -> None:
        self.table.remove(self.key, self.content)

    def revert(self) -> None:
        self.table.insert(self.key, self.content)

    def said(self) -> events.Vanish | None:
        if self.row is None:
            return None
        return events.Vanish(self.table.name, self.table.id_of(self.key), self.row)


@dataclass(slots=True)
class Join:
    """Something takes its place in a list."""

    lists: Lists
    of: Any
    key: Any
    order: int

    def apply(self) -> None:
        self.lists.join(self.of, self.key, self.order)

    def revert(self) -> None:
        self.lists.unjoin(self.of, self.key, self.order)

    def said(self) -> events.Join | None:
        lists = self.lists
        if not lists.told:
            return None
        return events.Join(lists.name, lists.of_name(self.of), lists.id_of(self.key), self.order)


@dataclass(slots=True)
class Leave:
    """A member leaves a list; `filler` (and its order before) takes its place, if there is one."""

    lists: Lists
    of: Any
    key: Any
    order: int
    filler: tuple[Any, int] | None = None

    def apply(self) -> None:
        self.lists.leave(self.of, self.key, self.order)
        if self.filler is not None:
            self.lists.reorder(self.of, self.filler[0], self.filler[1], self.order)

    def revert(self) -> None:
        if self.filler is not None:
            self.lists.reorder(self.of, self.filler[0], self.order, self.filler[1])
        self.lists.join(self.of, self.key, self.order)

    def said(self) -> events.Leave | None:
        lists, filler = self.lists, self.filler
        if not lists.told:
            return None
        filled = None if filler is None else events.Filler(lists.id_of(filler[0]), filler[1])
        return events.Leave(lists.name, lists.of_name(self.of), lists.id_of(self.key), self.order, filled)


@dataclass(slots=True)
class MoveAll:
    """All members of a list go to another."""

    lists: Lists
    of: Any
    to: Any
    by: int
    first: int
    count: int

    def apply(self) -> None:
        self.lists.move_all(self.of, self.to, self.by)

    def revert(self) -> None:
        self.lists.move_back(self.of, self.to, self.by, self.first)

    def said(self) -> events.MoveAll | None:
        lists = self.lists
        if not lists.told:
            return None
        of, to = lists.of_name(self.of), lists.of_name(self.to)
        return events.MoveAll(lists.name, of, to, self.by, self.first, self.count)


Change = Set | Appear | Vanish | Join | Leave | MoveAll
_OF_ROWS = (Set, Appear, Vanish)


class Listener(Protocol):
    """Somebody who keeps what follows from the state."""

    def changed(self, change: Change, sign: int) -> None:
        """Hear of a change that was carried out (sign 1) or taken back (-1) just now."""

    def replaced(self) -> None:
        """Hear that the state was put in the place of another one, by no change."""


class _Aside:
    """What became final in a block that is taken back, of tables and lists that outlive it."""

    def __init__(self, lasting: frozenset[int]) -> None:
        self._lasting = lasting
        self.final: list[Change] = []

    def keep(self, changes: Iterable[Change]) -> None:
        """Add what is to be taken back of these."""
        for change in changes:
            of = change.table if isinstance(change, _OF_ROWS) else change.lists
            if id(of) in self._lasting:
                self.final.append(change)


class Journal:
    """The changes since the last `forget`.

    `tells` says whether somebody will ask for the log's changes: rows that come and go are then described.
    """

    def __init__(self) -> None:
        self._changes: list[Change] = []
        self._listeners: list[Listener] = []
        self._touched: dict[int, list[Any]] = {}
        self._looked_at = 0
        self._aside: _Aside | None = None
        self.tells = False

    def listen(self, listener: Listener) -> None:
        """Tell somebody of every change from now on, forwards and backwards."""
        self._listeners.append(listener)

    def replace(self) -> None:
        """Tell those who listen that the state is another one: it was read from a checkpoint."""
        self._changes.clear()
        self._look_anew()
        for listener in self._listeners:
            listener.replaced()

    def do(self, change: Change) -> None:
        """Carry out a change and note it."""
        if self.tells and isinstance(change, Vanish) and change.table.told:
            change.row = change.table.row(change.key)
        change.apply()
        self._changes.append(change)
        for listener in self._listeners:
            listener.changed(change, 1)
        if self.tells and isinstance(change, Appear) and change.table.told:
            change.row = change.table.row(change.key)

    def mark(self) -> int:
        """Return the present point."""
        return len(self._changes)

    def undo_to(self, mark: int) -> None:
        """Take back every change since `mark`, the latest first."""
        if mark < self._looked_at:
            self._look_anew()
        while len(self._changes) > mark:
            change = self._changes.pop()
            change.revert()
            for listener in self._listeners:
                listener.changed(change, -1)

    def take_back(self, mark: int = 0) -> list[Change]:
        """Take back all changes since `mark`; return them in the order in which `do` makes them again."""
        changes = self._changes[mark:]
        self.undo_to(mark)
        return changes

    def touched(self, table: Table) -> list[Any]:
        """Return the keys of the table's rows that have changed, each once."""
        if self._looked_at < len(self._changes):
            for change in self._changes[self._looked_at :]:
                if isinstance(change, _OF_ROWS):
                    self._touched.setdefault(id(change.table), []).append(change.key)
            self._looked_at = len(self._changes)
        found = self._touched.get(id(table))
        return [] if found is None else list(dict.fromkeys(found))

    def _look_anew(self) -> None:
        self._touched.clear()
        self._looked_at = 0

    def forget(self) -> None:
        """Make all changes so far final."""
        if self._aside is not None:
            self._aside.keep(self._changes)
        self._changes.clear()
        self._look_anew()

    @contextmanager
    def aside(self, lasting: Iterable[Table | Lists]) -> Iterator[None]:
        """Take back at the end all that the block does to these, also what becomes final in it.

        What was done before becomes final. Nobody who listens hears of the block, at whose end all is as it
        was; who begins to listen in it is forgotten then.
        """
        self.forget()
        listeners, tells = self._listeners, self.tells
        self._listeners, self.tells = [], False
        self._aside = _Aside(frozenset(map(id, lasting)))
        try:
            yield
        finally:
            self._listeners = []
            self.forget()
            self._changes, self._aside = self._aside.final, None
            self.undo_to(0)
            self._listeners, self.tells = listeners, tells

    def told(self) -> list[events.Change]:
        """Return the changes as the log has them; none where nobody asks for them."""
        return _told(self._changes) if self.tells else []


def _told(changes: Iterable[Change]) -> list[events.Change]:
    """Return what the log says.

    Neighbouring changes of one row become one; who leaves a list and at once takes the same place again
    has not moved.
    """
    said: list[events.Change] = []
    for change in changes:
        now = change.said()
        if now is None:
            continue
        last = said[-1] if said else None
        if isinstance(now, events.Set) and isinstance(last, events.Set) and _same_row(last, now):
            said[-1] = events.Set(now.table, now.id, last.old | now.old | last.old, last.new | now.new)
        elif isinstance(now, events.Join) and isinstance(last, events.Leave) and _came_back(last, now):
            said.pop()
        else:
            said.append(now)
    return said


def _same_row(one: events.Set, other: events.Set) -> bool:
    return (one.table, one.id) == (other.table, other.id)


def _came_back(left: events.Leave, joined: events.Join) -> bool:
    place = joined.list, joined.of, joined.id, joined.order
    return left.filler is None and (left.list, left.of, left.id, left.order) == place
