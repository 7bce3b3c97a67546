"""Which lifecycle policies a job may have: each event and exit code once, and no internal ones.

Source: volcano v1.16 pkg/webhooks/admission/jobs/validate/util.go; hashicorp/go-multierror format.go.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scheduler_core.go.quote import quote
from scheduler_core.volcano.model.job_objects import LifecyclePolicy

ANY_EVENT = "*"
EVENTS = (
    ANY_EVENT,
    "JobUpdated",
    "PodEvicted",
    "PodFailed",
    "PodPending",
    "TaskCompleted",
    "TaskFailed",
    "Unknown",
)
ACTIONS = (
    "AbortJob",
    "CompleteJob",
    "RestartJob",
    "RestartPartition",
    "RestartPod",
    "RestartTask",
    "ResumeJob",
    "TerminateJob",
)


class _Fault(Exception):
    """The first thing that is wrong with a policy; those after it aren't looked at."""


def policy_fault(policies: Iterable[LifecyclePolicy] | None, field: str) -> str:
    """Return what is wrong with the policies of a job or task, empty if nothing is."""
    faults = list(_faults(policies or (), field))
    if not faults:
        return ""
    head = "1 error occurred:" if len(faults) == 1 else f"{len(faults)} errors occurred:"
    points = "\n\t".join(f"* {fault}" for fault in faults)
    valid = f" valid events are [{' '.join(EVENTS)}], valid actions are [{' '.join(ACTIONS)}];"
    return f"{head}\n\t{points}\n\n{valid}"


def _faults(policies: Iterable[LifecyclePolicy], field: str) -> Iterator[str]:
    events: set[str] = set()
    exit_codes: set[int] = set()
    try:
        for policy in policies:
            _take(policy, field, events, exit_codes)
    except _Fault as fault:
        yield str(fault)
    if ANY_EVENT in events and len(events) > 1:
        yield "if there's * here, no other policy should be here"


def _take(policy: LifecyclePolicy, field: str, events: set[str], exit_codes: set[int]) -> None:
    given = dict.fromkeys([*(policy.events or ()), *([policy.event] if policy.event else [])])
    if given and policy.exit_code is not None:
        raise _Fault("must not specify event and exitCode simultaneously")
    if not given and policy.exit_code is None:
        raise _Fault("either event and exitCode should be specified")
    for event in given:
        if event not in EVENTS:
            raise _Fault(f"{field}: Invalid value: {quote(event)}: invalid policy event")
        if policy.action not in ACTIONS:
            raise _Fault(f"{field}: Invalid value: {quote(policy.action)}: invalid policy action")
        if event in events:
            raise _Fault(f"duplicate event {event}  across different policy")
        events.add(event)
    if policy.exit_code is not None:
        if policy.exit_code == 0:
            raise _Fault("0 is not a valid error code")
        if policy.exit_code in exit_codes:
            raise _Fault(f"duplicate exitCode {policy.exit_code}")
        exit_codes.add(policy.exit_code)
