"""The recorded format: one attempt as the recordings of the real scheduler hold it.

The fields are those that docs/verification.md lists; null and absent keys differ.
"""

from typing import Any

from scheduler_core.events.decisions import Status
from scheduler_core.kube.attempt import AttemptResult
from scheduler_core.kube.preemption.result import PreemptionResult
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.pods import PodInfo


def gated_cycle(pod: PodInfo, status: Status, nominated: str) -> dict[str, Any]:
    """Return the cycle of a pod that PreEnqueue kept out of the queue."""
    return {
        "pod": pod.key,
        "attempt": 0,
        "profile": pod.scheduler_name,
        "result": "gated",
        "preenqueue": verdict(status),
        "nominated_before": nominated,
        "prefilter": None,
        "prefilter_nodes": None,
        "filter": {},
        "scores": {},
        "best": [],
        "chosen": None,
        "message": ", ".join(status.reasons),
        "preemption": None,
        "nominated_after": "",
    }


def attempt_cycle(
    result: AttemptResult, attempt: int, nominated_before: str, nominated_after: str
) -> dict[str, Any]:
    """Return the cycle of one attempt."""
    state, pod = result.cycle.state, result.cycle.pod
    filtered = result.pre_filtered
    names = filtered.names if filtered else None
    cycle = {
        "pod": pod.key,
        "attempt": attempt,
        "profile": pod.scheduler_name,
        "result": result.outcome,
        "nominated_before": nominated_before,
        "prefilter": verdict(filtered.rejected) if filtered else None,
        "prefilter_nodes": None if names is None else sorted(names),
        "filter": _filter(result),
        "scores": _scores(result),
        "best": state.nodes.names_of(result.best),
        "chosen": None if result.chosen is None else state.nodes.names[result.chosen],
        "message": result.message,
        "preemption": _preemption(state, result.preemption),
        "nominated_after": nominated_after,
    }
    return cycle if result.reserve is None else cycle | {"reserve": verdict(result.reserve)}


def verdict(status: Status | None) -> dict[str, Any] | None:
    """Return a rejection as plugin, code and reasons."""
    if status is None:
        return None
    return {"plugin": status.plugin, "code": status.code, "reasons": status.reasons}


def _filter(result: AttemptResult) -> dict[str, Any]:
    if result.verdicts is None:
        return {}
    names = result.cycle.state.nodes.names
    visited = result.verdicts.visited.nonzero()[0].tolist()
    return {names[row]: verdict(result.verdicts.status(row)) for row in visited}


def _scores(result: AttemptResult) -> dict[str, dict[str, int]]:
    names = result.cycle.state.nodes.names
    table: dict[str, dict[str, int]] = {}
    if not result.scores:
        return table
    columns = [(score.plugin, score.weighted.tolist()) for score in result.scores]
    for place, (row, total) in enumerate(zip(result.feasible.tolist(), result.total.tolist(), strict=True)):
        table[names[row]] = {plugin: weighted[place] for plugin, weighted in columns} | {"total": total}
    return table


def _preemption(state: ClusterState, preemption: PreemptionResult | None) -> dict[str, Any] | None:
    if preemption is None:
        return None
    infos, names, runs = state.pods.infos, state.nodes.names, preemption.runs
    candidates: dict[str, Any] = {}
    not_candidates: dict[str, Any] = {}
    for run, node in enumerate(runs.nodes.tolist() if runs is not None else ()):
        rejection = runs.rejection(run) if runs is not None else None
        if runs is None or rejection is not None or preemption.costs is None:
            not_candidates[names[node]] = verdict(rejection)
        else:
            candidates[names[node]] = {
                "victims": [infos[pod].key for pod in runs.victims(run)],
                "pdb_violations": int(preemption.costs.pdb_violations[run]),
            }
    winner = preemption.winner
    return {
        "eligible": preemption.eligible,
        "reason": preemption.reason,
        "candidates": candidates,
        "not_candidates": not_candidates,
        "best": preemption.best,
        "nominated": "" if runs is None or winner is None else names[int(runs.nodes[winner])],
        "victims": [infos[pod].key for pod in preemption.victims],
        "cleared": [infos[pod].key for pod in preemption.cleared],
        "status": preemption.status,
    }
