"""The job flows of a snapshot: how far each has come, and what its next Jobs wait for.

Source: volcano v1.16 pkg/controllers/jobflow/jobflow_controller_action.go (a Job is made once the Jobs of all
targets are Completed), state/ (a flow that has failed goes on no more).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from dashboard.models import Snapshot, VolcanoObject
from scheduler_core.objects.kinds import Kind
from scheduler_core.volcano.api_kinds import VOLCANO_JOB, VOLCANO_JOB_FLOW, VOLCANO_JOB_TEMPLATE

Object = dict[str, Any]
State = Literal["done", "made", "next", "waits", "no_template", "never"]
AT_REST = ("Failed", "Terminating")
_ENDED = ("Failed", "Terminated", "Aborted")
_LISTS = {
    "pendingJobs": "Pending",
    "runningJobs": "Running",
    "completedJobs": "Completed",
    "failedJobs": "Failed",
    "terminatedJobs": "Terminated",
}


class Target(msgspec.Struct, frozen=True):
    """What a part waits for: another part, with its Job's phase; empty: its Job is not made yet.

    known: whether the flow has such a part.
    """

    name: str
    phase: str
    known: bool


class Part(msgspec.Struct, frozen=True):
    """A part of a flow, which is a Job of the template of that name.

    phase: of its Job, empty while that is not made. done: it is Completed. made: its Job is there. next: the
    controller makes it as soon as it looks. waits: for targets. no_template: that is missing. never: a target
    can't be Completed any more. targets: those that it depends on; waits_for: those that are not Completed.
    """

    name: str
    job: str
    phase: str
    state: State
    targets: list[str]
    waits_for: list[Target]


class PhaseSince(msgspec.Struct, frozen=True):
    """A phase that a Job had: since when, and until when; the last one has no end."""

    phase: str
    since: str
    until: str


class History(msgspec.Struct, frozen=True):
    """What the status says of a Job: since when, until when, how often it started again, and its phases."""

    job: str
    state: str
    started: str
    ended: str
    restarts: int
    phases: list[PhaseSince]


class Flow(msgspec.Struct, frozen=True):
    """A job flow. `phase` is what its status says, empty where it says nothing yet.

    retains: what becomes of its Jobs once it has succeeded, `retain` or `delete`. lists: Jobs by phase, as
    the status names them.
    """

    namespace: str
    name: str
    phase: str
    retains: str
    parts: list[Part]
    lists: dict[str, list[str]]
    histories: list[History]

    @property
    def key(self) -> str:
        """`namespace/name`."""
        return f"{self.namespace}/{self.name}"


def flows_of(snapshot: Snapshot, key: str = "") -> list[Flow]:
    """Return the job flows of a snapshot by namespace and name, or the one of a key (`namespace/name`)."""
    rows = _rows(snapshot, VOLCANO_JOB_FLOW)
    if not rows:
        return []
    jobs = {name: _phase(item) for name, item in _rows(snapshot, VOLCANO_JOB).items()}
    templates = _rows(snapshot, VOLCANO_JOB_TEMPLATE).keys()
    return [_flow(name, item, jobs, templates) for name, item in sorted(rows.items()) if key in ("", name)]


def _rows(snapshot: Snapshot, kind: Kind) -> dict[str, Object]:
    rows = VolcanoObject.objects.filter(snapshot=snapshot, kind=str(kind))
    return {str(row): row.object for row in rows}


def _phase(item: Object) -> str:
    """Return a Job's phase; one that has none yet is Pending."""
    return ((item.get("status") or {}).get("state") or {}).get("phase") or "Pending"


def _flow(key: str, item: Object, jobs: Mapping[str, str], templates: Any) -> Flow:
    namespace, _, name = key.partition("/")
    spec, status = item.get("spec") or {}, item.get("status") or {}
    lists = {said: status[said] for said in (*_LISTS, "unKnowJobs") if status.get(said)}
    told = {job: phase for said, phase in _LISTS.items() for job in lists.get(said, ())}
    flows = spec.get("flows") or []
    phases = {}
    for one in flows:
        job = f"{name}-{one['name']}"
        phases[one["name"]] = jobs.get(f"{namespace}/{job}") or told.get(job, "")
    targets = {one["name"]: (one.get("dependsOn") or {}).get("targets") or [] for one in flows}
    missing = {part for part in targets if f"{namespace}/{part}" not in templates}
    lost = _lost(targets, phases, missing)
    return Flow(
        namespace,
        name,
        (status.get("state") or {}).get("phase") or "",
        spec.get("jobRetainPolicy") or "retain",
        [_part(name, part, targets, phases, missing, lost) for part in targets],
        lists,
        [_history(one) for one in status.get("jobStatusList") or ()],
    )


def _lost(targets: Mapping[str, Sequence[str]], phases: Mapping[str, str], missing: set[str]) -> set[str]:
    """Return the parts whose Job can't be Completed any more, as far as is known."""
    can = {part for part, phase in phases.items() if phase and phase not in _ENDED}
    while True:
        more = {
            part
            for part, names in targets.items()
            if part not in can and not phases[part] and part not in missing and can.issuperset(names)
        }
        if not more:
            return targets.keys() - can
        can |= more


def _part(
    flow: str,
    name: str,
    targets: Mapping[str, Sequence[str]],
    phases: Mapping[str, str],
    missing: set[str],
    lost: set[str],
) -> Part:
    waits_for = [
        Target(one, phases.get(one, ""), one in phases)
        for one in targets[name]
        if phases.get(one, "") != "Completed"
    ]
    state: State = "next"
    if phases[name]:
        state = "done" if phases[name] == "Completed" else "made"
    elif any(not one.known or one.name in lost for one in waits_for):
        state = "never"
    elif waits_for:
        state = "waits"
    elif name in missing:
        state = "no_template"
    return Part(name, f"{flow}-{name}", phases[name], state, list(targets[name]), waits_for)


def _history(one: Object) -> History:
    restarts = one.get("restartCount")
    return History(
        str(one.get("name") or ""),
        str(one.get("state") or ""),
        str(one.get("startTimestamp") or ""),
        str(one.get("endTimestamp") or ""),
        restarts if isinstance(restarts, int) else 0,
        [
            PhaseSince(*(str(had.get(said) or "") for said in ("state", "startTimestamp", "endTimestamp")))
            for had in one.get("runningHistories") or ()
        ],
    )
