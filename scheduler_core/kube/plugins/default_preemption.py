"""DefaultPreemption: may this pod preempt at all? The dry run is `scheduler_core.kube.preemption`.

Source: kubernetes v1.36 plugins/defaultpreemption PodEligibleToPreemptOthers, calculateNumCandidates.
"""

from scheduler_core.events.decisions import Status
from scheduler_core.kube.framework import UNRESOLVABLE, Plugin
from scheduler_core.kube.verdicts import Verdicts
from scheduler_core.objects.types import Pod
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.pods import PodInfo

_NEVER = "not eligible due to preemptionPolicy=Never."
_WAITING = "not eligible due to a terminating pod on the nominated node."


_MIN_CANDIDATE_PERCENTAGE, _MIN_CANDIDATES = 10, 100


class DefaultPreemption(Plugin):
    """PostFilter."""

    name = "DefaultPreemption"

    def candidates_looked_for(self, nodes: int) -> int:
        """Return after how many candidates the real scheduler ends its search, which begins at random."""
        percentage = self.args.get("minCandidateNodesPercentage")
        absolute = self.args.get("minCandidateNodesAbsolute")
        share = nodes * (_MIN_CANDIDATE_PERCENTAGE if percentage is None else percentage) // 100
        return min(max(share, _MIN_CANDIDATES if absolute is None else absolute), nodes)

    def may_preempt(
        self, state: ClusterState, pod: PodInfo, verdicts: Verdicts, rejected: Status | None
    ) -> tuple[bool, str]:
        """Return whether the pod may preempt, and why not.

        `rejected` is PreFilter's rejection, which counts for every node.
        """
        if pod.pod.spec.preemption_policy == "Never":
            return False, _NEVER
        node = state.nodes.index.get(state.nominated[pod.row])
        if node is None:
            return True, ""
        status = verdicts.status(node) or rejected
        if status is None or status.code == UNRESOLVABLE:
            return True, ""
        for other in state.node_pods[node]:
            info = state.pods.infos[other]
            if info.priority < pod.priority and terminating_by_preemption(info.pod):
                return False, _WAITING
        return True, ""


def terminating_by_preemption(pod: Pod) -> bool:
    """Return whether the pod is terminating because kube-scheduler preempted it."""
    if pod.metadata.deletion_timestamp is None:
        return False
    for condition in pod.status.conditions or ():
        if condition.type == "DisruptionTarget":
            return condition.status == "True" and condition.reason == "PreemptionByScheduler"
    return False
