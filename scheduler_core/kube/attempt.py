"""One scheduling attempt: PreFilter, Filter, Score, the choice, and PostFilter where nothing fits.

`attempt_pod` only looks; what follows from its `AttemptResult` is applied by the driver.

Source: kubernetes v1.36 pkg/scheduler/schedule_one.go.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import numpy as np

from scheduler_core.events.decisions import IN_THE_LOG, Outcome, Rejection, Status
from scheduler_core.kube.dynamic_resources.claims_state import claims_in
from scheduler_core.kube.extenders.extender import Call, ExtenderError
from scheduler_core.kube.extenders.panel import Hearing, Refusal
from scheduler_core.kube.framework import (
    ERROR,
    UNRESOLVABLE,
    UNSCHEDULABLE,
    Cycle,
    NotModelled,
    PluginError,
    PreFiltered,
    View,
)
from scheduler_core.kube.message import NO_NODES, as_event
from scheduler_core.kube.nominated import Room
from scheduler_core.kube.post_filter import Failure, run_post_filters
from scheduler_core.kube.preemption.candidates import Runs
from scheduler_core.kube.preemption.dry_run import dry_run as played
from scheduler_core.kube.preemption.result import PreemptionResult
from scheduler_core.kube.profile import PluginScore, Profile, check_range, total_of
from scheduler_core.kube.sampling import cut, nodes_to_find
from scheduler_core.kube.tie_breaking import Lots, first
from scheduler_core.kube.verdicts import Verdicts
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.journal import Change
from scheduler_core.state.node_names import NodeNames
from scheduler_core.state.nodes import BoolArray, IntArray
from scheduler_core.state.pods import PodInfo

_EMPTY = np.zeros(0, dtype=np.int64)


class Figures(NamedTuple):
    """What the log says of an attempt's nodes: so many visited, feasible and best, why others were rejected.

    `best` are the first names of the best nodes, `total` their score; None where nothing was scored.
    """

    visited: int
    feasible: int
    rejections: list[Rejection]
    best: list[str]
    best_count: int
    total: int | None


@dataclass
class AttemptResult:
    """Everything one attempt found out.

    `nominate` is the new nomination, None to leave it; `searched` by how many nodes the next search for
    feasible nodes begins further on; `reserve` is Reserve's error. `verdicts` are the plugins' alone,
    `extended` those of extenders too where they refused a node, `unknown` what they said of nodes that there
    are not; `left_out`: the extenders left out some of the nodes that passed the filters. `noted`: what
    extenders in process have noted by answering, taken back until the decision is carried out. `tried_apart`:
    the nominated node, where nobody visited it but the search of that node alone. `is_scored`: there were
    nodes to choose from, and plugins that score, all of which may have skipped the pod.

    Of an attempt that was answered from kept answers (`kube/equivalence/`) the `figures` are `known`, and
    `feasible`, `scores`, `total` and `best` were never made.
    """

    cycle: Cycle
    outcome: Outcome
    pre_filtered: PreFiltered | None = None
    verdicts: Verdicts | None = None
    room: Room | None = None
    feasible: IntArray = field(default_factory=lambda: _EMPTY)
    scores: list[PluginScore] = field(default_factory=list)
    is_scored: bool = False
    total: IntArray = field(default_factory=lambda: _EMPTY)
    best: IntArray = field(default_factory=lambda: _EMPTY)
    chosen: int | None = None
    message: str | None = None
    preemption: PreemptionResult | None = None
    nominate: str | None = None
    searched: int = 0
    reserve: Status | None = None
    hearing: Hearing | None = None
    extended: Verdicts | None = None
    unknown: list[Status] = field(default_factory=list)
    left_out: bool = False
    extender_scores: list[Call] = field(default_factory=list)
    noted: list[Change] = field(default_factory=list)
    tried_apart: int | None = None
    known: Figures | None = None

    @property
    def figures(self) -> Figures:
        """What the log says of the nodes."""
        return self._counted() if self.known is None else self.known

    def _counted(self) -> Figures:
        verdicts, feasible = self.final, len(self.feasible)
        if self.outcome == "error" and verdicts is not None and verdicts.errors().any():
            # The attempt ended before these could be chosen from.
            feasible = int(verdicts.fits.sum())
        return Figures(
            visited=int(verdicts.visited.sum()) if verdicts else 0,
            feasible=feasible,
            rejections=verdicts.rejections() if verdicts else [],
            best=self.cycle.state.nodes.first_names_of(self.best, IN_THE_LOG),
            best_count=len(self.best),
            total=int(self.total.max()) if self.is_scored else None,
        )

    @property
    def final(self) -> Verdicts | None:
        """What plugins and extenders together said of each node."""
        return self.verdicts if self.extended is None else self.extended


def attempt_pod(
    profile: Profile,
    state: ClusterState,
    pod: PodInfo,
    lots: Lots = first,
    start: int = 0,
    within: IntArray | None = None,
) -> AttemptResult:
    """Decide about one pod. The state is not changed.

    `lots` chooses among equals; `start` is where the search for feasible nodes begins if not all are scored.
    `within` are the nodes among which one is looked for, shape (some,), None for all.
    Raises NotModelled for a pod that asks for devices.
    """
    devices = devices_not_modelled(state, pod)
    if devices is not None:
        raise NotModelled(devices)
    cycle = Cycle(state, pod, within=within)
    if len(state.nodes) == 0:
        return AttemptResult(cycle, "unschedulable", message=NO_NODES, nominate="")
    pre_filtered = profile.run_pre_filter(cycle)
    result = AttemptResult(cycle, "scheduled", pre_filtered)
    result.room = Room(profile, View(cycle))
    result.hearing = profile.panel.hearing(state, pod)
    if pre_filtered.rejected is None:
        try:
            _find_feasible(profile, result, result.room, pre_filtered, start)
        except ExtenderError as failed:
            result.feasible = _EMPTY
            return give_up(result, extender_error(failed))
    else:
        result.verdicts = Verdicts(cycle, profile.filters, len(state.nodes))
    error = _error(pre_filtered, result.verdicts)
    if error is not None:
        result.feasible = _EMPTY
        return give_up(result, error)
    return conclude(profile, result, lots)


def devices_not_modelled(state: ClusterState, pod: PodInfo) -> str | None:
    """Return by what a pod asks for devices in a way that is not modelled, None where it is."""
    if state.device_claims is not None:
        return None
    return state.devices.asked_by(pod.pod.spec.resource_claims, pod.requests)


def conclude(
    profile: Profile,
    result: AttemptResult,
    lots: Lots,
    dry_run: Callable[[IntArray], Runs] | None = None,
) -> AttemptResult:
    """Choose among the feasible nodes; where there are none, fail."""
    if not len(result.feasible):
        _fail(profile, result, lots, dry_run)
        return result
    try:
        _choose(profile, result, lots)
    except PluginError as failed:
        return give_up(result, failed.status)
    return result


def _find_feasible(
    profile: Profile, result: AttemptResult, room: Room, pre_filtered: PreFiltered, start: int
) -> None:
    """Filter the nominated node alone first; only if it does not fit, all nodes. Raises ExtenderError."""
    state, said = result.cycle.state, dict[str, Refusal]()
    within = result.cycle.within
    nominated = state.nodes.index.get(state.nominated[result.cycle.pod.row])
    if within is not None and nominated not in within:
        nominated = None
    if nominated is not None:
        result.verdicts = room.filter(np.array([nominated], dtype=np.int64))
        rejection = result.verdicts.status(nominated)
        if rejection is None:
            if _extenders_accept(result, nominated, said):
                result.feasible = np.array([nominated], dtype=np.int64)
                return
        elif rejection.code == ERROR:
            result.verdicts = None
        else:
            # The real scheduler notes this plugin in the very set that it names below.
            pre_filtered.blamed.add(rejection.plugin)
    nodes = _left_by(pre_filtered, state)
    nodes = nodes if within is None else nodes[np.isin(nodes, within)]
    verdicts = room.filter(nodes)
    feasible = np.flatnonzero(verdicts.fits)
    # Where nothing scores, any feasible node is as good as the first.
    looks_on = profile.scores or profile.panel.scores or profile.panel.filters
    enough = nodes_to_find(profile.percentage_of_nodes_to_score, len(nodes)) if looks_on else 1
    errors = verdicts.errors()
    claims = claims_in(result.cycle)
    if len(feasible) > enough or (errors.any() and not (claims is not None and claims.faults)):
        order = state.listed_order.rows(result.cycle.pod.scheduler_name)
        order = order[np.isin(order, nodes)]
        visited, feasible = cut(order, start, verdicts.fits, errors, enough)
        feasible = np.sort(feasible)
        verdicts.forget_all_but(visited)
    if result.verdicts is not None and nominated is not None and not verdicts.visited[nominated]:
        verdicts.take(result.verdicts, np.array([nominated], dtype=np.int64))
        result.tried_apart = nominated
    result.verdicts = verdicts
    result.feasible = feasible
    said = {name: why for name, why in said.items() if not _is_rejected(verdicts, state, name)}
    result.searched = len(feasible) + int(np.count_nonzero(verdicts.rejected & ~errors)) + len(said)
    if not errors.any():
        ask_extenders(result, said)


def _left_by(pre_filtered: PreFiltered, state: ClusterState) -> IntArray:
    """Return the nodes that PreFilter leaves."""
    if pre_filtered.names is None:
        return state.nodes.all
    named = [state.nodes.index[name] for name in pre_filtered.names if name in state.nodes.index]
    return np.array(sorted(named), dtype=np.int64)


def fitting(profile: Profile, state: ClusterState, pod: PodInfo) -> BoolArray:
    """Return which nodes pass the filters for a pod, shape (nodes,); no node is scored, no extender asked."""
    fits: BoolArray = np.zeros(len(state.nodes), dtype=np.bool_)
    if devices_not_modelled(state, pod) is not None:
        return fits
    cycle = Cycle(state, pod)
    pre_filtered = profile.run_pre_filter(cycle)
    if pre_filtered.rejected is None:
        nodes = _left_by(pre_filtered, state)
        fits[nodes] = Room(profile, View(cycle)).filter(nodes).fits[nodes]
    return fits


def _extenders_accept(result: AttemptResult, nominated: int, said: dict[str, Refusal]) -> bool:
    """Return whether all extenders leave the nominated node, alone; an error means only that they don't."""
    assert result.hearing is not None
    if result.hearing.is_empty:
        return True
    try:
        return bool(result.hearing.filter([result.cycle.state.nodes.names[nominated]], said).fits)
    except ExtenderError:
        return False


