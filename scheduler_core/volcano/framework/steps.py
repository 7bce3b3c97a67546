"""The steps that a session is made of, as its actions take them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from scheduler_core.volcano.framework.victims import Votes
from scheduler_core.volcano.model.fit_errors import FitErrors
from scheduler_core.volcano.model.jobs import Job
from scheduler_core.volcano.model.nodes import Floats, Rows
from scheduler_core.volcano.model.queues import Queue
from scheduler_core.volcano.model.tasks import Task


@dataclass
class Enqueue:
    """A job asked to enter its queue."""

    job: Job
    entered: bool


@dataclass
class Dropped:
    """A queue has its share: none of its jobs is looked at any more in this action."""

    queue: Queue


@dataclass
class Choice:
    """A choice among nodes: their scores, and the best of them."""

    nodes: Rows
    scores: Floats
    best: Rows


@dataclass
class Try:
    """One try at a task: whether it was `allocated`, `pipelined`, `refused`, or `skipped` unseen.

    `why` says why not: its queue, its role, an error, or the nodes' refusals. `choice` is how it came to its
    node where there were several, `looked_at` how many nodes came into question, None for all.
    """

    task: Task
    outcome: Literal["allocated", "pipelined", "bound", "refused", "skipped"]
    node: str = ""
    why: str = ""
    errors: FitErrors | None = None
    victims: list[Task] = field(default_factory=list)
    asked: Votes | None = None
    choice: Choice | None = None
    looked_at: int | None = None


@dataclass
class Settled:
    """What became of a job's statement: `committed`, `kept` open, or `discarded`, with what it had done."""

    job: Job
    outcome: Literal["committed", "kept", "discarded"]
    tasks: list[Task]


@dataclass
class HyperNodeTry:
    """A try of a job in a hyper node, which is taken back: how many tasks found a node, and what it scored.

    `outcome` is `ready` or `pipelined` where that is enough, else `short`. `parts` are the hyper nodes of its
    parts, by uid.
    """

    hyper_node: str
    outcome: Literal["ready", "pipelined", "short"]
    placed: int
    score: float | None
    parts: dict[str, str]


@dataclass
class Searched:
    """A job was tried in hyper nodes; `chosen` is empty where none of them will do.

    `tries` is empty where none comes into question.
    """

    job: Job
    tries: list[HyperNodeTry]
    best: list[str]
    chosen: str


@dataclass
class Opened:
    """The session is open."""


@dataclass(frozen=True)
class PodWrite:
    """A pod's PodScheduled condition; `nominated` is the node that its status gets, if it gets one."""

    task: Task
    reason: str
    message: str
    nominated: str


@dataclass
class Closed:
    """The session is over: what pods are told, and how many were bound and evicted and entered."""

    writes: list[PodWrite]
    effects: dict[str, int]


Step = Opened | Enqueue | Dropped | Try | Settled | Searched | Closed
