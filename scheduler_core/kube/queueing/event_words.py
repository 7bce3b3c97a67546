"""Cluster events in words, for people: `NodeAdd` is "a node comes"."""

from collections.abc import Iterator
from typing import NamedTuple

from scheduler_core.kube.queueing import cluster_event as event
from scheduler_core.kube.queueing.cluster_event import Action, ClusterEvent
from scheduler_core.kube.queueing.hint import Interest

_SUBJECTS = {
    event.POD: "a pod",
    event.ASSIGNED_POD: "a pod",
    event.UNSCHEDULED_POD: "a pod without a node",
    event.TARGET_POD: "the pod itself",
    event.NODE: "a node",
    event.VOLUME: "a volume",
    event.CLAIM: "a volume claim",
    event.CSI_NODE: "a CSINode",
    event.CSI_DRIVER: "a CSIDriver",
    event.CAPACITY: "a storage capacity",
    event.STORAGE_CLASS: "a StorageClass",
    event.ATTACHMENT: "a volume attachment",
    event.RESOURCE_CLAIM: "a resource claim",
    event.RESOURCE_SLICE: "a resource slice",
    event.DEVICE_CLASS: "a DeviceClass",
    event.POD_GROUP: "a pod group",
}
_VERBS = {
    Action.ADD: "comes",
    Action.DELETE: "goes",
    Action.UPDATE: "changes",
    Action.UPDATE_NODE_ALLOCATABLE: "changes its size",
    Action.UPDATE_NODE_LABEL: "is relabelled",
    Action.UPDATE_NODE_TAINT: "changes its taints",
    Action.UPDATE_NODE_CONDITION: "changes its conditions",
    Action.UPDATE_NODE_ANNOTATION: "changes its annotations",
    Action.UPDATE_NODE_DECLARED_FEATURE: "declares other features",
    Action.UPDATE_POD_LABEL: "is relabelled",
    Action.UPDATE_POD_SCALE_DOWN: "asks for less",
    Action.UPDATE_POD_SCALE_UP: "asks for more",
    Action.UPDATE_POD_TOLERATION: "changes its tolerations",
    Action.UPDATE_POD_SCHEDULING_GATES_ELIMINATED: "loses its last gate",
    Action.UPDATE_POD_GENERATED_RESOURCE_CLAIM: "gets its resource claims",
}


class EventWords(NamedTuple):
    """An event in words: `subject` and `verb` make a sentence; `labels` are what the log calls it."""

    subject: str
    verb: str
    labels: list[str]


def words_of(interest: Interest) -> list[EventWords]:
    """Return what a plugin listens to, an entry for each thing that may happen."""
    resource, heard = interest.event.resource, interest.event.action
    actions = [action for action in (Action.ADD, Action.DELETE) if action in heard]
    actions += [Action.UPDATE] if Action.UPDATE in heard else [one for one in Action.UPDATE if one in heard]
    return [EventWords(*_said(resource, action), list(_labels(resource, action))) for action in actions]


def sentence_of(happened: ClusterEvent) -> str:
    """Return what happened in words."""
    return " ".join(_said(happened.resource, happened.action))


def _said(resource: str, action: Action) -> tuple[str, str]:
    """Return subject and verb. Of pods, only those that are placed come for the queue."""
    is_placed = resource in (event.POD, event.ASSIGNED_POD) and action == Action.ADD
    return _SUBJECTS.get(resource, resource), "is placed" if is_placed else _VERBS.get(action, "changes")


def _labels(resource: str, action: Action) -> Iterator[str]:
    """Yield the labels of all events that who listens to this hears of."""
    resources = event.KINDS_OF_PODS if resource == event.POD else (resource,)
    for one in resources:
        yield ClusterEvent(one, action).label
        if action == Action.UPDATE:
            about = "NODE" if resource == event.NODE else "POD"
            parts = [part for part in Action.UPDATE if (part.name or "").startswith(f"UPDATE_{about}")]
            if resource in (event.NODE, event.POD, *event.KINDS_OF_PODS):
                yield from (ClusterEvent(one, part).label for part in parts)
