"""One thing that happened where a clock moves, before it is told as a decision."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from scheduler_core.events.exchanges import Exchange
from scheduler_core.kube.look import Looked
from scheduler_core.kube.queueing.report import Report
from scheduler_core.kube.timed_scheduler import Begun
from scheduler_core.schedulers.clocked import AttemptingScheduler, SessionScheduler
from scheduler_core.schedulers.run_parts import RunControllers
from scheduler_core.world.controllers.controller import Acted
from scheduler_core.world.timeline_entry import Entry


class Stay(NamedTuple):
    """Why a pod isn't evicted: it is `skipped` and not even asked for, or the eviction is `refused`."""

    outcome: Literal["skipped", "refused"]
    message: str


class Work(NamedTuple):
    """A piece of work of a scheduler's own controllers."""

    controllers: RunControllers
    plan: Any


@dataclass
class Happening:
    """What happened did this to the queues, and was about this.

    An entry's `report` is None if what it is about wasn't there, or was refused, as `why` says. `begun` is
    the attempt that began or ended; of one that began, `looked` has all that was found out. `why` is also why
    a pod left. `holder` has taken a step of a session, or has held the sessions `idle` (the first and the
    last of them), in which nothing happened.
    `work` is what a scheduler's own controllers did, `acted` what one of the cluster's did. `exchanges` are
    those with an extender that was to bind. `cause` is the decision that led to an eviction.
    """

    kind: Literal[
        "entry", "left", "eviction", "flush", "begin", "end", "session", "idle", "reconcile", "controller"
    ]
    report: Report | None
    entry: Entry | None = None
    stay: Stay | None = None
    pod: int | None = None
    why: str = ""
    scheduler: AttemptingScheduler | None = None
    begun: Begun | None = None
    looked: Looked | None = None
    holder: SessionScheduler | None = None
    idle: tuple[int, int] | None = None
    work: Work | None = None
    acted: Acted | None = None
    exchanges: list[Exchange] = field(default_factory=list)

    @property
    def touches_cluster(self) -> bool:
        """Whether a session sees it: an attempt that came to nothing changes nothing in the cluster."""
        begun = self.begun
        if begun is not None:
            return begun.outcome == "scheduled" or (self.kind == "end" and bool(begun.victims))
        if self.kind == "entry":
            return self.report is not None
        return self.kind in ("left", "eviction", "reconcile", "controller")
