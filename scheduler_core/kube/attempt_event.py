"""From what an attempt found out to the event that the log holds."""

from __future__ import annotations

from collections import Counter

import numpy as np
from msgspec import UNSET

from scheduler_core.events.changes import Change
from scheduler_core.events.decided import PodRef, Victim
from scheduler_core.events.decisions import (
    IN_THE_LOG,
    Attempt,
    Candidate,
    Code,
    Criterion,
    GivenClaim,
    Preemption,
    Rejection,
)
from scheduler_core.kube.attempt_result import AttemptResult
from scheduler_core.kube.cluster_said import contradicted
from scheduler_core.kube.dynamic_resources.claims_state import ClaimsOfPod, claims_in
from scheduler_core.kube.look import Gated, Looked
from scheduler_core.kube.preemption.candidates import BY_NAME, CRITERIA, Runs
from scheduler_core.kube.preemption.result import PreemptionResult
from scheduler_core.objects.dynamic_resources import results_of
from scheduler_core.objects.timestamps import format_timestamp
from scheduler_core.schedulers.actor import Stamp
from scheduler_core.state.claim_rows import claimed_devices
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.nodes import IntArray
from scheduler_core.state.pod_changes import time_of
from scheduler_core.state.pods import NO_START_TIME

_LOST_AT = (*CRITERIA, "name")


def pod_ref(state: ClusterState, pod: int) -> PodRef:
    """Return how events name a pod."""
    info = state.pods.infos[pod]
    return PodRef(info.uid, info.namespace, info.name, info.priority)


def gated(actor: str, state: ClusterState, look: Gated, stamp: Stamp, changes: list[Change]) -> Attempt:
    """Return the event of a pod that PreEnqueue keeps out of the queue."""
    nominated = state.nominated[look.pod]
    return Attempt(
        seq=stamp.seq,
        time=stamp.time,
        actor=actor,
        cause=stamp.cause,
        changes=changes,
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
        best_count=0,
        chosen=None,
        total=None,
        message=", ".join(look.status.reasons),
        preemption=None,
    )


def attempt(
    actor: str, look: Looked, stamp: Stamp, changes: list[Change], *, begun_only: bool = False
) -> Attempt:
    """Return the event of an attempt whose consequences are `changes`.

    If it has only begun, its nomination after it is what it asks for.
    """
    result = look.result
    state, info = result.cycle.state, result.cycle.pod
    figures = result.figures
    return Attempt(
        seq=stamp.seq,
        time=stamp.time,
        actor=actor,
        cause=stamp.cause,
        changes=changes,
        pod=pod_ref(state, look.pod),
        attempt=look.attempt,
        profile=info.scheduler_name,
        outcome=result.outcome,
        nominated_before=look.nominated_before,
        nominated_after=_asked_for(look) if begun_only else state.nominated[look.pod],
        nodes=len(state.nodes),
        visited=figures.visited,
        feasible=figures.feasible,
        preenqueue=None,
        prefilter=result.pre_filtered.rejected if result.pre_filtered else None,
        rejections=figures.rejections,
        best=figures.best,
        best_count=figures.best_count,
        chosen=None if result.chosen is None else state.nodes.names[result.chosen],
        total=figures.total,
        message=result.message,
        preemption=preemption_of(state, result),
        exchanges=(result.hearing.exchanges if result.hearing else []) or UNSET,
        claims=_claims_on(result) or UNSET,
        cluster_said=contradicted(info.pod, look.attempt, result.outcome, result.message),
    )


def _claims_on(result: AttemptResult) -> list[GivenClaim]:
    """Return the claims of a pod with what they have on the chosen node; nothing where it has none."""
    found = claims_in(result.cycle)
    if found is None or result.chosen is None:
        return []
    given = dict(zip(found.to_allocate, found.given_on(result.chosen), strict=False))
    return [
        GivenClaim(
            _name_of(found, place),
            place in given,
            claimed_devices(given.get(place, claim.status.allocation)),
        )
        for place, claim in enumerate(found.claims)
        if claim.status.allocation
        or results_of(given.get(place))
        or (place in given and place < len(found.own))
    ]


def _name_of(found: ClaimsOfPod, place: int) -> str:
    """Return the name of a claim, also of the one that this attempt makes."""
    if place < len(found.own):
        return found.keys[place][1]
    return next((one.key[1] for one in found.writes if one.verb == "create"), found.keys[place][1])


