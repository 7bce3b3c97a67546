"""Why Volcano passed a pod over: what the first pod of its task had been refused for.

Of a job's task, pods after one that fits nowhere are not tried; each is told that, and not what the first
one lacked. Source: volcano v1.16 pkg/scheduler/actions/allocate/allocate.go, "has already predicated failed".
"""

from typing import NamedTuple

from dashboard.models import DecisionIndex, Run
from dashboard.queries.log import decisions_at
from scheduler_core.events.decisions import Decision, decision_decoder
from scheduler_core.events.sessions import Placement

LOOKED_AT = 200
"""A job's tries follow one another: the refused one stands shortly before those passed over for it."""


class First(NamedTuple):
    """The refused try at the first pod of a task: its decision, the pod's name, what it was told."""

    seq: int
    pod: str
    message: str


class PassedOver:
    """Follows the tries of a run, in order."""

    def __init__(self) -> None:
        self._first: dict[tuple[str, str], First] = {}
        self._passed: dict[str, tuple[str, First]] = {}

    def add(self, decision: Decision) -> None:
        """Note who was refused, and who was passed over for it."""
        if not isinstance(decision, Placement):
            return
        task = decision.job, decision.role
        if decision.outcome == "refused":
            self._first[task] = First(decision.seq, decision.pod.name, decision.message)
        elif decision.why == "role" and task in self._first:
            self._passed[decision.pod.uid] = decision.message, self._first[task]

    def first(self, pod: str, message: str | None) -> First | None:
        """Return who was tried for a pod (its uid) that is told this; None if that is its own reason."""
        told, first = self._passed.get(pod, ("", None))
        return first if told == message else None


def first_of_task(run: Run, pod: str, message: str | None) -> First | None:
    """Return who was tried for a pod (its uid) that is told this in a run; None if that is its own reason."""
    tries = DecisionIndex.objects.filter(run=run, kind="placement").order_by("-seq")
    last = tries.filter(pod_uid=pod, outcome="skipped").first()
    if last is None:
        return None
    refused = tries.filter(outcome="refused", seq__lt=last.seq).values_list("seq", flat=True)[:LOOKED_AT]
    followed = PassedOver()
    for line in decisions_at(run, [*reversed(refused), last.seq]):
        followed.add(decision_decoder.decode(line))
    return followed.first(pod, message)
