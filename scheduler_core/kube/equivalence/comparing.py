"""Holds an attempt that was answered from kept answers against the plain one."""

from __future__ import annotations

from typing import Any

import numpy as np

from scheduler_core.equivalence.cache import KeptDiffers
from scheduler_core.kube.attempt_event import preemption_of
from scheduler_core.kube.attempt_result import AttemptResult
from scheduler_core.kube.verdicts import Verdicts


def require_same(kept: AttemptResult, plain: AttemptResult) -> None:
    """Raise KeptDiffers where two results of one attempt are not the same."""
    ours, theirs = _told(kept), _told(plain)
    for name, value in theirs.items():
        if ours[name] != value:
            pod = kept.cycle.pod.key
            raise KeptDiffers(f"{name} kept for {pod} is {ours[name]!r}, and not {value!r}")


def _told(result: AttemptResult) -> dict[str, Any]:
    """Return all that an attempt says and has done."""
    verdicts = result.final
    return {
        "outcome": result.outcome,
        "figures": result.figures,
        "verdicts": None if verdicts is None else _verdicts(verdicts),
        "chosen": result.chosen,
        "message": result.message,
        "nomination": result.nominate,
        "search": result.searched,
        "error": result.reserve,
        "extenders": result.hearing.exchanges if result.hearing else [],
        "noted": result.noted,
        "preemption": preemption_of(result.cycle.state, result),
    }


def _verdicts(verdicts: Verdicts) -> tuple[list[int], list[int]]:
    """Return each node's verdict; the code of one that fits means nothing."""
    return verdicts.plugin.tolist(), np.where(verdicts.rejected, verdicts.code, 0).tolist()
