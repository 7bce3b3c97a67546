"""Fold the decision log: what is in every table and list after each decision.

In goes the `RunState` before the first decision, then decisions in the order of their numbers; out comes
the state after any of them, forwards and backwards. Nothing is decided here, and nobody is known: a
decision's `changes` are carried out to the letter, on whatever table or list they name, and `revert` is their
exact inverse. `static/js/fold.js` is the same in the browser; both are held to `tests/vectors/fold/`.
"""

from collections.abc import Callable
from typing import Any

from scheduler_core.events.changes import Appear, Change, Join, Leave, MoveAll, Set, Vanish
from scheduler_core.events.decisions import Decision
from scheduler_core.events.state import RunState

Row = dict[str, Any]
Members = dict[str, int]


class OutOfStep(ValueError):
    """A decision or a change that doesn't fit the state it is applied to."""


class Fold:
    """A state that moves one decision forwards or backwards, back to `first`, where it began."""

    def __init__(self, run_state: RunState) -> None:
        self.at = self.first = run_state.at
        self._start = run_state.time
        self._times: list[int | None] = []
        self._tables = {
            table: {key: dict(row) for key, row in rows.items()} for table, rows in run_state.tables.items()
        }
        self._lists = {
            name: {of: dict(members) for of, members in lists.items()}
            for name, lists in run_state.lists.items()
        }

    def apply(self, decision: Decision) -> None:
        """Move from decision `seq - 1` to `seq`; raises OutOfStep if the fold stands elsewhere."""
        if decision.seq != self.at + 1:
            raise OutOfStep(f"decision {decision.seq} doesn't follow decision {self.at}")
        for change in decision.changes:
            _APPLY[type(change)](self, change)
        self.at = decision.seq
        self._times.append(decision.time)

    def revert(self, decision: Decision) -> None:
        """Move from decision `seq` back to `seq - 1`; raises OutOfStep if the fold stands elsewhere."""
        if decision.seq != self.at:
            raise OutOfStep(f"decision {decision.seq} isn't the last one, {self.at} is")
        for change in reversed(decision.changes):
            _REVERT[type(change)](self, change)
        self.at = decision.seq - 1
        self._times.pop()

    def state(self) -> RunState:
        """Return the present state, independent of later moves."""
        time = self._times[-1] if self._times else self._start
        return RunState.of(self.at, time, self._tables, self._lists)

    # -- tables --------------------------------------------------------------------------------------

    def _row(self, table: str, key: str) -> Row:
        row = self._tables.get(table, {}).get(key)
        if row is None:
            raise OutOfStep(f"{table} has no {key}")
        return row

    def _set(self, change: Set) -> None:
        self._write(change, change.old, change.new)

    def _set_back(self, change: Set) -> None:
        self._write(change, change.new, change.old)

    def _write(self, change: Set, old: Row, new: Row) -> None:
        row = self._row(change.table, change.id)
        for field, value in old.items():
            if row.get(field) != value:
                raise OutOfStep(f"{field} of {change.id} in {change.table} isn't {value!r}")
        row.update(new)

    def _appear(self, change: Appear | Vanish) -> None:
        rows = self._tables.setdefault(change.table, {})
        if change.id in rows:
            raise OutOfStep(f"{change.table} has {change.id} already")
        rows[change.id] = dict(change.row)

    def _vanish(self, change: Appear | Vanish) -> None:
        if self._row(change.table, change.id) != change.row:
            raise OutOfStep(f"{change.id} in {change.table} isn't what vanishes")
        del self._tables[change.table][change.id]

    # -- lists ---------------------------------------------------------------------------------------

    def _members(self, name: str, of: str) -> Members:
        return self._lists.setdefault(name, {}).setdefault(of, {})

    def _join(self, change: Join | Leave) -> None:
        members = self._members(change.list, change.of)
        if change.id in members:
            raise OutOfStep(f"{change.id} is in {change.list} of {change.of} already")
        members[change.id] = change.order

    def _unjoin(self, change: Join | Leave) -> None:
        members = self._members(change.list, change.of)
        if members.get(change.id) != change.order:
            raise OutOfStep(f"{change.id} isn't at {change.order} in {change.list} of {change.of}")
        del members[change.id]

    def _leave(self, change: Leave) -> None:
        self._unjoin(change)
        if change.filler is not None:
            self._members(change.list, change.of)[change.filler.id] = change.order

    def _return(self, change: Leave) -> None:
        if change.filler is not None:
            self._members(change.list, change.of)[change.filler.id] = change.filler.order
        self._join(change)

    def _move_all(self, change: MoveAll) -> None:
        moved = self._members(change.list, change.of)
        if len(moved) != change.count:
            raise OutOfStep(f"{change.list} of {change.of} has {len(moved)} members, not {change.count}")
        target = self._members(change.list, change.to)
        target.update((key, order + change.by) for key, order in moved.items())
        moved.clear()

    def _move_back(self, change: MoveAll) -> None:
        target = self._members(change.list, change.to)
        moved = {key: order for key, order in target.items() if order >= change.first}
        if len(moved) != change.count:
            raise OutOfStep(f"{len(moved)} members came to {change.list} of {change.to}, not {change.count}")
        for key in moved:
            del target[key]
        back = self._members(change.list, change.of)
        back.update((key, order - change.by) for key, order in moved.items())


_APPLY: dict[type[Change], Callable[[Fold, Any], None]] = {
    Set: Fold._set,
    Appear: Fold._appear,
    Vanish: Fold._vanish,
    Join: Fold._join,
    Leave: Fold._leave,
    MoveAll: Fold._move_all,
}
_REVERT: dict[type[Change], Callable[[Fold, Any], None]] = {
    Set: Fold._set_back,
    Appear: Fold._vanish,
    Vanish: Fold._appear,
    Join: Fold._unjoin,
    Leave: Fold._return,
    MoveAll: Fold._move_back,
}
