"""What a kube-scheduler's attempt found out, as an explanation tells it: all nodes by name."""

from scheduler_core.events.decisions import PodRef, Status
from scheduler_core.events.explanation import (
    AttemptInFull,
    DryRun,
    DryRunCandidate,
    ExtenderCall,
    NodeScores,
)
from scheduler_core.kube.attempt_event import pod_ref
from scheduler_core.kube.attempt_result import AttemptResult
from scheduler_core.kube.extenders.extender import Call, Filtered
from scheduler_core.kube.extenders.panel import Hearing
from scheduler_core.kube.look import Gated, Look
from scheduler_core.kube.preemption.result import PreemptionResult
from scheduler_core.state.cluster import ClusterState


def in_full(state: ClusterState, look: Look) -> AttemptInFull:
    """Return what was seen in full. To be asked before it is applied."""
    if isinstance(look, Gated):
        return AttemptInFull(
            pod=pod_ref(state, look.pod),
            attempt=0,
            profile=state.pods.infos[look.pod].scheduler_name,
            outcome="gated",
            nominated_before=state.nominated[look.pod],
            preenqueue=look.status,
            message=", ".join(look.status.reasons),
        )
    return attempt_in_full(look.result, look.attempt, look.nominated_before)


def attempt_in_full(result: AttemptResult, attempt: int, nominated_before: str) -> AttemptInFull:
    """Return an attempt in full: its result, which try of its pod it is, and the nomination before it."""
    state, pod, filtered = result.cycle.state, result.cycle.pod, result.pre_filtered
    names = filtered.names if filtered else None
    return AttemptInFull(
        pod=pod_ref(state, pod.row),
        attempt=attempt,
        profile=pod.scheduler_name,
        outcome=result.outcome,
        nominated_before=nominated_before,
        prefilter=filtered.rejected if filtered else None,
        prefilter_nodes=None if names is None else sorted(names),
        filter=_filter(result),
        scores=_scores(result),
        best=state.nodes.names_of(result.best),
        chosen=None if result.chosen is None else state.nodes.names[result.chosen],
        message=result.message,
        reserve=result.reserve,
        dry_run=None if result.preemption is None else _dry_run(state, result.preemption),
        extenders=[_call(result, result.hearing, call) for call in result.hearing.calls]
        if result.hearing
        else [],
    )


def _call(result: AttemptResult, hearing: Hearing, call: Call) -> ExtenderCall:
    state, filtered = result.cycle.state, call.filtered or Filtered(())
    pods = state.pods.by_uid
    return ExtenderCall(
        extender=call.extender,
        verb=call.verb,
        nodes=sorted(call.nodes),
        fits=sorted(filtered.fits),
        failed=dict(filtered.failed),
        unresolvable=dict(filtered.unresolvable),
        scores=dict(call.scores or {}),
        victims={
            node: DryRunCandidate(_refs(state, [pods[uid] for uid in left.pods]), left.pdb_violations)
            for node, left in (call.victims or {}).items()
        },
        cards=filtered.cards,
        policies=hearing.choices(call),
        error=call.error,
    )


def _filter(result: AttemptResult) -> dict[str, Status | None]:
    if result.verdicts is None:
        return {}
    names = result.cycle.state.nodes.names
    return {names[row]: result.verdicts.status(row) for row in result.verdicts.visited.nonzero()[0].tolist()}


def _scores(result: AttemptResult) -> dict[str, NodeScores]:
    extenders = result.hearing is not None and not result.hearing.is_empty
    if not len(result.total) or not (result.is_scored or extenders):
        return {}
    names = result.cycle.state.nodes.names
    columns = [(score.plugin, score.weighted.tolist()) for score in result.scores]
    totals = zip(result.feasible.tolist(), result.total.tolist(), strict=True)
    return {
        names[row]: NodeScores(
            {plugin: weighted[place] for plugin, weighted in columns} | _points(result, names[row]), total
        )
        for place, (row, total) in enumerate(totals)
    }


def _points(result: AttemptResult, node: str) -> dict[str, int]:
    """Return what each extender adds to a node's score, by its urlPrefix."""
    scores = ((call.extender, call.scores or {}) for call in result.extender_scores)
    return {extender: points[node] for extender, points in scores if node in points}


def _dry_run(state: ClusterState, preemption: PreemptionResult) -> DryRun:
    names, runs, contest = state.nodes.names, preemption.runs, preemption.contest
    winner = preemption.winner
    candidates: dict[str, DryRunCandidate] = {}
    not_candidates: dict[str, Status | None] = {}
    for run, node in enumerate(runs.nodes.tolist() if runs is not None else ()):
        rejection = runs.rejection(run) if runs is not None else None
        if runs is None or rejection is not None:
            not_candidates[names[node]] = rejection
        else:
            victims = _refs(state, runs.victims(run))
            candidates[names[node]] = DryRunCandidate(victims, runs.violations(run))
    return DryRun(
        eligible=preemption.eligible,
        reason=preemption.reason,
        candidates=candidates,
        not_candidates=not_candidates,
        best=preemption.best,
        nominated="" if contest is None or winner is None else names[int(contest.nodes[winner])],
        victims=_refs(state, preemption.victims),
        cleared=_refs(state, preemption.cleared),
        status=preemption.status,
    )


def _refs(state: ClusterState, pods: list[int]) -> list[PodRef]:
    return [pod_ref(state, pod) for pod in pods]
