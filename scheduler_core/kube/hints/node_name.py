"""When a pod that NodeName rejected may fit.

Source: kubernetes v1.36 plugins/nodename EventsToRegister.
"""

from scheduler_core.kube.queueing.cluster_event import NODE, Action, ClusterEvent
from scheduler_core.kube.queueing.hint import Interest


def listens_to() -> list[Interest]:
    """Any new node may be the one that the pod names."""
    return [Interest(ClusterEvent(NODE, Action.ADD))]
