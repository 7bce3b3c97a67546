"""The recorded family `job_controller`: the job controller, and the one that deletes finished jobs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from recorded.volcano.controller_steps import (
    Plain,
    command,
    events,
    folded,
    unknown_step,
    writes,
)
from scheduler_core.go.duration import duration_text
from scheduler_core.volcano.controllers.job import words
from scheduler_core.volcano.controllers.job.controller import JobController
from scheduler_core.volcano.controllers.job.job import Job
from scheduler_core.volcano.controllers.job.work_requests import JobRequest
from scheduler_core.volcano.controllers.kinds import (
    CLAIM,
    CONFIG_MAP,
    JOB,
    NETWORK_POLICY,
    POD,
    POD_GROUP,
    SECRET,
    SERVICE,
    annotations_of,
    is_leaving,
    key_of,
    labels_of,
    phase_of,
    split,
)
from scheduler_core.volcano.controllers.manager import Manager
from scheduler_core.volcano.controllers.memory_api import MemoryApi
from scheduler_core.volcano.controllers.reconcile import Reconcile
from scheduler_core.volcano.controllers.ttl import TtlController

_OTHERS = (CLAIM, CONFIG_MAP, NETWORK_POLICY, SECRET, SERVICE)
_MADE_CLAIM = re.compile(r"-pvc-[0-9a-z]{12}$")
_NODE = "node-1"


class JobRecording:
    """A cluster with jobs, in which a kubelet's and a scheduler's part is played by the steps."""

    def __init__(self, server: MemoryApi, manager: Manager, config: Mapping[str, Any]) -> None:
        self._server = server
        self._controller = JobController(manager.api, manager.informers, config["max_requeue_num"])
        manager.controllers = [self._controller, TtlController(manager.api, manager.informers)]
        self._commands = 0

    def write(self, step: Mapping[str, Any]) -> None:
        """Do what happens in a step. Raises BadInput for a step that doesn't exist."""
        server = self._server
        match step["op"]:
            case "add_job" | "add_object":
                server.create(step["object"])
            case "update_job":
                self._update_job(step["job"], step["set"])
            case "delete_job":
                server.delete(JOB, step["job"], foreground=step["propagation"] == "foreground")
            case "command":
                self._commands += 1
                namespace, name = split(step["job"])
                server.create(command(JOB, namespace, name, step["action"], self._commands))
            case "pod_phase":
                for key in step["pods"]:
                    self._set_phase(key, step)
            case "pod_delete":
                for key in step["pods"]:
                    server.delete(POD, key)
            case "pods_gone":
                for key in step["pods"]:
                    server.gone(POD, key)
            case "podgroup_phase":
                status = {"phase": step["phase"]}
                if "conditions" in step:
                    status["conditions"] = step["conditions"]
                server.patch(POD_GROUP, step["podgroup"], {"status": status})
            case "wait" | "advance":
                server.now += step["seconds"] * 10**9
            case other:
                raise unknown_step(other)

    def _update_job(self, key: str, changes: Mapping[str, Any]) -> None:
        job = self._server.get(JOB, key)
        spec = job["spec"] | {name: value for name, value in changes.items() if name != "tasks"}
        of_tasks = changes.get("tasks") or {}
        spec["tasks"] = [task | (of_tasks.get(task["name"]) or {}) for task in spec["tasks"]]
        self._server.update(job | {"spec": spec})

    def _set_phase(self, key: str, step: Mapping[str, Any]) -> None:
        """Give a pod a phase; one that runs or has run is on a node."""
        pod, phase = self._server.get(POD, key), step["phase"]
        changes: Plain = {"status": {"phase": phase}}
        if phase in ("Running", "Succeeded", "Failed") and not pod["spec"].get("nodeName"):
            changes["spec"] = {"nodeName": _NODE}
        container: Plain = {"name": pod["spec"]["containers"][0]["name"]}
        if "exit_code" in step:
            container["state"] = {"terminated": {"exitCode": step["exit_code"]}}
        if phase == "Running":
            container["ready"] = step.get("ready", True)
        if "restarts" in step:
            container["restartCount"] = step["restarts"]
        if len(container) > 1:
            changes["status"]["containerStatuses"] = [container]
        self._server.patch(POD, key, changes)

    # -- what is recorded ----------------------------------------------------------------------------

    def told(self, done: list[Reconcile]) -> Plain:
        """Return what is recorded after a step in which this was done."""
        server = self._server
        told: Plain = {
            "requests": folded(_request(one) for one in done if isinstance(one.cause, JobRequest)),
            "events": events(done),
            "jobs": {key_of(one): _status(Job.read(one)) for one in server.list(JOB)},
            "pods": [_pod(pod) for pod in server.list(POD)] or None,
            "podgroups": [_group(group) for group in server.list(POD_GROUP)] or None,
        }
        created = {one.key: one.item for one in writes(done) if one.verb == "create" and one.kind == POD}
        there = {key_of(pod) for pod in server.list(POD)}
        objects = {kind.name: sorted(_name(one) for one in server.list(kind)) for kind in _OTHERS}
        for name, value in (
            ("created", [_created(item) for key, item in sorted(created.items()) if item and key in there]),
            ("created_and_gone", sorted(split(key)[1] for key in created if key not in there)),
            (
                "deleted",
                sorted(split(one.key)[1] for one in writes(done) if one.verb == "delete" and one.kind == POD),
            ),
            ("objects", {name: names for name, names in objects.items() if names}),
            ("delayed", self._delayed()),
        ):
            if value:
                told[name] = value
        return told

    def _delayed(self) -> list[Plain]:
        return [
            {
                "action": one.action,
                "event": one.request.event,
                "job": one.request.key,
                "pod": one.request.pod,
                "timeout": duration_text(one.delay),
            }
            for one in self._controller.delayed.waiting()
        ]


