"""DefaultPreemption: may this pod preempt at all, and where? The dry run is in `kube/preemption/`.

Source: kubernetes v1.36 plugins/defaultpreemption PodEligibleToPreemptOthers, calculateNumCandidates.
"""

from dataclasses import replace

from scheduler_core.events.decisions import Status
from scheduler_core.kube.extenders.extender import ExtenderError
from scheduler_core.kube.framework import ERROR, UNRESOLVABLE, UNSCHEDULABLE
from scheduler_core.kube.message import fit_error
from scheduler_core.kube.nominated import lower_nominated
from scheduler_core.kube.post_filter import Failure, PostFilterAnswer, PostFilterPlugin
from scheduler_core.kube.preemption.candidates import Contest, Runs, pick
from scheduler_core.kube.preemption.dry_run import NOT_HELPFUL
from scheduler_core.kube.preemption.extended import left_of, sent
from scheduler_core.kube.preemption.result import PreemptionResult
from scheduler_core.kube.verdicts import Verdicts
from scheduler_core.objects.types import Pod
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.pods import PodInfo

_NEVER = "not eligible due to preemptionPolicy=Never."
_NO_CANDIDATE = "no candidate node for preemption"
_WAITING = "not eligible due to a terminating pod on the nominated node."


_MIN_CANDIDATE_PERCENTAGE, _MIN_CANDIDATES = 10, 100


class DefaultPreemption(PostFilterPlugin):
    """PostFilter: nominates the node on which the pods to evict are missed least."""

    name = "DefaultPreemption"

    def post_filter(self, failure: Failure) -> PostFilterAnswer:
        answer = self._preempt(failure)
        return replace(answer, reason=f"preemption: {answer.reason}") if answer.reason else answer

    def _preempt(self, failure: Failure) -> PostFilterAnswer:
        state, pod, rejected = failure.cycle.state, failure.cycle.pod, failure.pre_filtered.rejected
        eligible, reason = self.may_preempt(state, pod, failure.verdicts, rejected)
        if not eligible:
            return PostFilterAnswer(UNSCHEDULABLE, reason, None, PreemptionResult(eligible, reason))
        potential = failure.verdicts.resolvable()
        if rejected is not None and rejected.code == UNSCHEDULABLE:
            potential = state.nodes.all
        runs = failure.dry_run(potential)
        if len(runs.candidates) == 0:
            return _no_candidates(state, runs)
        if not failure.hearing.preempts:
            return self._take_best(failure, runs, PreemptionResult(True, runs=runs))
        return self._ask_extenders(failure, runs)

    def success(self, node: str, victims: int) -> str:
        """Return what is said of a preemption that found a node with so many victims; empty for nothing."""
        return ""

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

    def _ask_extenders(self, failure: Failure, runs: Runs) -> PostFilterAnswer:
        preemption = PreemptionResult(True, runs=runs)
        try:
            answer = failure.hearing.preempt(sent(runs))
        except ExtenderError as error:
            return PostFilterAnswer(ERROR, str(error), None, preemption)
        if not answer:
            return PostFilterAnswer(UNSCHEDULABLE, _NO_CANDIDATE, None, preemption)
        preemption.left = left = left_of(failure.cycle.state, answer)
        return self._take_best(failure, left, preemption)

    def _take_best(
        self, failure: Failure, contest: Contest, preemption: PreemptionResult
    ) -> PostFilterAnswer:
        state, pod, costs = failure.cycle.state, failure.cycle.pod, contest.costs
        best, lost = pick(contest, contest.candidates, costs)
        winner = best[failure.lots(len(best))]
        node = int(contest.nodes[winner])
        preemption.costs, preemption.lost, preemption.winner = costs, lost, winner
        preemption.best = [state.nodes.names[int(contest.nodes[run])] for run in best]
        preemption.victims = contest.victims(winner)
        preemption.cleared = lower_nominated(state, pod, node, failure.room.siblings)
        name = state.nodes.names[node]
        said = self.success(name, len(preemption.victims))
        return PostFilterAnswer("Success", said, name, preemption)


def terminating_by_preemption(pod: Pod) -> bool:
    """Return whether the pod is terminating because kube-scheduler preempted it."""
    if pod.metadata.deletion_timestamp is None:
        return False
    for condition in pod.status.conditions or ():
        if condition.type == "DisruptionTarget":
            return condition.status == "True" and condition.reason == "PreemptionByScheduler"
    return False


def _no_candidates(state: ClusterState, runs: Runs) -> PostFilterAnswer:
    preemption = PreemptionResult(eligible=True, runs=runs)
    counted = runs.rejections()
    errors = sorted({", ".join(status.reasons) for status, _ in counted if status.code == ERROR})
    if errors:
        text = errors[0] if len(errors) == 1 else f"[{', '.join(errors)}]"
        return PostFilterAnswer(ERROR, text, None, preemption)
    nodes = len(state.nodes)
    if len(runs.nodes) < nodes:
        counted.append((NOT_HELPFUL, nodes - len(runs.nodes)))
    return PostFilterAnswer(UNSCHEDULABLE, fit_error(nodes, counted), "", preemption)
