"""When a pod that NodeResourcesFit rejected may fit.

Source: kubernetes v1.36 plugins/noderesources fit.go isSchedulableAfter...,
haveAnyRequestedResourcesIncreased.
"""

from scheduler_core.kube.queueing.cluster_event import DEVICE_CLASS, NODE, POD, Action, ClusterEvent
from scheduler_core.kube.queueing.hint import ClusterView, Interest
from scheduler_core.kube.queueing.pods import is_assigned, takes_room, uid_of
from scheduler_core.objects.dynamic_resources import DeviceClass
from scheduler_core.objects.requests import Amounts, counted_by_scheduler, pod_requests
from scheduler_core.objects.types import Node, Pod
from scheduler_core.state.nodes import allocatable_of

_IMPLICIT = "deviceclass.resource.kubernetes.io/"


def listens_to() -> list[Interest]:
    """Pods that go or shrink, nodes that come or grow, device classes that stand for a resource."""
    return [
        Interest(
            ClusterEvent(POD, Action.DELETE | Action.UPDATE_POD_SCALE_DOWN),
            after_pod_event,
            yes="the other pod gave room back, or the pod itself asks for less",
            no="the other pod gave back nothing that the pod asks for",
        ),
        Interest(
            ClusterEvent(NODE, Action.ADD | Action.UPDATE_NODE_ALLOCATABLE),
            after_node_change,
            yes="the pod would fit on the node if it were empty, and the node is new or grew",
            no="the node is too small even if it were empty, or did not grow in what the pod asks for",
        ),
        Interest(
            ClusterEvent(DEVICE_CLASS, Action.ADD | Action.UPDATE),
            after_device_class_event,
            yes="the class newly stands for a resource that the pod asks for",
            no="the class stands for nothing that the pod asks for, or did so before",
        ),
    ]


def after_pod_event(pod: Pod, old: Pod, new: Pod | None, view: ClusterView) -> bool:
    """Return whether the other pod gave room back, or the pod itself asks for less."""
    if new is None:
        return takes_room(old)
    if uid_of(new) == uid_of(pod):
        return True
    if not is_assigned(new):
        return False
    before, after = pod_requests(old, running=True), pod_requests(new, running=True)
    return any(before.get(name, 0) > after.get(name, 0) for name in _wanted(pod_requests(pod, running=True)))


def after_node_change(pod: Pod, old: Node | None, new: Node, view: ClusterView) -> bool:
    """Return whether the pod would fit into the node if it were empty, and the node grew in what it wants."""
    wanted, after = _wanted(pod_requests(pod)), allocatable_of(new)
    of_devices = {name for name in wanted if not after.get(name) and view.devices.offer(name)}
    short = {name for name, amount in wanted.items() if amount > after.get(name, 0)}
    if after.get("pods", 0) < 1 or short - of_devices:
        return False
    if old is None or of_devices:
        return True
    before = allocatable_of(old)
    return any(after.get(name, 0) > before.get(name, 0) for name in ("pods", *wanted))


def after_device_class_event(pod: Pod, old: DeviceClass | None, new: DeviceClass, view: ClusterView) -> bool:
    """Return whether the class newly stands for an extended resource that the pod asks for."""
    name, requests = new.spec.extended_resource_name, pod_requests(pod)
    if old is not None and (old.spec.extended_resource_name or "") == (name or ""):
        return False
    if old is None and f"{_IMPLICIT}{new.metadata.name}" in requests:
        return True
    return name is not None and name in requests


def _wanted(requests: Amounts) -> Amounts:
    return {name: amount for name, amount in requests.items() if amount > 0 and counted_by_scheduler(name)}
