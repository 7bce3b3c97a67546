"""When a pod that NodePorts rejected may fit.

Source: kubernetes v1.36 plugins/nodeports isSchedulableAfterPodDeleted.
"""

from scheduler_core.kube.queueing.cluster_event import NODE, POD, Action, ClusterEvent
from scheduler_core.kube.queueing.hint import ClusterView, Interest
from scheduler_core.kube.queueing.pods import takes_room
from scheduler_core.objects.host_ports import conflicts, host_ports
from scheduler_core.objects.types import Pod


def listens_to() -> list[Interest]:
    """Any new node; pods that go."""
    return [
        Interest(
            ClusterEvent(POD, Action.DELETE),
            after_pod_deleted,
            yes="the pod that went held a host port that is wanted",
            no="the pod that went held no host port that is wanted",
        ),
        Interest(ClusterEvent(NODE, Action.ADD)),
    ]


def after_pod_deleted(pod: Pod, old: Pod, new: None, view: ClusterView) -> bool:
    """Return whether the pod that went held a port that is wanted."""
    return takes_room(old) and any(
        conflicts(wanted, used) for used in host_ports(old) for wanted in host_ports(pod)
    )
