"""When a pod that NodeDeclaredFeatures rejected may fit.

Source: kubernetes v1.36 plugins/nodedeclaredfeatures isSchedulableAfter...
"""

from collections.abc import Callable

from scheduler_core.kube.queueing.cluster_event import NODE, POD, Action, ClusterEvent
from scheduler_core.kube.queueing.hint import ClusterView, Hint, Interest
from scheduler_core.kube.queueing.pods import uid_of
from scheduler_core.objects.types import Node, Pod

RequiredFeatures = Callable[[Pod], frozenset[str]]


def listens_to(required_features: RequiredFeatures) -> list[Interest]:
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