def _request(one: Reconcile) -> Plain:
    request: JobRequest = one.cause
    told: Plain = {"job": request.key, "event": request.event, "version": request.version}
    for name, value in (
        ("task", request.task),
        ("pod", request.pod),
        ("partition", request.partition),
        ("exit_code", request.exit_code),
        ("action", request.action),
    ):
        if value:
            told[name] = value
    if one.outcome == "dropped":
        return told | {"dropped": True}
    told |= {"in": one.phase, "does": one.action}
    if one.delay:
        told["after"] = duration_text(one.delay)
    return told | {"requeued": True} if one.outcome == "requeued" else told


def _status(job: Job) -> Plain:
    status = job.status
    told: Plain = {
        "phase": status.phase,
        "minAvailable": status.min_available,
        "pending": status.pending,
        "running": status.running,
        "succeeded": status.succeeded,
        "failed": status.failed,
        "terminating": status.terminating,
        "unknown": status.unknown,
        "version": status.version,
        "retryCount": status.retry_count,
        "taskStatusCount": status.task_counts,
        "conditions": [condition.status for condition in status.conditions],
    }
    if status.controlled:
        told["controlledResources"] = {
            _MADE_CLAIM.sub("-pvc-*", name): _MADE_CLAIM.sub("-pvc-*", value)
            for name, value in status.controlled.items()
        }
    return told


def _pod(pod: Plain) -> Plain:
    told: Plain = {
        "name": key_of(pod),
        "phase": phase_of(pod),
        "task": annotations_of(pod)[words.TASK_SPEC],
        "version": annotations_of(pod)[words.JOB_VERSION],
    }
    if words.is_out_of_sync(pod):
        told["out_of_sync"] = True
    if is_leaving(pod):
        told["terminating"] = True
    return told


def _group(group: Plain) -> Plain:
    told = {
        "name": key_of(group),
        "phase": phase_of(group),
        "spec": group["spec"],
        "owners": _owners(group),
    }
    for field, values in (("annotations", annotations_of(group)), ("labels", labels_of(group))):
        if values:
            told[field] = values
    return told


def _owners(item: Plain) -> list[str]:
    return [f"{one['kind']}/{one['name']}" for one in item["metadata"].get("ownerReferences") or ()]


def _created(pod: Plain) -> Plain:
    spec = pod["spec"]
    told = {
        "name": key_of(pod),
        "annotations": annotations_of(pod),
        "labels": labels_of(pod),
        "owners": _owners(pod),
        "schedulerName": spec.get("schedulerName") or "",
    }
    containers = spec.get("containers") or ()
    for name, value in (
        ("priorityClassName", spec.get("priorityClassName")),
        ("hostname", spec.get("hostname")),
        ("subdomain", spec.get("subdomain")),
        ("volumes", sorted(_volume(volume) for volume in spec.get("volumes") or ())),
        (
            "mounts",
            sorted(f"{c['name']}:{m['mountPath']}" for c in containers for m in c.get("volumeMounts") or ()),
        ),
        ("env", sorted(f"{c['name']}:{_variable(v)}" for c in containers for v in c.get("env") or ())),
    ):
        if value:
            told[name] = value
    return told


def _volume(volume: Plain) -> str:
    if "persistentVolumeClaim" in volume:
        return _MADE_CLAIM.sub("-pvc-*", f"claim/{volume['persistentVolumeClaim']['claimName']}")
    if "configMap" in volume:
        return f"configMap/{volume['configMap']['name']}"
    return f"secret/{volume['secret']['secretName']}"


def _variable(variable: Plain) -> str:
    source = (variable.get("valueFrom") or {}).get("configMapKeyRef")
    return f"{variable['name']}<-{source['name']}" if source else f"{variable['name']}={variable['value']}"


def _name(item: Plain) -> str:
    return _MADE_CLAIM.sub("-pvc-*", key_of(item))
