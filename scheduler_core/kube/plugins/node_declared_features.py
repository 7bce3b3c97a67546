"""NodeDeclaredFeatures: a pod that needs a feature of the kubelet goes where the node declares it.

Two of the known features follow from a pod's spec when it is scheduled; the others matter for updates only.

Source: kubernetes v1.36 plugins/nodedeclaredfeatures; k8s.io/component-helpers v0.36 nodedeclaredfeatures.

Hints: plugins/nodedeclaredfeatures isSchedulableAfter...
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from scheduler_core.events.decisions import Status
from scheduler_core.kube.framework import (
    SKIP,
    UNRESOLVABLE,
    Cycle,
    FilterPlugin,
    PreFilterAnswer,
    Reads,
    View,
)
from scheduler_core.kube.queueing.cluster_event import NODE, POD, Action, ClusterEvent
from scheduler_core.kube.queueing.hint import ClusterView, Hint, Interest
from scheduler_core.kube.queueing.pod_facts import uid_of
from scheduler_core.objects.types import Node, Pod
from scheduler_core.predicates.filter_state import FilterState
from scheduler_core.state.nodes import BoolArray, IntArray

RESTART_ALL_CONTAINERS = "RestartAllContainersOnContainerExits"
USER_NAMESPACES_ON_HOST_NETWORK = "UserNamespacesHostNetworkSupport"

_KNOWN = (
    "ExtendWebSocketsToKubelet",
    "InPlacePodLevelResourcesVerticalScaling",
    "InPlacePodVerticalScalingInitContainers",
    RESTART_ALL_CONTAINERS,
    USER_NAMESPACES_ON_HOST_NETWORK,
)
"""All features that the scheduler knows, sorted."""


def declared_features(node: Node) -> frozenset[str]:
    """Return the known features that the node declares.

    Its list is sorted and is read side by side with the known ones: what stands out of order is passed over.
    """
    declared, remaining = set(), list(_KNOWN)
    for feature in node.status.declared_features or ():
        while remaining and remaining[0] < feature:
            del remaining[0]
        if remaining and remaining[0] == feature:
            declared.add(remaining.pop(0))
    return frozenset(declared)


def required_features(pod: Pod) -> frozenset[str]:
    """Return the features without which the pod cannot run."""
    required = set()
    for container in [*(pod.spec.containers or ()), *(pod.spec.init_containers or ())]:
        if any(rule.action == "RestartAllContainers" for rule in container.restart_policy_rules or ()):
            required.add(RESTART_ALL_CONTAINERS)
    if pod.spec.host_network and pod.spec.host_users is False:
        required.add(USER_NAMESPACES_ON_HOST_NETWORK)
    return frozenset(required)


@dataclass
class _Mask(FilterState):
    """Which nodes declare all that is required, shape (nodes,)."""

    declared: BoolArray


class NodeDeclaredFeatures(FilterPlugin):
    """Filter: skipped for pods that require no feature."""

    name = "NodeDeclaredFeatures"
    reads = Reads.NODE
    unprepared = 'error reading "PreFilterNodeDeclaredFeatures" from cycle-state: not found'

    def listens_to(self) -> list[Interest]:
        """Return the events that may help a pod which this plugin rejected."""
        return _interests(required_features)

    def pre_filter(self, cycle: Cycle) -> PreFilterAnswer:
        required = required_features(cycle.pod.pod)
        if not required:
            return SKIP
        nodes = cycle.state.nodes.objects
        answers = [required <= declared_features(node) for node in nodes]
        return _Mask(np.array(answers, dtype=np.bool_))

    def filter(self, view: View, nodes: IntArray) -> IntArray:
        state = view.states[self.name]
        assert isinstance(state, _Mask)
        return (~state.declared[nodes]).astype(np.int64)

    def status(self, state: FilterState | None, code: int) -> Status:
        return Status(self.name, UNRESOLVABLE, ["node(s) didn't match Pod's required features"])


# -- queueing hints ------------------------------------------------------------------------------------


RequiredFeatures = Callable[[Pod], frozenset[str]]


def _interests(required_features: RequiredFeatures) -> list[Interest]:
    """Nodes that come or declare other features; any change of the pod itself."""
    return [
        Interest(
            ClusterEvent(NODE, Action.ADD | Action.UPDATE_NODE_DECLARED_FEATURE),
            after_node_change,
            yes="the node is new or declares other features",
            no="the node declares the same features as before",
        ),
        Interest(
            ClusterEvent(POD, Action.UPDATE),
            _after_pod_update(required_features),
            yes="the pod itself requires other features now",
            no="the pod itself requires the same features as before",
        ),
    ]


def after_node_change(pod: Pod, old: Node | None, new: Node, view: ClusterView) -> bool:
    """Return whether the declared features changed in any way."""
    return old is None or (old.status.declared_features or []) != (new.status.declared_features or [])


def _after_pod_update(required_features: RequiredFeatures) -> Hint:
    def after_pod_update(pod: Pod, old: Pod, new: Pod, view: ClusterView) -> bool:
        """Return whether the pod itself requires other features now."""
        return uid_of(new) == uid_of(pod) and required_features(old) != required_features(new)

    return after_pod_update
