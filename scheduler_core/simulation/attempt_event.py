"""From what an attempt found out to the event that the log holds."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from scheduler_core.events import Attempt, Candidate, Change, Code, PodRef, Preemption, Rejection, Victim
from scheduler_core.kube.attempt import AttemptResult, PreemptionResult
from scheduler_core.kube.preemption import DryRun
from scheduler_core.objects.timestamps import format_timestamp
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.pods import NO_START_TIME

if TYPE_CHECKING:
    from scheduler_core.simulation.driver import Gated, Looked


def pod_ref(state: ClusterState, pod: int) -> PodRef:
    """Return how events name a pod."""
    info = state.pods.infos[pod]
    return PodRef(info.uid, info.namespace, info.name, info.priority)


def start_time(state: ClusterState, pod: int) -> str | None:
    """Return the pod's start time as text, to the second."""
    start = int(state.pods.start_time[pod])
    return None if start == NO_START_TIME else format_timestamp(start)


def gated(state: ClusterState, look: Gated, seq: int, changes: list[Change], nominated: str) -> Attempt:
    """Return the event of a pod that PreEnqueue keeps out of the queue."""
    return Attempt(
        seq=seq,
        pod=pod_ref(state, look.pod),
        attempt=0,
        profile=state.pods.infos[look.pod].scheduler_name,
        outcome="gated",
        nominated_before=nominated,
        nominated_after=nominated,
        nodes=len(state.nodes),
        visited=0,
        feasible=0,
        preenqueue=look.status,
        prefilter=None,
        rejections=[],
        best=[],
        chosen=None,
        total=None,
        message=", ".join(look.status.reasons),
        preemption=None,
        changes=changes,
    )


def attempt(look: Looked, seq: int, changes: list[Change], nominated_after: str) -> Attempt:
    """Return the event of an attempt whose consequences are `changes`."""
    result = look.result
    state, info = result.cycle.state, result.cycle.pod
    verdicts, names = result.verdicts, state.nodes.names
    return Attempt(
        seq=seq,
        pod=pod_ref(state, look.pod),
        attempt=look.attempt,
        profile=info.scheduler_name,
        outcome=result.outcome,
        nominated_before=look.nominated_before,
        nominated_after=nominated_after,
        nodes=len(state.nodes),
        visited=int(verdicts.visited.sum()) if verdicts else 0,
        feasible=len(result.feasible),
        preenqueue=None,
        prefilter=result.pre_filtered.rejected if result.pre_filtered else None,
        rejections=verdicts.rejections() if verdicts else [],
        best=state.nodes.names_of(result.best),
        chosen=None if result.chosen is None else names[result.chosen],
        total=int(result.total.max()) if result.scores else None,
        message=result.message,
        preemption=_preemption(state, result),
        changes=changes,
    )


def _preemption(state: ClusterState, result: AttemptResult) -> Preemption | None:
    preemption = result.preemption
    if preemption is None:
        return None
    winner = preemption.winner
    return Preemption(
        eligible=preemption.eligible,
        reason=preemption.reason,
        potential=len(preemption.runs),
        candidates=_candidates(state, preemption),
        not_candidates=_not_candidates(preemption.runs),
        best=preemption.best,
        nominated=state.nodes.names[winner.node] if winner else "",
        victims=[pod_ref(state, pod) for pod in winner.victims] if winner else [],
        cleared=[pod_ref(state, pod) for pod in preemption.cleared],
        status=preemption.status,
    )


def _candidates(state: ClusterState, preemption: PreemptionResult) -> list[Candidate]:
    """Return the candidates with their criteria, the winner first, then by how far they came."""
    costs = preemption.costs
    if costs is None:
        return []
    candidates = []
    for place, run in enumerate(preemption.candidates):
        earliest = int(costs.earliest_start[place])
        candidates.append(
            Candidate(
                node=state.nodes.names[run.node],
                victims=[_victim(state, run, pod) for pod in run.victims],
                pdb_violations=run.violations,
                highest_priority=int(costs.highest_priority[place]),
                priority_sum=int(costs.priority_sum[place]),
                victim_count=len(run.victims),
                earliest_start=None if earliest == NO_START_TIME else format_timestamp(earliest),
                lost_at=None if run is preemption.winner else preemption.lost[place],
            )
        )
    return sorted(candidates, key=lambda candidate: (_RANK[candidate.lost_at], candidate.node))


_RANK = {
    None: 0,
    "name": 1,
    "earliest_start": 2,
    "victim_count": 3,
    "priority_sum": 4,
    "highest_priority": 5,
    "pdb_violations": 6,
}


def _victim(state: ClusterState, run: DryRun, pod: int) -> Victim:
    info = state.pods.infos[pod]
    violates = any(step.pod == pod and step.violates_budget for step in run.steps)
    return Victim(info.uid, info.namespace, info.name, info.priority, start_time(state, pod), violates)


def _not_candidates(runs: list[DryRun]) -> list[Rejection]:
    counts: Counter[tuple[str, Code, tuple[str, ...]]] = Counter(
        (run.rejection.plugin, run.rejection.code, tuple(run.rejection.reasons))
        for run in runs
        if run.rejection is not None
    )
    return [
        Rejection(plugin, code, list(reasons), number)
        for (plugin, code, reasons), number in sorted(counts.items())
    ]
