"""Cluster events: what happened to which kind of object, as the scheduling queue and the plugins speak of it.

Source: kube-scheduler v0.36 framework ActionType, EventResource, ClusterEvent; kubernetes v1.36
pkg/scheduler/framework types.go MatchClusterEvents, events.go.
"""

from enum import IntFlag, auto
from typing import NamedTuple


class Action(IntFlag):
    """What happened. The parts of an update can be listened to one by one."""

    ADD = auto()
    DELETE = auto()
    UPDATE_NODE_ALLOCATABLE = auto()
    UPDATE_NODE_LABEL = auto()
    UPDATE_NODE_TAINT = auto()
    UPDATE_NODE_CONDITION = auto()
    UPDATE_NODE_ANNOTATION = auto()
    UPDATE_NODE_DECLARED_FEATURE = auto()
    UPDATE_POD_LABEL = auto()
    UPDATE_POD_SCALE_DOWN = auto()
    UPDATE_POD_TOLERATION = auto()
    UPDATE_POD_SCHEDULING_GATES_ELIMINATED = auto()
    UPDATE_POD_GENERATED_RESOURCE_CLAIM = auto()
    UPDATE_POD_SCALE_UP = auto()
    UPDATE = (
        UPDATE_NODE_ALLOCATABLE
        | UPDATE_NODE_LABEL
        | UPDATE_NODE_TAINT
        | UPDATE_NODE_CONDITION
        | UPDATE_NODE_ANNOTATION
        | UPDATE_NODE_DECLARED_FEATURE
        | UPDATE_POD_LABEL
        | UPDATE_POD_SCALE_DOWN
        | UPDATE_POD_TOLERATION
        | UPDATE_POD_SCHEDULING_GATES_ELIMINATED
        | UPDATE_POD_GENERATED_RESOURCE_CLAIM
        | UPDATE_POD_SCALE_UP
    )
    ALL = ADD | DELETE | UPDATE


POD, NODE = "Pod", "Node"
ASSIGNED_POD, UNSCHEDULED_POD, TARGET_POD = "AssignedPod", "UnschedulablePod", "TargetPod"
"""Pods with and without a node, and, in some releases, the very pod that waits."""
KINDS_OF_PODS = (ASSIGNED_POD, UNSCHEDULED_POD, TARGET_POD)
"""Who listens to pods listens to all of them."""
VOLUME, CLAIM = "PersistentVolume", "PersistentVolumeClaim"
CSI_NODE, CSI_DRIVER = "storage.k8s.io/CSINode", "storage.k8s.io/CSIDriver"
CAPACITY, STORAGE_CLASS = "storage.k8s.io/CSIStorageCapacity", "storage.k8s.io/StorageClass"
ATTACHMENT = "storage.k8s.io/VolumeAttachment"
RESOURCE_CLAIM, RESOURCE_SLICE = "resource.k8s.io/ResourceClaim", "resource.k8s.io/ResourceSlice"
DEVICE_CLASS = "resource.k8s.io/DeviceClass"
POD_GROUP = "scheduling.k8s.io/PodGroup"
_ANYTHING = "*"


def _word(action: Action) -> str:
    """Return the action as labels spell it: `UpdateNodeLabel`."""
    return "".join(part.capitalize() for part in (action.name or "").split("_"))


class ClusterEvent(NamedTuple):
    """An event, or what a plugin listens to: then `action` may be several. `name` stands for the label."""

    resource: str
    action: Action
    name: str = ""

    @property
    def label(self) -> str:
        """The event as the scheduler's logs and metrics name it: `NodeAdd`, `AssignedPodDelete`."""
        return self.name or f"{self.resource}{_word(self.action)}"

    @property
    def is_for_all(self) -> bool:
        """Whether it concerns every pod, whoever rejected it."""
        return self.resource == _ANYTHING

    def covers(self, event: "ClusterEvent") -> bool:
        """Return whether who listens to this hears of the event, which is the same or more special."""
        any_pod = self.resource == POD and event.resource in KINDS_OF_PODS
        return (any_pod or self.resource == event.resource) and not event.action & ~self.action


ASSIGNED_POD_ADD = ClusterEvent(ASSIGNED_POD, Action.ADD)
ASSIGNED_POD_DELETE = ClusterEvent(ASSIGNED_POD, Action.DELETE)
UNSCHEDULED_POD_ADD = ClusterEvent(UNSCHEDULED_POD, Action.ADD)
UNSCHEDULED_POD_UPDATE = ClusterEvent(UNSCHEDULED_POD, Action.UPDATE)
UNSCHEDULED_POD_DELETE = ClusterEvent(UNSCHEDULED_POD, Action.DELETE)
UNSCHEDULABLE_TIMEOUT = ClusterEvent(_ANYTHING, Action.ALL, "UnschedulableTimeout")
FORCE_ACTIVATE = ClusterEvent(_ANYTHING, Action.ALL, "ForceActivate")

# Why a pod moves where no cluster event is the reason.
POP, DONE = "Pop", "Done"
ATTEMPT_FAILURE = "ScheduleAttemptFailure"
BACKOFF_COMPLETE = "BackoffComplete"