def _asked_for(look: Looked) -> str:
    result = look.result
    if result.outcome == "scheduled":
        return ""
    return look.nominated_before if result.nominate is None else result.nominate


def preemption_of(state: ClusterState, result: AttemptResult) -> Preemption | None:
    """Return what the log says of a preemption, None where there was none."""
    preemption = result.preemption
    if preemption is None:
        return None
    runs, contest, winner = preemption.runs, preemption.contest, preemption.winner
    none = np.zeros(0, dtype=np.int64)
    candidates = none if contest is None or preemption.costs is None else contest.candidates
    return Preemption(
        eligible=preemption.eligible,
        reason=preemption.reason,
        potential=0 if runs is None else len(runs.nodes),
        candidates=[_candidate(preemption, run) for run in _first(preemption, candidates)],
        candidate_count=len(candidates),
        eliminated=_eliminated(preemption.lost[candidates]),
        not_candidates=_not_candidates(runs),
        best=preemption.best[:IN_THE_LOG],
        best_count=len(preemption.best),
        nominated="" if winner is None or contest is None else state.nodes.names[int(contest.nodes[winner])],
        victims=[pod_ref(state, pod) for pod in preemption.victims],
        cleared=[pod_ref(state, pod) for pod in preemption.cleared],
        status=preemption.status,
    )


def _first(preemption: PreemptionResult, candidates: IntArray) -> list[int]:
    """Return those that the log names: the winner first, then by how far they came, then by name."""
    contest = preemption.contest
    if contest is None or not len(candidates):
        return []
    nodes = contest.state.nodes
    rank = (BY_NAME - preemption.lost[candidates]) * len(nodes) + nodes.name_rank[contest.nodes[candidates]]
    rank[candidates == preemption.winner] = -1
    if len(rank) > IN_THE_LOG:
        among = np.argpartition(rank, IN_THE_LOG)[:IN_THE_LOG]
        candidates, rank = candidates[among], rank[among]
    first: list[int] = candidates[np.argsort(rank)].tolist()
    return first


def _eliminated(lost: IntArray) -> dict[Criterion, int]:
    """Return how many candidates each criterion ruled out."""
    numbers = np.bincount(lost, minlength=BY_NAME).tolist()
    return {criterion: number for criterion, number in zip(CRITERIA, numbers, strict=False) if number}


def _candidate(preemption: PreemptionResult, run: int) -> Candidate:
    runs = preemption.contest
    assert runs is not None
    node = int(runs.nodes[run])
    lost_at = None if run == preemption.winner else _LOST_AT[preemption.lost.item(run)]
    known = runs.described.get(node)
    if known is None or known.lost_at != lost_at:
        known = runs.described[node] = _described(preemption, run, lost_at)
    return known


def _described(preemption: PreemptionResult, run: int, lost_at: Criterion | None) -> Candidate:
    runs, costs = preemption.contest, preemption.costs
    assert runs is not None and costs is not None
    earliest, violations = costs.earliest_start.item(run), costs.pdb_violations.item(run)
    flags = dict(zip(runs.removed(run), runs.violates_of(run), strict=True)) if violations else {}
    return Candidate(
        node=runs.state.nodes.names[runs.nodes.item(run)],
        victims=_victims(runs.state, runs.victims(run), flags),
        pdb_violations=violations,
        highest_priority=costs.highest_priority.item(run),
        priority_sum=costs.priority_sum.item(run),
        victim_count=costs.victim_count.item(run),
        earliest_start=None if earliest == NO_START_TIME else format_timestamp(earliest),
        lost_at=lost_at,
    )


def _victims(state: ClusterState, pods: list[int], violates: dict[int, bool]) -> list[Victim]:
    infos, started = state.pods.infos, state.pods.start_time
    victims = []
    for pod in pods:
        info, start = infos[pod], time_of(started.item(pod))
        violating = violates.get(pod, False)
        victims.append(Victim(info.uid, info.namespace, info.name, info.priority, start, violating))
    return victims


def _not_candidates(runs: Runs | None) -> list[Rejection]:
    counts: Counter[tuple[str, Code, tuple[str, ...]]] = Counter()
    for status, number in runs.rejections() if runs is not None else ():
        counts[status.plugin, status.code, tuple(status.reasons)] += number
    return [
        Rejection(plugin, code, list(reasons), number)
        for (plugin, code, reasons), number in sorted(counts.items())
    ]
