"""One scheduling attempt: PreFilter, Filter, Score, the choice, and PostFilter where nothing fits.

`attempt_pod` only looks; what follows from its `AttemptResult` is applied by the driver.

Source: kubernetes v1.36 pkg/scheduler/schedule_one.go.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from scheduler_core.events.decisions import Status
from scheduler_core.kube.attempt_extenders import (
    ask_extenders,
    extender_error,
    extenders_accept,
    points_of_extenders,
)
from scheduler_core.kube.attempt_result import NONE, AttemptResult, give_up
from scheduler_core.kube.dynamic_resources.claims_state import claims_in
from scheduler_core.kube.extenders.extender import ExtenderError
from scheduler_core.kube.extenders.panel import Refusal
from scheduler_core.kube.framework import (
    ERROR,
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
from scheduler_core.kube.profile import Profile, check_range, total_of
from scheduler_core.kube.sampling import cut, nodes_to_find
from scheduler_core.kube.tie_breaking import Lots, first
from scheduler_core.kube.verdicts import Verdicts
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.nodes import BoolArray, IntArray
from scheduler_core.state.pods import PodInfo


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
            result.feasible = NONE
            return give_up(result, extender_error(failed))
    else:
        result.verdicts = Verdicts(cycle, profile.filters, len(state.nodes))
    error = _error(pre_filtered, result.verdicts)
    if error is not None:
        result.feasible = NONE
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
            if extenders_accept(result, nominated, said):
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


def _is_rejected(verdicts: Verdicts, state: ClusterState, name: str) -> bool:
    node = state.nodes.index.get(name)
    return node is not None and bool(verdicts.rejected[node])


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
            result.total += points_of_extenders(result, hearing)
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


# -- failure -----------------------------------------------------------------------------------------


def _error(pre_filtered: PreFiltered, verdicts: Verdicts | None) -> Status | None:
    """Return the error of a plugin, if there is any: the attempt ends with it, whatever the others said."""
    if pre_filtered.rejected is not None and pre_filtered.rejected.code == ERROR:
        return pre_filtered.rejected
    groups = verdicts.groups() if verdicts is not None else ()
    return next((status for status, _ in groups if status.code == ERROR), None)


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