def _is_rejected(verdicts: Verdicts, state: ClusterState, name: str) -> bool:
    node = state.nodes.index.get(name)
    return node is not None and bool(verdicts.rejected[node])


def ask_extenders(result: AttemptResult, said: dict[str, Refusal]) -> None:
    """Leave the feasible nodes that extenders leave, none if they fail. Raises ExtenderError.

    `said` is what they said of the nominated node before.
    """
    hearing, nodes, verdicts = result.hearing, result.cycle.state.nodes, result.verdicts
    assert hearing is not None and verdicts is not None
    if hearing.is_empty:
        return
    passed = result.feasible
    hearing.left.clear()
    result.feasible = _EMPTY
    try:
        answer = hearing.filter(NodeNames(nodes.names, passed), said)
        result.feasible = np.sort(np.array([nodes.index[name] for name in answer.fits], dtype=np.int64))
        result.left_out = len(result.feasible) != len(passed)
        result.cycle.emptied = answer.whole_nodes
    finally:
        _note_refusals(result, verdicts, passed, said)


def _note_refusals(
    result: AttemptResult, verdicts: Verdicts, passed: IntArray, said: dict[str, Refusal]
) -> None:
    """Note why nodes of those that passed the filters are left out.

    What is said of a node that stays all the same counts for nothing.
    """
    assert result.hearing is not None
    index = result.cycle.state.nodes.index
    settled = np.zeros(len(index), dtype=np.bool_)
    settled[result.feasible] = True
    refused: dict[Refusal, list[int]] = {}
    for name, why in said.items():
        if name in index and not settled[index[name]]:
            refused.setdefault(why, []).append(index[name])
    result.unknown = [_refused(why) for name, why in said.items() if name not in index]
    groups = [(_refused(why), np.array(nodes)) for why, nodes in refused.items()]
    for _, nodes in groups:
        settled[nodes] = True
    for extender, names in result.hearing.left:
        left = np.fromiter(map(index.__getitem__, names), np.int64, len(names))
        goes = np.ones(len(index), dtype=np.bool_)
        goes[left] = False
        gone = passed[goes[passed]]
        groups.append((Status(extender, UNRESOLVABLE, []), gone[~settled[gone]]))
        passed = left
    groups = [(status, nodes) for status, nodes in groups if len(nodes)]
    if groups:
        result.extended = verdicts.overruled(groups)


