"""The recorded format: one attempt as the recordings of the real scheduler hold it.

It is derived from an attempt in full. The fields are those that docs/verification.md lists; null and absent
keys differ.
"""

from typing import Any

from scheduler_core.events.decisions import PodRef, Status
from scheduler_core.events.explanation import AttemptInFull, DryRun, ExtenderCall
from scheduler_core.kube.extenders.panel import no_victim


def cycle_of(attempt: AttemptInFull) -> dict[str, Any]:
    """Return the cycle of one attempt, or of a pod that PreEnqueue kept out; `nominated_after` is empty."""
    cycle = {
        "pod": key_of(attempt.pod),
        "attempt": attempt.attempt,
        "profile": attempt.profile,
        "result": attempt.outcome,
        "nominated_before": attempt.nominated_before,
        "prefilter": verdict(attempt.prefilter),
        "prefilter_nodes": attempt.prefilter_nodes,
        "filter": {node: verdict(status) for node, status in attempt.filter.items()},
        "scores": {node: scores.plugins | {"total": scores.total} for node, scores in attempt.scores.items()},
        "best": attempt.best,
        "chosen": attempt.chosen,
        "message": attempt.message,
        "preemption": None if attempt.dry_run is None else _preemption(attempt.dry_run),
        "nominated_after": "",
    }
    if attempt.extenders:
        cycle["extender_calls"] = [_call(call) for call in attempt.extenders]
    told_if_there = {"preenqueue": attempt.preenqueue, "reserve": attempt.reserve}
    return cycle | {name: verdict(status) for name, status in told_if_there.items() if status is not None}


def _call(call: ExtenderCall) -> dict[str, Any]:
    """Return a question to an extender; what is empty is left out."""
    victims = {
        node: {"victims": list(map(key_of, left.victims)), "pdb_violations": left.pdb_violations}
        for node, left in call.victims.items()
    }
    fields = {
        "extender": call.extender,
        "verb": call.verb,
        "nodes": call.nodes,
        "fits": call.fits,
        "failed": call.failed,
        "unresolvable": call.unresolvable,
        "scores": call.scores,
        "victims": victims,
        "error": call.error,
    }
    return {name: value for name, value in fields.items() if value}


def key_of(pod: PodRef) -> str:
    """Return `namespace/name`, by which recordings name pods."""
    return f"{pod.namespace}/{pod.name}"


def verdict(status: Status | None) -> dict[str, Any] | None:
    """Return a rejection as plugin, code and reasons."""
    if status is None:
        return None
    return {"plugin": status.plugin, "code": status.code, "reasons": status.reasons}


def candidates_of(dry_run: DryRun) -> dict[str, Any]:
    """Return the candidates by node, with whom they would cost."""
    return {
        node: {
            "victims": [key_of(pod) for pod in candidate.victims],
            "pdb_violations": candidate.pdb_violations,
        }
        for node, candidate in dry_run.candidates.items()
    }


def _no_candidate(status: Status | None) -> dict[str, Any] | None:
    """Return why a node is none; recordings have words of their own where nobody has to go."""
    found = verdict(status)
    if found is not None and found["code"] == "Error" and found["reasons"][0].startswith(no_victim("")[:-2]):
        found["reasons"] = ["no victim needed"]
    return found


def _preemption(dry_run: DryRun) -> dict[str, Any]:
    return {
        "eligible": dry_run.eligible,
        "reason": dry_run.reason,
        "candidates": candidates_of(dry_run),
        "not_candidates": {node: _no_candidate(status) for node, status in dry_run.not_candidates.items()},
        "best": dry_run.best,
        "nominated": dry_run.nominated,
        "victims": [key_of(pod) for pod in dry_run.victims],
        "cleared": [key_of(pod) for pod in dry_run.cleared],
        "status": dry_run.status,
    }
