"""Volcano's own objects in a run's state: pod groups, queues, and who stands in an open statement.

| table | id | row |
| --- | --- | --- |
| `groups` | namespace/name | GroupRow |
| `queues` | name | QueueRow |
| `jobs` | namespace/name | JobRow, of Volcano's own jobs |
| `hyper_nodes` | name | HyperNodeRow, where there are some |
| `whereabouts` | namespace/name | WhereaboutsRow, of jobs that are somewhere among them |
| `tasks/<actor>` | uid | TaskRow, of pods that a session has touched and not settled |
"""

from __future__ import annotations

from scheduler_core.events.changes import Event
from scheduler_core.events.state import GROUPS, HYPER_NODES, JOBS, QUEUES, TASKS, WHEREABOUTS

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


class HyperNodeRow(Event, frozen=True):
    """A hyper node. `nodes` are its own and those of all below it; `parent` is empty at the top."""

    name: str
    tier: int
    tier_name: str
    parent: str
    nodes: list[str]


class WhereaboutsRow(Event, frozen=True):
    """The hyper node around a job's pods, as sessions know it; `parts` are those of its sub jobs, by uid."""

    job: str
    hyper_node: str
    parts: dict[str, str]


class TaskRow(Event, frozen=True):
    """A pod in an open statement: `allocated` or `pipelined` on `node`, or `evicted` from it."""

    pod: str
    job: str
    node: str
    status: str


TABLES: dict[str, type] = {
    GROUPS: GroupRow,
    QUEUES: QueueRow,
    JOBS: JobRow,
    TASKS: TaskRow,
    HYPER_NODES: HyperNodeRow,
    WHEREABOUTS: WhereaboutsRow,
}