def _refused(why: Refusal) -> Status:
    return Status(why.extender, UNRESOLVABLE if why.unresolvable else UNSCHEDULABLE, [why.reason])


def _choose(profile: Profile, result: AttemptResult, lots: Lots) -> None:
    """Score, reserve, choose and, where an attempt ends so, let an extender bind. Raises PluginError."""
    hearing, nodes = result.hearing, result.cycle.state.nodes
    assert hearing is not None
    if len(result.feasible) > 1:
        scores = profile.run_scores(result.cycle, result.feasible)
        check_range(scores)
        result.scores, result.is_scored = scores, bool(profile.scores)
        result.total = total_of(result.scores, result.feasible)
        if not hearing.is_empty:
            result.total += _points_of_extenders(result, hearing)
        result.best = result.feasible[result.total == result.total.max()]
        if not hearing.is_empty:  # it may have answered with a node twice; without one, all are distinct
            result.best = np.unique(result.best)
    result.reserve = profile.run_reserve(result.cycle)
    if result.reserve is not None:
        raise PluginError(result.reserve)
    best = result.feasible if len(result.feasible) == 1 else result.best
    chosen = nodes.at_place(lots(len(best)), best)
    if profile.panel.binds_at_once:
        failed_to_prepare = profile.run_pre_bind(result.cycle, chosen)
        if failed_to_prepare is not None:
            raise PluginError(failed_to_prepare)
    if profile.panel.binds_at_once:
        try:
            hearing.bind(nodes.names[chosen])
        except ExtenderError as failed:
            raise PluginError(extender_error(failed)) from failed
    result.best, result.chosen = best, chosen


