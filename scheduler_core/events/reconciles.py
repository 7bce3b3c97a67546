"""What controllers decide: one decision for each piece of work that changed something or told somebody.

A controller that looks and finds nothing to do leaves no decision.
"""

from typing import Literal

from scheduler_core.events.changes import Event
from scheduler_core.events.decided import Decided as Decided
from scheduler_core.events.decided import PodRef as PodRef


class ObjectEvent(Event, frozen=True):
    """A Kubernetes event that a controller records of an object (`Kind namespace/name`)."""

    object: str
    type: str
    reason: str
    message: str


class Reconciled(Decided, frozen=True, tag_field="kind", tag="reconcile"):
    """A controller of Volcano's has worked off a request, taken a command, or done what came due.

    `object` is what it is about, `Kind namespace/name`; of a job, `whose` and `task` say whose event it was,
    `version` of which making of the job. `event` is what happened, `action` what is done about it, after
    `delay` (milliseconds) if that is given. `phase_before` and `phase` are those of the job, or the states
    of the queue or the job flow; null where there is none. `created`, `updated` and `deleted` are objects,
    `told` the Kubernetes events. `error` says why the work failed: `requeued` comes again, `failed` doesn't.
    """

    controller: Literal["job", "podgroup", "queue", "ttl", "jobflow", "jobtemplate", "cronjob"]
    object: str
    outcome: Literal["done", "delayed", "dropped", "requeued", "failed"]
    event: str
    action: str
    phase_before: str | None
    phase: str | None
    created: list[str]
    updated: list[str]
    deleted: list[str]
    told: list[ObjectEvent]
    whose: PodRef | None = None
    task: str = ""
    exit_code: int = 0
    version: int = 0
    due: bool = False
    delay: int | None = None
    error: str = ""
    pod: PodRef | None = None
