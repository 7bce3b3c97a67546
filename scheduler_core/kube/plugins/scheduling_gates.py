"""SchedulingGates: a pod with `spec.schedulingGates` does not enter the queue.

Source: kubernetes v1.36 plugins/schedulinggates.

Hints: plugins/schedulinggates isSchedulableAfterUpdatePodSchedulingGatesEliminated.
"""

from scheduler_core.events.decisions import Status
from scheduler_core.kube.framework import UNRESOLVABLE, Plugin
from scheduler_core.kube.queueing.cluster_event import POD, Action, ClusterEvent
from scheduler_core.kube.queueing.hint import ClusterView, Interest
from scheduler_core.kube.queueing.pod_facts import uid_of
from scheduler_core.objects.types import Pod
from scheduler_core.state.pods import PodInfo


class SchedulingGates(Plugin):
    """PreEnqueue: the names of all gates are in the reason, in the pod's order."""

    name = "SchedulingGates"

    def listens_to(self) -> list[Interest]:
        """Return the events that may help a pod which this plugin rejected."""
        return _interests()

    def pre_enqueue(self, pod: PodInfo, claims: object = None) -> Status | None:
        """Return the rejection of a gated pod, None for any other."""
        gates = [gate.name for gate in pod.pod.spec.scheduling_gates or ()]
        if not gates:
            return None
        return Status(self.name, UNRESOLVABLE, [f"waiting for scheduling gates: [{' '.join(gates)}]"])


# -- queueing hints ------------------------------------------------------------------------------------


def _interests() -> list[Interest]:
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