def _points_of_extenders(result: AttemptResult, hearing: Hearing) -> IntArray:
    """Return what the extenders add to the feasible nodes' scores, shape (feasible,)."""
    points = np.zeros(len(result.feasible), dtype=np.int64)
    names = [result.cycle.state.nodes.names[node] for node in result.feasible.tolist()]
    result.extender_scores = hearing.prioritize(names)
    for call in result.extender_scores:
        scores = call.scores or {}
        points += np.array([scores.get(name, 0) for name in names], dtype=np.int64)
    return points


# -- failure -----------------------------------------------------------------------------------------


def _error(pre_filtered: PreFiltered, verdicts: Verdicts | None) -> Status | None:
    """Return the error of a plugin, if there is any: the attempt ends with it, whatever the others said."""
    if pre_filtered.rejected is not None and pre_filtered.rejected.code == ERROR:
        return pre_filtered.rejected
    groups = verdicts.groups() if verdicts is not None else ()
    return next((status for status, _ in groups if status.code == ERROR), None)


def extender_error(error: ExtenderError) -> Status:
    """Return how an attempt ends where an extender fails."""
    return Status("", ERROR, [str(error)])


def give_up(result: AttemptResult, error: Status) -> AttemptResult:
    """End an attempt with an error."""
    result.outcome = "error"
    result.message = as_event(", ".join(error.reasons))
    result.nominate = ""
    return result


def _fail(
    profile: Profile,
    result: AttemptResult,
    lots: Lots,
    dry_run: Callable[[IntArray], Runs] | None = None,
) -> None:
    """Run PostFilter where no node is left, and word the message; `dry_run` is for preemption."""
    result.outcome = "unschedulable"
    pre_filtered = result.pre_filtered
    assert result.room is not None and pre_filtered is not None
    if dry_run is None:
        dry_run = partial(played, profile.dry_runs, result.room, result.cycle.pod.row)
    post_filter = _post_filter(profile, result, pre_filtered, lots, dry_run)
    state = result.cycle.state
    number = len(state.nodes) if result.cycle.within is None else len(result.cycle.within)
    counted, left = [], number
    for status, nodes in result.final.groups() if result.final else ():
        if status.reasons:
            counted.append((status, len(nodes)))
            left -= len(nodes)
    counted += [(status, 1) for status in result.unknown]
    left -= len(result.unknown)
    text = profile.failure_message(number, counted, left, pre_filtered, post_filter)
    result.message = as_event(text)


def _post_filter(
    profile: Profile,
    result: AttemptResult,
    pre_filtered: PreFiltered,
    lots: Lots,
    dry_run: Callable[[IntArray], Runs],
) -> str:
    """Run PostFilter and return its part of the message."""
    if not profile.post_filters:
        result.nominate = profile.nominates_without_post_filters
        return ""
    assert result.final is not None and result.room is not None and result.hearing is not None
    failure = Failure(result.cycle, pre_filtered, result.final, result.room, lots, result.hearing, dry_run)
    answer = run_post_filters(profile.post_filters, failure)
    result.preemption, result.nominate = answer.preemption, answer.nominate
    if answer.code == "Success":
        result.outcome = "nominated"
    return answer.reason
