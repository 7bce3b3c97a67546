"""The recorded family `podgroup_controller`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from recorded.volcano.controller_steps import Plain, folded, unknown_step, write_lines
from scheduler_core.volcano.controllers.kinds import (
    POD,
    POD_GROUP,
    REPLICA_SET,
    STATEFUL_SET,
    annotations_of,
    key_of,
    labels_of,
    phase_of,
)
from scheduler_core.volcano.controllers.manager import Manager
from scheduler_core.volcano.controllers.memory_api import MemoryApi
from scheduler_core.volcano.controllers.podgroup.controller import PodGroupController, PodGroupRequest
from scheduler_core.volcano.controllers.reconcile import Reconcile
from scheduler_core.volcano.model.custom_resources import GROUP_NAME

_OWNERS = {kind.name: kind for kind in (REPLICA_SET, STATEFUL_SET)}


class PodGroupRecording:
    """The pod group controller alone."""

    def __init__(self, server: MemoryApi, manager: Manager, config: Mapping[str, Any]) -> None:
        self._server = server
        controller = PodGroupController(
            manager.api,
            manager.informers,
            config["scheduler_names"],
            inherit=config["inherit_owner_annotations"],
        )
        manager.controllers = [controller]

    def write(self, step: Mapping[str, Any]) -> None:
        """Do what happens in a step. Raises BadInput for a step that doesn't exist."""
        server = self._server
        match step["op"]:
            case "add_objects":
                for item in step["objects"]:
                    server.create(item)
            case "delete_pods":
                for key in step["pods"]:
                    server.delete(POD, key)
            case "update_owner":
                server.patch(_OWNERS[step["kind"]], step["name"], _changes(step))
                for item in step.get("and_pods") or ():
                    server.create(item)
            case other:
                raise unknown_step(other)

    def told(self, done: list[Reconcile]) -> Plain:
        """Return what is recorded after a step in which this was done."""
        requests = (one for one in done if isinstance(one.cause, PodGroupRequest))
        server = self._server
        return {
            "requests": folded({"pod": one.cause.pod} for one in requests),
            "writes": write_lines(done),
            "pods": {key_of(pod): annotations_of(pod).get(GROUP_NAME, "") for pod in server.list(POD)},
            "podgroups": [_group(group) for group in server.list(POD_GROUP)] or None,
        }


def _changes(step: Mapping[str, Any]) -> Plain:
    changes: Plain = {}
    if "replicas" in step:
        changes["spec"] = {"replicas": step["replicas"]}
    if "annotations" in step:
        changes["metadata"] = {"annotations": step["annotations"]}
    if "update_revision" in step:
        changes["status"] = {"updateRevision": step["update_revision"]}
    return changes


def _group(group: Plain) -> Plain:
    told = {
        "name": key_of(group),
        "phase": phase_of(group),
        "spec": group["spec"],
        "owners": group["metadata"].get("ownerReferences"),
    }
    for field, values in (("annotations", annotations_of(group)), ("labels", labels_of(group))):
        if values:
            told[field] = values
    return told
