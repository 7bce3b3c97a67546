"""When a pod that SchedulingGates keeps out of the queue may enter.

Source: kubernetes v1.36 plugins/schedulinggates isSchedulableAfterUpdatePodSchedulingGatesEliminated.
"""

from scheduler_core.kube.queueing.cluster_event import POD, Action, ClusterEvent
from scheduler_core.kube.queueing.hint import ClusterView, Interest
from scheduler_core.kube.queueing.pods import uid_of
from scheduler_core.objects.types import Pod


def listens_to() -> list[Interest]:
    """The last gate that goes."""
    return [
        Interest(
            ClusterEvent(POD, Action.UPDATE_POD_SCHEDULING_GATES_ELIMINATED),
            after_gates_eliminated,
            yes="the gates were the pod's own",
            no="the gates were another pod's",
        )
    ]


def after_gates_eliminated(pod: Pod, old: Pod, new: Pod, view: ClusterView) -> bool:
    """Return whether they were the pod's own."""
    return uid_of(new) == uid_of(pod)
