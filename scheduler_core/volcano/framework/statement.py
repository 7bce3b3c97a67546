"""A statement: evictions and placements that are carried out together, or taken back.

Source: volcano v1.16 pkg/scheduler/framework/statement.go.
"""

from __future__ import annotations

from typing import NamedTuple

from scheduler_core.volcano.framework.session import Session
from scheduler_core.volcano.model.tasks import Task, TaskStatus, Transaction


class Operation(NamedTuple):
    """What was done to a task: it was `evicted`, `pipelined` or `allocated`."""

    name: str
    task: Task
    reason: str = ""


class Saved(NamedTuple):
    """An operation that can be done again after it was taken back."""

    operation: Operation
    node: str
    evicting: bool
    near: str
    taken_back: Transaction | None


class Statement:
    """What was tried so far."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.operations: list[Operation] = []

    @property
    def evicts(self) -> bool:
        """Whether somebody would be evicted."""
        return any(operation.name == "evicted" for operation in self.operations)

    def evict(self, task: Task, reason: str) -> None:
        """Let a task go; its room will be free."""
        session = self._session
        session.set_status(task, TaskStatus.RELEASING)
        session.nodes.update(task, session.nodes.row[task.node])
        session.heard_deallocated(task)
        self.operations.append(Operation("evicted", task, reason))

    def pipeline(self, task: Task, node: int, *, evicting: bool) -> bool:
        """Promise a task a node on which room is still to be freed; return whether no plugin fails."""
        task.evicting = evicting
        if not place(self._session, task, node, TaskStatus.PIPELINED):
            return False
        self.operations.append(Operation("pipelined", task))
        return True

    def allocate(self, task: Task, node: int) -> bool:
        """Give a task a node; return whether no plugin fails."""
        if not place(self._session, task, node, TaskStatus.ALLOCATED):
            return False
        self.operations.append(Operation("allocated", task))
        return True

    def take_from(self, other: Statement) -> None:
        """Take over what another statement has done."""
        self.operations += other.operations
        other.operations = []

    def save(self) -> list[Saved]:
        """Return what was done, so that it can be done again."""
        return [
            Saved(one, one.task.node, one.task.evicting, one.task.near, one.task.taken_back)
            for one in self.operations
        ]

    def redo(self, saved: Saved) -> bool:
        """Do again what was saved; return whether no plugin fails."""
        (name, task, reason), task.taken_back = saved.operation, saved.taken_back
        if name == "evicted":
            self.evict(task, reason)
            return True
        task.near, node = saved.near, self._session.nodes.row[saved.node]
        if name == "allocated":
            return self.allocate(task, node)
        return self.pipeline(task, node, evicting=saved.evicting)

    def commit(self) -> None:
        """Send out binds and evictions. What was pipelined stays; a bind that is not sent is taken back."""
        for name, task, reason in self.operations:
            task.taken_back = None
            if name == "evicted":
                self._session.witness.evicted(task, reason)
            elif name == "allocated" and self._session.bind(task) is not None:
                displace(self._session, task)
        self.operations = []

    def discard(self) -> None:
        """Take everything back, the latest first."""
        for name, task, _ in reversed(self.operations):
            task.taken_back = Transaction(task.status, task.node, task.evicting)
            if name == "evicted":
                self._keep(task)
            else:
                displace(self._session, task)
        self.operations = []

    def _keep(self, task: Task) -> None:
        """Take an eviction back. Who was bound and not running yet counts as running from then on."""
        session = self._session
        session.set_status(task, TaskStatus.RUNNING)
        session.nodes.update(task, session.nodes.row[task.node])
        session.heard_allocated(task)


def place(session: Session, task: Task, node: int, status: TaskStatus) -> bool:
    """Put a task on a node, allocated or pipelined; where a plugin fails it is taken off again."""
    session.set_status(task, status)
    task.node = session.nodes.names[node]
    session.nodes.add(task, node)
    if session.heard_allocated(task):
        displace(session, task)
        return False
    return True


def displace(session: Session, task: Task) -> None:
    """Take a placement back."""
    session.set_status(task, TaskStatus.PENDING)
    session.nodes.remove(task, session.nodes.row[task.node])
    session.heard_deallocated(task)
    task.node = task.near = ""
