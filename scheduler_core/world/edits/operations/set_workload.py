"""The edit set-workload: what a workload's pods ask for and where they may go, field by field.

The fields are those that operators change most. Whatever else is changed by `patch`, or by `add` with the
whole manifest.
"""

from typing import Annotated, Any

from scheduler_core.objects.identity import controller_of, spec_of
from scheduler_core.objects.kinds import (
    DAEMON_SET,
    DEPLOYMENT,
    REPLICA_SET,
    REPLICATION_CONTROLLER,
    STATEFUL_SET,
    kind_of,
)
from scheduler_core.objects.workloads.workload_pods import with_replicas
from scheduler_core.schedulers.object_admission import Refused
from scheduler_core.world.edits.changes import change_by_field
from scheduler_core.world.edits.edited_cluster import EditedCluster
from scheduler_core.world.edits.operations.base import (
    MAX_REPLICAS,
    Edit,
    Field,
    KindName,
    Namespace,
    Words,
    check_labels,
    check_replicas,
    said,
)
from scheduler_core.world.edits.places import full_name
from scheduler_core.world.edits.results import EditResult

Object = dict[str, Any]
_CHANGEABLE = (DEPLOYMENT, REPLICA_SET, REPLICATION_CONTROLLER, STATEFUL_SET, DAEMON_SET)
_FIELDS = ("replicas", "cpu", "memory", "priority_class", "node_selector", "tolerations")


_GIVEN_BY = {
    ".requests.cpu": "cpu",
    ".requests.memory": "memory",
    ".priorityClassName": "priorityClass",
    ".nodeSelector": "nodeSelector",
    ".tolerations": "tolerations",
}
"""By a part of a place in a workload: the field of the edit that says what is there."""


