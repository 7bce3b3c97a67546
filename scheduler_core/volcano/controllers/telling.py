"""From a controller's piece of work to the event that the log holds."""

from __future__ import annotations

from typing import Any

from scheduler_core.events.changes import Change
from scheduler_core.events.decided import PodRef
from scheduler_core.events.reconciles import ObjectEvent, Reconciled
from scheduler_core.schedulers.actor import Stamp
from scheduler_core.state.cluster import ClusterState
from scheduler_core.volcano.controllers.api_client import WatchEvent
from scheduler_core.volcano.controllers.commands import CommandTaken
from scheduler_core.volcano.controllers.cron.controller import CronRequest
from scheduler_core.volcano.controllers.flow.controller import FlowRequest
from scheduler_core.volcano.controllers.flow.templates import TemplateRequest
from scheduler_core.volcano.controllers.job.delayed import Delayed
from scheduler_core.volcano.controllers.job.job import Job
from scheduler_core.volcano.controllers.job.words import COMMAND_ISSUED
from scheduler_core.volcano.controllers.job.work_requests import JobRequest
from scheduler_core.volcano.controllers.kinds import (
    CRON_JOB,
    JOB,
    JOB_FLOW,
    JOB_TEMPLATE,
    POD,
    QUEUE,
    Kind,
    join,
    phase_of_state,
    split,
)
from scheduler_core.volcano.controllers.podgroup.controller import PodGroupRequest
from scheduler_core.volcano.controllers.queue.controller import QueueRequest
from scheduler_core.volcano.controllers.queue.hierarchy import state_of
from scheduler_core.volcano.controllers.reconcile import Reconcile, Write
from scheduler_core.volcano.controllers.run_api import RunApi
from scheduler_core.volcano.controllers.ttl import TtlRequest

_MILLISECOND = 10**6
_VERBS = {"create": "created", "update": "updated", "patch": "updated", "delete": "deleted"}


def tell(api: RunApi, actor: str, done: Reconcile, stamp: Stamp, changes: list[Change]) -> Reconciled:
    """Return the event of a piece of work."""
    said: dict[str, Any] = _about(done, api.state) | _written(done.writes)
    return Reconciled(
        seq=stamp.seq,
        time=stamp.time,
        actor=actor,
        cause=stamp.cause if stamp.cause is not None else done.led_by,
        changes=changes,
        controller=done.controller or "podgroup",  # type: ignore[arg-type]
        action=done.action,
        outcome=done.outcome,
        phase_before=done.phase,
        phase=None if done.phase is None else _phase_now(api, said["object"]),
        told=[ObjectEvent(_name(one.kind, one.key), one.type, one.reason, one.message) for one in done.told],
        delay=done.delay // _MILLISECOND if done.delay else None,
        error=done.error,
        **said,
    )


def _about(done: Reconcile, state: ClusterState) -> dict[str, Any]:
    """Return what the work is about, and what happened to it."""
    match done.cause:
        case Delayed(request=request):
            return _of_request(request, state) | {"due": True}
        case JobRequest():
            return _of_request(done.cause, state)
        case CommandTaken(key, target):
            kind = JOB if done.controller == "job" else QUEUE
            name = join(split(key)[0], target) if kind == JOB else target
            return {"object": _name(kind, name), "event": COMMAND_ISSUED}
        case QueueRequest(queue, _, event):
            return {"object": _name(QUEUE, queue), "event": event}
        case PodGroupRequest(pod):
            return {"object": _name(POD, pod), "event": ""}
        case TtlRequest(job):
            return {"object": _name(JOB, job), "event": ""}
        case FlowRequest(flow):
            return {"object": _name(JOB_FLOW, flow), "event": ""}
        case TemplateRequest(template):
            return {"object": _name(JOB_TEMPLATE, template), "event": ""}
        case CronRequest(cron):
            return {"object": _name(CRON_JOB, cron), "event": ""}
        case WatchEvent(kind, key):
            return {"object": _name(kind, key), "event": ""}
    raise TypeError(done.cause)


def _of_request(request: JobRequest, state: ClusterState) -> dict[str, Any]:
    return {
        "object": _name(JOB, request.key),
        "event": request.event,
        "whose": _pod(request, state),
        "task": request.task,
        "exit_code": request.exit_code,
        "version": request.version,
    }


def _pod(request: JobRequest, state: ClusterState) -> PodRef | None:
    row = state.pods.by_uid.get(request.pod_uid)
    if row is None:
        return None
    info = state.pods.infos[row]
    return PodRef(info.uid, info.namespace, info.name, info.priority)


def _written(writes: list[Write]) -> dict[str, list[str]]:
    """Return each object once under what was done to it first; who came and went again is in both lists."""
    said: dict[str, list[str]] = {name: [] for name in dict.fromkeys(_VERBS.values())}
    for write in writes:
        name = _name(write.kind, write.key)
        list_of = _VERBS[write.verb]
        if name not in said[list_of] and not (list_of == "updated" and name in said["created"]):
            said[list_of].append(name)
    said["updated"] = [name for name in said["updated"] if name not in said["deleted"]]
    return said


def _phase_now(api: RunApi, name: str) -> str | None:
    kind, _, key = name.partition(" ")
    if kind == "Job" and (job := api.stored.find(JOB, key)) is not None:
        return Job.read(job).status.phase
    if kind == "Queue" and (queue := api.stored.find(QUEUE, key)) is not None:
        return state_of(queue)
    if kind == JOB_FLOW.name and (flow := api.stored.find(JOB_FLOW, key)) is not None:
        return phase_of_state(flow)
    return None


def _name(kind: Kind, key: str) -> str:
    return f"{kind.name} {key}"
