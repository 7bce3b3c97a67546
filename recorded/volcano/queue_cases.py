"""The recorded family `queue_controller`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from recorded.volcano.controller_steps import (
    Plain,
    command,
    events,
    folded,
    unknown_step,
    write_lines,
)
from scheduler_core.volcano.controllers.kinds import POD_GROUP, QUEUE, annotations_of
from scheduler_core.volcano.controllers.manager import Manager
from scheduler_core.volcano.controllers.memory_api import MemoryApi
from scheduler_core.volcano.controllers.queue.controller import (
    COUNTED,
    QueueController,
    QueueRequest,
)
from scheduler_core.volcano.controllers.queue.hierarchy import parent_of, state_of
from scheduler_core.volcano.controllers.reconcile import Reconcile


class QueueRecording:
    """The queue controller alone."""

    def __init__(self, server: MemoryApi, manager: Manager, config: Mapping[str, Any]) -> None:
        self._server = server
        self._controller = QueueController(manager.api, manager.informers, config["max_requeue_num"])
        manager.controllers = [self._controller]
        self._commands = 0

    def write(self, step: Mapping[str, Any]) -> None:
        """Do what happens in a step. Raises BadInput for a step that doesn't exist."""
        server = self._server
        match step["op"]:
            case "add_object":
                server.create(step["object"])
            case "command":
                self._commands += 1
                server.create(command(QUEUE, "default", step["queue"], step["action"], self._commands))
            case "podgroup_phase":
                for key in step["podgroups"]:
                    server.patch(POD_GROUP, key, {"status": {"phase": step["phase"]}})
            case "delete_podgroup":
                for key in step["podgroups"]:
                    server.delete(POD_GROUP, key)
            case "update_queue":
                server.patch(QUEUE, step["queue"], {"spec": step["set"]})
            case "delete_queue":
                server.delete(QUEUE, step["queue"])
            case other:
                raise unknown_step(other)

    def told(self, done: list[Reconcile]) -> Plain:
        """Return what is recorded after a step in which this was done."""
        return {
            "requests": folded(_request(one) for one in done if isinstance(one.cause, QueueRequest)),
            "events": events(done),
            "writes": sorted(write_lines(done) or ()) or None,
            "queues": {one["metadata"]["name"]: self._queue(one) for one in self._server.list(QUEUE)},
        }

    def _queue(self, queue: Plain) -> Plain:
        name = queue["metadata"]["name"]
        told: Plain = {"state": state_of(queue), "parent": parent_of(queue)}
        counts = self._controller.counts.get(name)
        if counts is not None:
            told["counts"] = {phase.lower(): counts[phase] for phase in COUNTED}
        if annotations_of(queue):
            told["annotations"] = annotations_of(queue)
        if known := self._controller.groups.of(name):
            told["known_podgroups"] = sorted(known)
        return told


def _request(one: Reconcile) -> Plain:
    told: Plain = {"queue": one.cause.queue, "action": one.cause.action}
    if one.cause.event:
        told["event"] = one.cause.event
    if one.outcome == "dropped":
        return told | {"unknown": True}
    told["in"] = one.phase
    return told | {"requeued": True} if one.outcome == "requeued" else told
