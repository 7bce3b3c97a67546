"""What a kube-scheduler has decided about its next pod, before anything is changed."""

from dataclasses import dataclass

from scheduler_core.events.decisions import Status
from scheduler_core.kube.attempt_result import AttemptResult


@dataclass
class Gated:
    """A pod that PreEnqueue keeps out of the queue."""

    pod: int
    status: Status


@dataclass
class Looked:
    """An attempt: the pod, which try it is, and what was found out."""

    pod: int
    attempt: int
    nominated_before: str
    result: AttemptResult


Look = Gated | Looked
