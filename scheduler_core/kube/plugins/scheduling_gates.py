"""SchedulingGates: a pod with `spec.schedulingGates` does not enter the queue.

Source: kubernetes v1.36 plugins/schedulinggates.
"""

from scheduler_core.events.decisions import Status
from scheduler_core.kube.framework import UNRESOLVABLE, Plugin
from scheduler_core.kube.hints import scheduling_gates as hints
from scheduler_core.kube.queueing.hint import Interest
from scheduler_core.state.pods import PodInfo


class SchedulingGates(Plugin):
    """PreEnqueue: the names of all gates are in the reason, in the pod's order."""

    name = "SchedulingGates"

    def listens_to(self) -> list[Interest]:
        """Return the events that may help a pod which this plugin rejected."""
        return hints.listens_to()

    def pre_enqueue(self, pod: PodInfo) -> Status | None:
        """Return the rejection of a gated pod, None for any other."""
        gates = [gate.name for gate in pod.pod.spec.scheduling_gates or ()]
        if not gates:
            return None
        return Status(self.name, UNRESOLVABLE, [f"waiting for scheduling gates: [{' '.join(gates)}]"])
