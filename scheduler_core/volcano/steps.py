"""The steps that a session is made of, as its actions take them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from scheduler_core.volcano.fit_errors import FitErrors
from scheduler_core.volcano.jobs import Job
from scheduler_core.volcano.queues import Queue
from scheduler_core.volcano.tasks import Task


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
class Try:
    """One try at a task: whether it was `allocated`, `pipelined`, `refused`, or `skipped` unseen.

    `why` says why not: its queue, its role, an error, or the nodes' refusals.
    """

    task: Task
    outcome: Literal["allocated", "pipelined", "bound", "refused", "skipped"]
    node: str = ""
    why: str = ""
    errors: FitErrors | None = None
    victims: list[Task] = field(default_factory=list)


@dataclass
class Settled:
    """What became of a job's statement: `committed`, `kept` open, or `discarded`, with what it had done."""

    job: Job
    outcome: Literal["committed", "kept", "discarded"]
    tasks: list[Task]


Step = Enqueue | Dropped | Try | Settled
