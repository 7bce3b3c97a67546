"""What the controllers of workloads decide: a decision for each look that did something or was refused."""

from typing import Literal

from scheduler_core.events.decided import Decided as Decided
from scheduler_core.events.decided import PodRef
from scheduler_core.events.queue_news import Heard, Wake
from scheduler_core.events.reconciles import ObjectEvent


class WorkloadStep(Decided, frozen=True, tag_field="kind", tag="workload"):
    """A controller has made, changed or deleted what its workload (`Kind namespace/name`) is to have.

    `created`, `updated` and `deleted` are objects. `pod` is the pod that came or was asked to go, if it is
    only one. `refused`: the API server has taken none of the pods; `message` has its words. A Job is
    `completed` or has `failed`. `told` are the Kubernetes events.
    """

    pod: PodRef | None
    outcome: Literal["created", "deleted", "updated", "refused", "completed", "failed"]
    object: str
    created: list[str]
    updated: list[str]
    deleted: list[str]
    message: str | None
    told: list[ObjectEvent]
    wakes: list[Wake]
    heard: list[Heard]
