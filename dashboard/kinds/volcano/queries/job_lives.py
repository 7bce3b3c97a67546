"""The life of one of Volcano's Jobs in a run: what its controller did with it, and its pod groups."""

from typing import Any

import msgspec

from dashboard.kinds.volcano.queries.group_lives import group_history
from dashboard.models import DecisionIndex, Run, VolcanoObject
from dashboard.queries.log import decisions_at
from scheduler_core.volcano.api_kinds import VOLCANO_JOB, VOLCANO_POD_GROUP

RECONCILE = "reconcile"
GROUP = "PodGroup "


def groups_of_job(run: Run, job: str, steps: list[dict[str, Any]]) -> list[str]:
    """Return the pod groups (`namespace/name`) of a Job (`namespace/name`), in name order.

    The snapshot says whose they are, and the Job's controller, in its `steps`, which it has made in the run.
    """
    owned = VolcanoObject.objects.filter(
        snapshot_id=run.snapshot_id, kind=str(VOLCANO_POD_GROUP), owner=f"{VOLCANO_JOB}/{job}"
    )
    created = [name for step in steps for name in step.get("created", ())]
    made = {name.removeprefix(GROUP) for name in created if name.startswith(GROUP)}
    return sorted({str(group) for group in owned} | made)


def job_history(run: Run, groups: list[str], steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what happened to a Job and its pod groups, in order; entries are those of `group_history`.

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


def steps_of_job(run: Run, job: str) -> list[dict[str, Any]]:
    """Return the decisions of the Job's controller about it, from the recorded text."""
    numbers = DecisionIndex.objects.filter(run=run, kind=RECONCILE).order_by("seq")
    mark = f'"Job {job}"'.encode()
    lines = decisions_at(run, list(numbers.values_list("seq", flat=True)))
    return [msgspec.json.decode(line) for line in lines if mark in line]


def _step(decision: dict[str, Any]) -> dict[str, Any]:
    before, after = decision.get("phase_before"), decision.get("phase")
    phases = f"{before} → {after}" if before and after and before != after else after or before or ""
    said = [phases, decision.get("error") or ""]
    return {
        "seq": decision["seq"], "session": None, "what": RECONCILE, "outcome": decision["outcome"],
        "action": decision.get("action"), "pod": None, "uid": None, "node": None,
        "message": ": ".join(filter(None, said)) or None,
    }  # fmt: skip
