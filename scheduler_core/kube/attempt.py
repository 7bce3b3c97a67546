"""One scheduling attempt: PreFilter, Filter, Score, the choice, and PostFilter where nothing fits.

`attempt_pod` only looks; what follows from its `AttemptResult` is applied by the driver.

Source: kubernetes v1.36 pkg/scheduler/schedule_one.go.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from scheduler_core.events.decisions import Outcome, Status
from scheduler_core.kube.framework import (
    ERROR,
    UNRESOLVABLE,
    Cycle,
    NotModelled,
    PluginError,
    PreFiltered,
    View,
)
from scheduler_core.kube.lots import Lots, first
from scheduler_core.kube.message import NO_NODES, as_event, fit_error
from scheduler_core.kube.nominated import Room
from scheduler_core.kube.post_filter import Failure, run_post_filters
from scheduler_core.kube.preemption.result import PreemptionResult
from scheduler_core.kube.profile import PluginScore, Profile, check_range, total_of
from scheduler_core.kube.sampling import cut, nodes_to_find
from scheduler_core.kube.verdicts import Verdicts
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.nodes import IntArray
from scheduler_core.state.pods import PodInfo

_EMPTY = np.zeros(0, dtype=np.int64)


@dataclass
class AttemptResult:
    """Everything one attempt found out.

    `nominate` is the new nomination, None to leave it; `searched` by how many nodes the next search for
    feasible nodes begins further on; `reserve` is Reserve's error.
    """

    cycle: Cycle
    outcome: Outcome
    pre_filtered: PreFiltered | None = None
    verdicts: Verdicts | None = None
    room: Room | None = None
    feasible: IntArray = field(default_factory=lambda: _EMPTY)
    scores: list[PluginScore] = field(default_factory=list)
    total: IntArray = field(default_factory=lambda: _EMPTY)
    best: IntArray = field(default_factory=lambda: _EMPTY)
    chosen: int | None = None
    message: str | None = None
    preemption: PreemptionResult | None = None
    nominate: str | None = None
    searched: int = 0
    reserve: Status | None = None


def attempt_pod(
    profile: Profile, state: ClusterState, pod: PodInfo, lots: Lots = first, start: int = 0
) -> AttemptResult:
    """Decide about one pod. The state is not changed.

    `lots` chooses among equals; `start` is where the search for feasible nodes begins if not all are scored.
    Raises NotModelled for a pod that asks for devices.
    """
    devices = state.devices.asked_by(pod.pod.spec.resource_claims, pod.requests)
    if devices is not None:
        raise NotModelled(devices)
    cycle = Cycle(state, pod)
    if len(state.nodes) == 0:
        return AttemptResult(cycle, "unschedulable", message=NO_NODES, nominate="")
    pre_filtered = profile.run_pre_filter(cycle)
    result = AttemptResult(cycle, "scheduled", pre_filtered)
    result.room = Room(profile, View(cycle))
    if pre_filtered.rejected is None:
        _find_feasible(profile, result, result.room, pre_filtered, start)
    else:
        result.verdicts = Verdicts(cycle, profile.filters, len(state.nodes))
    error = _error(pre_filtered, result.verdicts)
    if error is not None:
        result.feasible = _EMPTY
        return _give_up(result, error)
    if not len(result.feasible):
        _fail(profile, result, pre_filtered, lots)
        return result
    try:
        _choose(profile, result, lots)
    except PluginError as failed:
        return _give_up(result, failed.status)
    return result


def _find_feasible(
    profile: Profile, result: AttemptResult, room: Room, pre_filtered: PreFiltered, start: int
) -> None:
    """Filter the nominated node alone first; only if it does not fit, all nodes."""
    state = result.cycle.state
    nominated = state.nodes.index.get(state.nominated[result.cycle.pod.row])
    if nominated is not None:
        result.verdicts = room.filter(np.array([nominated], dtype=np.int64))
        rejection = result.verdicts.status(nominated)
        if rejection is None:
            result.feasible = np.array([nominated], dtype=np.int64)
            return
        if rejection.code == ERROR:
            result.verdicts = None
        else:
            # The real scheduler notes this plugin in the very set that it names below.
            pre_filtered.blamed.add(rejection.plugin)
    nodes = state.nodes.all
    if pre_filtered.names is not None:
        named = [state.nodes.index[name] for name in pre_filtered.names if name in state.nodes.index]
        nodes = np.array(sorted(named), dtype=np.int64)
    verdicts = room.filter(nodes)
    feasible = np.flatnonzero(verdicts.fits)
    # Where nothing scores, any feasible node is as good as the first.
    enough = nodes_to_find(profile.percentage_of_nodes_to_score, len(nodes)) if profile.scores else 1
    errors = verdicts.errors()
    if len(feasible) > enough or errors.any():
        order = state.nodes.in_turn[np.isin(state.nodes.in_turn, nodes)]
        visited, feasible = cut(order, start, verdicts.fits, errors, enough)
        feasible = np.sort(feasible)
        verdicts.forget_all_but(visited)
    if result.verdicts is not None and nominated is not None and not verdicts.visited[nominated]:
        verdicts.take(result.verdicts, np.array([nominated], dtype=np.int64))
    result.verdicts = verdicts
    result.feasible = feasible
    result.searched = len(feasible) + int(np.count_nonzero(verdicts.rejected & ~errors))


def _choose(profile: Profile, result: AttemptResult, lots: Lots) -> None:
    """Score, reserve and choose. Raises PluginError."""
    if len(result.feasible) > 1:
        scores = profile.run_scores(result.cycle, result.feasible)
        check_range(scores)
        result.scores = scores
        result.total = total_of(result.scores, result.feasible)
        result.best = result.feasible[result.total == result.total.max()]
    result.reserve = profile.run_reserve(result.cycle)
    if result.reserve is not None:
        raise PluginError(result.reserve)
    if len(result.feasible) == 1:
        result.best = result.feasible
    result.chosen = result.cycle.state.nodes.at_place(lots(len(result.best)), result.best)


# -- failure -----------------------------------------------------------------------------------------


def _error(pre_filtered: PreFiltered, verdicts: Verdicts | None) -> Status | None:
    """Return the error of a plugin, if there is any: the attempt ends with it, whatever the others said."""
    if pre_filtered.rejected is not None and pre_filtered.rejected.code == ERROR:
        return pre_filtered.rejected
    groups = verdicts.groups() if verdicts is not None else ()
    return next((status for status, _ in groups if status.code == ERROR), None)


def _give_up(result: AttemptResult, error: Status) -> AttemptResult:
    result.outcome = "error"
    result.message = as_event(", ".join(error.reasons))
    result.nominate = ""
    return result


def _fail(profile: Profile, result: AttemptResult, pre_filtered: PreFiltered, lots: Lots) -> None:
    result.outcome = "unschedulable"
    post_filter = _post_filter(profile, result, pre_filtered, lots)
    state = result.cycle.state
    counted, left = [], len(state.nodes)
    for status, nodes in result.verdicts.groups() if result.verdicts else ():
        counted.append((status, len(nodes)))
        left -= len(nodes)
    if left and pre_filtered.names is not None:
        blamed = " ".join(sorted(pre_filtered.blamed | set(pre_filtered.narrowed_by)))
        counted.append((Status("", UNRESOLVABLE, [f"node(s) didn't satisfy plugin(s) [{blamed}]"]), left))
    rejected = pre_filtered.rejected
    text = fit_error(
        len(state.nodes),
        counted,
        pre_filter=", ".join(rejected.reasons) if rejected else "",
        post_filter=post_filter,
    )
    result.message = as_event(text)


def _post_filter(profile: Profile, result: AttemptResult, pre_filtered: PreFiltered, lots: Lots) -> str:
    """Run PostFilter and return its part of the message."""
    if not profile.post_filters:
        result.nominate = ""
        return ""
    assert result.verdicts is not None and result.room is not None
    failure = Failure(result.cycle, pre_filtered, result.verdicts, result.room, lots)
    answer = run_post_filters(profile.post_filters, failure)
    result.preemption, result.nominate = answer.preemption, answer.nominate
    if answer.code == "Success":
        result.outcome = "nominated"
    return answer.reason
