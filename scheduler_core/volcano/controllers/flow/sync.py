"""Bringing a job flow's Jobs and its status to what its spec says.

A flow's Job is made once the Jobs of all its targets are Completed. Of a flow the controller reads names and
targets alone: a `probe` and a `patch` are in its schema, and change nothing.

Source: volcano v1.16 pkg/controllers/jobflow/jobflow_controller_action.go, state/.
"""

from __future__ import annotations

from scheduler_core.volcano.controllers.api_client import AlreadyExists, Api
from scheduler_core.volcano.controllers.flow.status import Lists, lists_of, status_of
from scheduler_core.volcano.controllers.informers import Informers
from scheduler_core.volcano.controllers.kinds import (
    JOB,
    JOB_FLOW,
    JOB_TEMPLATE,
    Object,
    controller_reference,
    join,
    key_of,
    labels_of,
    new_object,
    phase_of_state,
    split,
)

BY_FLOW, BY_TEMPLATE = "volcano.sh/createdByJobFlow", "volcano.sh/createdByJobTemplate"
_PENDING, _RUNNING, _SUCCEED, _FAILED = "Pending", "Running", "Succeed", "Failed"
_AT_REST = ("Terminating", _FAILED)
_PHASES = ("", _PENDING, _RUNNING, _SUCCEED, *_AT_REST)


class InvalidPhase(Exception):
    """A flow is in a phase that doesn't exist."""


def deletes_its_jobs(flow: Object) -> bool:
    """Return whether a flow has succeeded, and its Jobs are to go then."""
    return phase_of_state(flow) == _SUCCEED and (flow.get("spec") or {}).get("jobRetainPolicy") == "delete"


def sync_flow(flow: Object, api: Api, informers: Informers) -> None:
    """Make the Jobs whose turn it is and write the status. Raises InvalidPhase, ApiError."""
    phase = phase_of_state(flow)
    if phase not in _PHASES:
        raise InvalidPhase(f"jobflow {flow['metadata']['name']} state {{{phase}}} is invalid")
    if phase in _AT_REST:
        return
    if deletes_its_jobs(flow):
        for job in _jobs_of(flow, informers):
            api.delete(JOB, key_of(job))
        return
    flows = (flow.get("spec") or {}).get("flows") or ()
    for one in flows:
        if informers.find(JOB, _key(flow, one["name"])) is None and _may_start(flow, one, informers):
            _make_job(flow, one["name"], api, informers)
    jobs = _jobs_of(flow, informers)
    lists = lists_of(jobs)
    following = _next_phase(phase, lists, len(flows))
    api.update_status(flow | {"status": status_of(flow.get("status") or {}, jobs, lists, following, api.now)})


def _key(flow: Object, name: str) -> str:
    """Return the key of the Job of a flow's part."""
    namespace, own = split(key_of(flow))
    return join(namespace, f"{own}-{name}")


def _may_start(flow: Object, part: Object, informers: Informers) -> bool:
    targets = (part.get("dependsOn") or {}).get("targets") or ()
    jobs = (informers.find(JOB, _key(flow, target)) for target in targets)
    return all(job is not None and phase_of_state(job) == "Completed" for job in jobs)


def _make_job(flow: Object, name: str, api: Api, informers: Informers) -> None:
    namespace, own = split(key_of(flow))
    template = informers.get(JOB_TEMPLATE, join(namespace, name))
    owner = controller_reference(JOB_FLOW, own, flow["metadata"]["uid"])
    job = new_object(JOB, namespace, split(_key(flow, name))[1], owner)
    marks = {BY_TEMPLATE: f"{namespace}.{name}", BY_FLOW: _mark(flow)}
    job["metadata"] |= {"labels": marks, "annotations": dict(marks)}
    try:
        api.create(job | {"spec": template.get("spec") or {}})
    except AlreadyExists:
        return
    api.tell(flow, "Normal", "Created", f"create a job named {job['metadata']['name']}!")


def _mark(flow: Object) -> str:
    return ".".join(split(key_of(flow)))


def _jobs_of(flow: Object, informers: Informers) -> list[Object]:
    namespace = split(key_of(flow))[0]
    return [
        job
        for job in informers.list(JOB)
        if split(key_of(job))[0] == namespace and labels_of(job).get(BY_FLOW) == _mark(flow)
    ]


def _next_phase(phase: str, lists: Lists, flows: int) -> str:
    """Return the phase after one, with the Jobs in these lists and so many flows."""
    has_failed = bool(lists["failedJobs"] or lists["terminatedJobs"])
    if phase == _RUNNING:
        if len(lists["completedJobs"]) == flows:
            return _SUCCEED
        return _FAILED if has_failed else phase
    if phase == _SUCCEED:
        return phase
    if (lists["runningJobs"] or lists["completedJobs"]) and not lists["failedJobs"]:
        return _RUNNING
    return _FAILED if has_failed else _PENDING
