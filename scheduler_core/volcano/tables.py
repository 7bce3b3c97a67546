"""Volcano's own objects in a run's state: pod groups, queues, and who stands in an open statement.

| table | id | row |
| --- | --- | --- |
| `groups` | namespace/name | GroupRow |
| `queues` | name | QueueRow |
| `jobs` | namespace/name | JobRow, of Volcano's own jobs |
| `tasks/<actor>` | uid | TaskRow, of pods that a session has touched and not settled |
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic, TypeVar

import msgspec

from scheduler_core.events.changes import Event
from scheduler_core.state.journal import Appear, Journal, Set, Table, Vanish

R = TypeVar("R", bound=msgspec.Struct)

GROUPS, QUEUES, JOBS, TASKS = "groups", "queues", "jobs", "tasks/"
Figures = dict[str, int | float | None]
"""Whole amounts are whole numbers, so that a row that was read again is written as it was."""


class GroupRow(Event, frozen=True):
    """A pod group. `priority` is that of its class, `message` that of its newest condition."""

    namespace: str
    name: str
    queue: str
    priority: int
    min_member: int
    min_resources: Figures
    phase: str
    reason: str = ""
    message: str = ""
    share: float | None = None


class QueueRow(Event, frozen=True):
    """A queue. The figures are those of proportion or capacity, empty before the first session."""

    name: str
    weight: int
    priority: int
    parent: str
    reclaimable: bool
    state: str
    capability: Figures
    guarantee: Figures
    deserved: Figures = {}
    allocated: Figures = {}
    request: Figures = {}
    inqueue: Figures = {}
    share: float | None = None


class JobTask(Event, frozen=True):
    """A task of a job: how many pods it is to have and needs at least; `counts` are its pods by phase."""

    name: str
    replicas: int
    min_available: int | None
    counts: dict[str, int]


class JobRow(Event, frozen=True):
    """A job of Volcano's, as its status says. `version` goes up with every kill.

    `group` is its pod group, `namespace/name`. `min_success` and `ttl` (seconds after its end) are null
    where the job doesn't say.
    """

    namespace: str
    name: str
    queue: str
    group: str
    phase: str
    since: str | None
    min_available: int
    min_success: int | None
    max_retry: int
    retry_count: int
    version: int
    ttl: int | None
    tasks: list[JobTask]
    pending: int = 0
    running: int = 0
    succeeded: int = 0
    failed: int = 0
    terminating: int = 0
    unknown: int = 0


class TaskRow(Event, frozen=True):
    """A pod in an open statement: `allocated` or `pipelined` on `node`, or `evicted` from it."""

    pod: str
    job: str
    node: str
    status: str


class Rows(Table, Generic[R]):
    """A table of rows of one kind, told in the log under its name. `rows` is to be read only."""

    told = True

    def __init__(self, journal: Journal, name: str, rows: Iterable[tuple[str, R]] = ()) -> None:
        self.name = name
        self._journal = journal
        self.rows: dict[str, R] = dict(rows)

    def put(self, key: str, row: R) -> None:
        """Add a row, or give it what is new."""
        old = self.rows.get(key)
        if old is None:
            self._journal.do(Appear(self, key, row))
            return
        for field in row.__struct_fields__:
            before, after = getattr(old, field), getattr(row, field)
            if before != after:
                self._journal.do(Set(self, key, field, before, after))

    def drop(self, key: str) -> None:
        """Take a row away."""
        self._journal.do(Vanish(self, key, self.rows[key]))

    def write(self, key: Any, field: str, value: Any) -> None:
        self.rows[key] = msgspec.structs.replace(self.rows[key], **{field: value})

    def insert(self, key: Any, content: Any) -> None:
        self.rows[key] = content

    def remove(self, key: Any, content: Any) -> None:
        del self.rows[key]

    def fields(self, key: Any, field: str, old: Any, new: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        return {field: msgspec.to_builtins(old)}, {field: msgspec.to_builtins(new)}

    def row(self, key: Any) -> dict[str, Any]:
        plain: dict[str, Any] = msgspec.to_builtins(self.rows[key])
        return plain

    def told_rows(self) -> dict[str, dict[str, Any]]:
        """Return all rows as the log has them."""
        return {key: self.row(key) for key in self.rows}

    # -- checkpoints ---------------------------------------------------------------------------------

    def dump(self) -> dict[str, Any]:
        """Return the rows as plain data."""
        return self.told_rows()

    def load(self, data: dict[str, Any], kind: type[R]) -> None:
        """Restore what `dump` returned."""
        self.rows = {key: msgspec.convert(row, kind) for key, row in data.items()}