class SetWorkload(Edit, kw_only=True, tag="set-workload", rename="camel", frozen=True):
    """Changes what a workload's pods ask for and where they may go; its controller follows."""

    moves_pods = True
    words = Words(
        "Change a workload's pods",
        "Resize",
        "Change {object}",
        (
            Field("workload", "Workload", "workload"),
            Field("replicas", "Replicas", "count", optional=True),
            Field("cpu", "CPU that each asks for", "text", optional=True),
            Field("memory", "Memory that each asks for", "text", optional=True),
            Field("priorityClass", "Priority class", "text", optional=True),
            Field("nodeSelector", "Node selector (key=value; key- takes one away)", "labels", optional=True),
            Field("tolerations", "Tolerates too (key=value:NoSchedule)", "texts", optional=True),
        ),
        {"kind": "Deployment", "namespace": "", "name": ""},
        hint="replicas, cpu, memory, priority, nodes",
    )

    kind: KindName
    name: str
    namespace: Namespace = None
    replicas: Annotated[int | None, said(f"How many pods it is to have, 0 to {MAX_REPLICAS:,}.")] = None
    cpu: Annotated[str | None, said("What its container requests, such as `500m`.")] = None
    memory: Annotated[str | None, said("What its container requests, such as `4Gi`.")] = None
    container: Annotated[str | None, said("Whose requests change. Null: the first container's.")] = None
    priority_class: Annotated[str | None, said("The PriorityClass of its pods.")] = None
    node_selector: Annotated[
        dict[str, str | None] | None, said("Labels that nodes must have, over those of now; null drops one.")
    ] = None
    tolerations: Annotated[
        list[str] | None,
        said(
            "Taints that its pods tolerate too: `key=value:Effect`, `key:Effect`, or `key` for all of a key."
        ),
    ] = None

    def check(self) -> None:
        super().check()
        if all(getattr(self, field) is None for field in _FIELDS):
            given = "replicas, cpu, memory, priorityClass, nodeSelector or tolerations"
            raise Refused("", f"changes nothing: give {given}")
        check_replicas(self.replicas)
        check_labels("nodeSelector", self.node_selector or {})

    def apply(self, cluster: EditedCluster, result: EditResult) -> None:
        """Change the template and the number of pods. Raises Refused."""
        kind = cluster.kind_named(self.kind)
        if kind not in _CHANGEABLE:
            raise Refused("kind", f"must be one of {', '.join(map(str, _CHANGEABLE))}, not {self.kind}")
        old = cluster.get(kind, self.namespace, self.name)
        owner = controller_of(old)
        if owner is not None:
            raise Refused("name", f"{kind_of(owner)} {owner.get('name')} decides about it; change that")
        if self.replicas is not None and kind == DAEMON_SET:
            raise Refused("replicas", "a DaemonSet has one pod a node")
        said_changes: list[str] = []
        new = self._with_template(old, said_changes)
        if self.replicas is not None:
            before = spec_of(old).get("replicas", 1)
            new = with_replicas(new, self.replicas)
            said_changes.insert(0, f"replicas {before} → {self.replicas}")
        result.sentence = f"change {full_name(old)}: {', '.join(said_changes)}"
        if new == old:
            result.note("changes nothing")
            return
        change_by_field(cluster, old, new, result, "workload", _field_of)

    def _with_template(self, workload: Object, told: list[str]) -> Object:
        spec = spec_of(workload)
        template = spec.get("template") or {}
        pod = self._with_places(dict(template.get("spec") or {}), told)
        if self.cpu is not None or self.memory is not None:
            pod["containers"] = self._with_requests(pod.get("containers") or [], told)
        return {**workload, "spec": {**spec, "template": {**template, "spec": pod}}}

    def _with_places(self, pod: Object, told: list[str]) -> Object:
        if self.priority_class is not None:
            told.append(f"priority class {pod.get('priorityClassName') or 'none'} → {self.priority_class}")
            pod = {key: value for key, value in pod.items() if key not in ("priority", "preemptionPolicy")}
            pod["priorityClassName"] = self.priority_class
        if self.node_selector is not None:
            labels = dict(pod.get("nodeSelector") or {})
            for key, value in self.node_selector.items():
                labels.pop(key, None)
                if value is not None:
                    labels[key] = value
            told.append(f"node selector {_labels(pod.get('nodeSelector') or {})} → {_labels(labels)}")
            pod["nodeSelector"] = labels
        if self.tolerations:
            present = pod.get("tolerations") or []
            wanted = [_toleration(text) for text in self.tolerations]
            pod["tolerations"] = [*present, *(one for one in wanted if one not in present)]
            told.append(f"tolerates {', '.join(self.tolerations)} too")
        return pod

    def _with_requests(self, containers: list[Object], told: list[str]) -> list[Object]:
        names = [str(one.get("name")) for one in containers]
        name = self.container or (names[0] if names else "")
        if name not in names:
            raise Refused("container", f"there is no container {name}; it has {', '.join(names) or 'none'}")
        return [self._asking(one, told) if str(one.get("name")) == name else one for one in containers]

    def _asking(self, container: Object, told: list[str]) -> Object:
        resources = container.get("resources") or {}
        requests, limits = dict(resources.get("requests") or {}), resources.get("limits") or {}
        for resource, amount in (("cpu", self.cpu), ("memory", self.memory)):
            if amount is not None:
                told.append(f"{resource} {requests.get(resource, limits.get(resource, 'none'))} → {amount}")
                requests[resource] = amount
        return {**container, "resources": {**resources, "requests": requests}}


def _field_of(place: str) -> str:
    """Return the field of the edit that says what is at a place of the workload; else the place itself."""
    return next((field for part, field in _GIVEN_BY.items() if part in place), place)


def _toleration(text: str) -> Object:
    """Return the toleration of the taint that a text means."""
    rest, colon, effect = text.rpartition(":")
    key, equals, value = (rest if colon else text).partition("=")
    match = {"operator": "Equal", "value": value} if equals else {"operator": "Exists"}
    return {"key": key, **match, **({"effect": effect} if colon else {})}


def _labels(labels: dict[str, str]) -> str:
    return ",".join(f"{key}={value}" for key, value in labels.items()) or "none"
