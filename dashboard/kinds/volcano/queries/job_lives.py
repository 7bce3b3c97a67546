"""The life of one of Volcano's Jobs in a run: what its controller did with it, and its pod groups."""

from collections.abc import Iterable

import msgspec

from dashboard.kinds.volcano.queries.group_lives import group_history
from dashboard.kinds.volcano.shapes import GroupEvent
from dashboard.models import DecisionIndex, Run, VolcanoObject
from dashboard.queries.log import decisions_at
from scheduler_core.events.reconciles import Reconciled
from scheduler_core.volcano.api_kinds import VOLCANO_JOB, VOLCANO_POD_GROUP

RECONCILE = "reconcile"
GROUP = "PodGroup "
_decoder = msgspec.json.Decoder(Reconciled)


def groups_of_job(run: Run, job: str, steps: Iterable[Reconciled]) -> list[str]:
    """Return the pod groups (`namespace/name`) of a Job (`namespace/name`), in name order.

    The snapshot says whose they are, and the Job's controller, in its `steps`, which it has made in the run.
    """
    owned = VolcanoObject.objects.filter(
        snapshot_id=run.snapshot_id, kind=str(VOLCANO_POD_GROUP), owner=f"{VOLCANO_JOB}/{job}"
    )
    created = [name for step in steps for name in step.created]
    made = {name.removeprefix(GROUP) for name in created if name.startswith(GROUP)}
    return sorted({str(group) for group in owned} | made)


def job_history(run: Run, groups: list[str], steps: Iterable[Reconciled]) -> list[GroupEvent]:
    """Return what happened to a Job and its pod groups, in order.

    What its controller did has `what` "reconcile", its `action`, no session, and both phases as `message`.
    """
    events = [event for group in groups for event in group_history(run, group)]
    return sorted([*events, *map(_step, steps)], key=lambda event: event["seq"])


def is_in_snapshot(run: Run, job: str) -> bool:
    """Tell whether the run's snapshot has a Job of this name (`namespace/name`)."""
    namespace, _, name = job.partition("/")
    return VolcanoObject.objects.filter(
        snapshot_id=run.snapshot_id, kind=str(VOLCANO_JOB), namespace=namespace, name=name
    ).exists()


def steps_of_job(run: Run, job: str) -> list[Reconciled]:
    """Return the decisions of the Job's controller about it."""
    numbers = DecisionIndex.objects.filter(run=run, kind=RECONCILE).order_by("seq")
    mark = f'"Job {job}"'.encode()
    lines = decisions_at(run, list(numbers.values_list("seq", flat=True)))
    return [_decoder.decode(line) for line in lines if mark in line]


def _step(decision: Reconciled) -> GroupEvent:
    before, after = decision.phase_before, decision.phase
    phases = f"{before} → {after}" if before and after and before != after else after or before or ""
    return {
        "seq": decision.seq, "session": None, "what": RECONCILE, "outcome": decision.outcome,
        "action": decision.action, "pod": None, "uid": None, "node": None,
        "message": ": ".join(filter(None, (phases, decision.error))) or None,
    }  # fmt: skip
