"""A release: the profile of kube-scheduler before the framework, and one attempt at a pod.

Source: kubernetes v1.8 plugin/pkg/scheduler and v1.9 to v1.13 pkg/scheduler: core/generic_scheduler.go
Schedule, Preempt, podEligibleToPreemptOthers.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np

from scheduler_core.events.decisions import Criterion, Status
from scheduler_core.kube import wording
from scheduler_core.kube.attempt_result import AttemptResult
from scheduler_core.kube.framework import ERROR, Cycle, NotModelled, PreFiltered, View
from scheduler_core.kube.message import NO_NODES, as_event, fit_error
from scheduler_core.kube.nominated import Room, lower_nominated, nobody
from scheduler_core.kube.preemption.candidates import pick
from scheduler_core.kube.preemption.result import PreemptionResult
from scheduler_core.kube.profile import Profile, total_of
from scheduler_core.kube.releases.predicates.check_volume_binding import CheckVolumeBinding
from scheduler_core.kube.releases.preemption import Violations, costs_by_first_victim, dry_run
from scheduler_core.kube.tie_breaking import Lots, first
from scheduler_core.kube.verdicts import Verdicts
from scheduler_core.predicates.volumes.claims import named_claims
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.nodes import IntArray
from scheduler_core.state.pods import PodInfo

Message = Callable[[int, Iterable[tuple[Status, int]]], str]

_WAITING = "not eligible due to a terminating pod of lower priority on the nominated node."


@dataclass
class ReleaseProfile(Profile):
    """What a release is made of beside its predicates and priority functions.

    pod_priority: the feature gate; without it nobody preempts. counts_nominations: a node must also fit with
    the pods nominated to it. scores_single: a single feasible node is scored like several. violations: which
    evictions break a budget. criteria: how a node is picked, in order. message: the words of a FitError.
    checks_claims: whether a pod's claims are there is looked at before any node.
    """

    release: str = ""
    pod_priority: bool = True
    counts_nominations: bool = True
    scores_single: bool = False
    checks_claims: bool = True
    violations: Violations = field(kw_only=True)
    criteria: tuple[Criterion, ...] = field(kw_only=True)
    message: Message = field(kw_only=True)


def named_in_parentheses(nodes: int, counted: Iterable[tuple[Status, int]]) -> str:
    """1.8: each reason with its number behind it."""
    totals: Counter[str] = Counter()
    for status, number in counted:
        for reason in status.reasons:
            totals[reason] += number
    parts = sorted(f"{reason} ({number})" for reason, number in totals.items())
    return f"No nodes are available that match all of the predicates: {', '.join(parts)}."


def counted_of_all(nodes: int, counted: Iterable[tuple[Status, int]]) -> str:
    """1.9 to 1.13: the number of nodes in front, each reason behind its number."""
    return fit_error(nodes, counted)


def attempt_pod(
    profile: Profile, state: ClusterState, pod: PodInfo, lots: Lots = first, start: int = 0
) -> AttemptResult:
    """Decide about one pod; `lots` chooses among equals. The state is not changed.

    All nodes are scored, wherever the search starts.
    """
    assert isinstance(profile, ReleaseProfile)
    _check_modelled(profile, pod)
    cycle = Cycle(state, pod)
    if profile.checks_claims and (unusable := unusable_claim(cycle)) is not None:
        return AttemptResult(cycle, "error", PreFiltered(), message=as_event(unusable))
    if len(state.nodes) == 0:
        return AttemptResult(cycle, "unschedulable", message=NO_NODES)
    pre_filtered = profile.run_pre_filter(cycle)
    view = View(cycle)
    room = Room(profile, view) if profile.counts_nominations else Room(profile, view, nobody())
    verdicts = room.filter(state.nodes.all)
    result = AttemptResult(cycle, "scheduled", pre_filtered, verdicts, room)
    if verdicts.errors().any():
        result.outcome, result.message = "error", as_event(errors_together(verdicts.groups()))
        return result
    result.feasible = np.flatnonzero(verdicts.fits).astype(np.int64)
    if len(result.feasible):
        _check_binding(profile, cycle)
        _choose(profile, result, lots)
    else:
        _fail(profile, result, verdicts, lots)
    return result


def _check_modelled(profile: ReleaseProfile, pod: PodInfo) -> None:
    for volume in pod.pod.spec.volumes or ():
        if volume.ephemeral is not None:
            raise NotModelled(f"ephemeral volumes, which kube-scheduler {profile.release} did not know")


def _check_binding(profile: ReleaseProfile, cycle: Cycle) -> None:
    for plugin in profile.reserves:
        if isinstance(plugin, CheckVolumeBinding):
            plugin.check_modelled(cycle)


def unusable_claim(cycle: Cycle) -> str | None:
    """Return why one of the pod's claims cannot be used at all, None where all can.

    Source: kubernetes v1.10 to v1.13 pkg/scheduler/core/generic_scheduler.go podPassesBasicChecks.
    """
    for name in named_claims(cycle.pod.pod):
        claim = cycle.state.volumes.claim(cycle.pod.namespace, name)
        if claim is None:
            return wording.not_found(wording.CLAIM, name)
        if claim.metadata.deletion_timestamp is not None:
            return f'persistentvolumeclaim "{name}" is being deleted'
    return None


def errors_together(groups: Iterable[tuple[Status, IntArray]]) -> str:
    """Return what is said where predicates end with errors, each with the number of its nodes.

    The real scheduler names several in any order; here they are sorted.

    Source: k8s.io/apimachinery v1.13 util/errors CreateAggregateFromMessageCountMap.
    """
    counts: Counter[str] = Counter()
    for status, nodes in groups:
        if status.code == ERROR:
            counts[status.reasons[0]] += len(nodes)
    said = [
        f"{text} (repeated {number} times)" if number > 1 else text for text, number in sorted(counts.items())
    ]
    return said[0] if len(said) == 1 else f"[{', '.join(said)}]"


def _choose(profile: ReleaseProfile, result: AttemptResult, lots: Lots) -> None:
    nodes = result.cycle.state.nodes
    result.best = result.feasible
    if len(result.feasible) > 1 or profile.scores_single:
        result.scores = profile.run_scores(result.cycle, result.feasible)
        result.is_scored = bool(profile.scores)
        result.total = total_of(result.scores, result.feasible)
        result.best = result.feasible[result.total == result.total.max()]
    result.chosen = nodes.at_place(lots(len(result.best)), result.best)


def _fail(profile: ReleaseProfile, result: AttemptResult, verdicts: Verdicts, lots: Lots) -> None:
    result.outcome = "unschedulable"
    counted = [(status, len(nodes)) for status, nodes in verdicts.groups()]
    result.message = profile.message(len(result.cycle.state.nodes), counted)
    if profile.pod_priority:
        result.preemption = PreemptionResult()
        _preempt(profile, result, result.preemption, lots)


def _preempt(
    profile: ReleaseProfile, result: AttemptResult, preemption: PreemptionResult, lots: Lots
) -> None:
    state, pod, verdicts, room = result.cycle.state, result.cycle.pod, result.verdicts, result.room
    assert verdicts is not None and room is not None
    preemption.eligible = may_preempt(state, pod)
    if not preemption.eligible:
        preemption.reason = _WAITING
        return
    potential = verdicts.resolvable()
    preemption.runs = runs = dry_run(room, pod.row, potential, profile.violations)
    if len(potential) == 0 and profile.counts_nominations:
        preemption.cleared = [pod.row]
        result.nominate = ""
    candidates = runs.candidates
    if len(candidates) == 0:
        return
    preemption.costs = costs_by_first_victim(runs)
    best, preemption.lost = pick(runs, candidates, preemption.costs, profile.criteria)
    preemption.best = [state.nodes.names[int(runs.nodes[run])] for run in best]
    preemption.winner = best[lots(len(best))]
    preemption.victims = runs.victims(preemption.winner)
    node = int(runs.nodes[preemption.winner])
    if profile.counts_nominations:
        preemption.cleared = lower_nominated(state, pod, node)
    preemption.status = "Success"
    result.outcome = "nominated"
    result.nominate = state.nodes.names[node]


def may_preempt(state: ClusterState, pod: PodInfo) -> bool:
    """Return whether no terminating pod of lower priority is on the pod's nominated node."""
    node = state.nodes.index.get(state.nominated[pod.row])
    if node is None:
        return True
    priority, terminating = state.pods.priority, state.pods.terminating
    return not any(terminating[other] and priority[other] < pod.priority for other in state.node_pods[node])
