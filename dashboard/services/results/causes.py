"""Why pods are pending, in a word: what most nodes said at the last try of each.

The log holds each plugin's count of nodes, not what would help: a cause is the commonest refusal, no more.
"""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from dashboard.services.results.moves import own_workload
from dashboard.shapes.outcome import Cause
from scheduler_core.events.decisions import Attempt, Decision
from scheduler_core.events.sessions import Placement
from scheduler_core.events.state import PodRow


class _Told(NamedTuple):
    cause: str
    nodes: int
    of: int
    seq: int


class Causes:
    """The last try of each pod that failed, by uid, while the decisions go by."""

    def __init__(self) -> None:
        self._last: dict[str, _Told] = {}

    def add(self, decision: Decision) -> None:
        """Note a failed try."""
        if isinstance(decision, Attempt) and decision.outcome != "scheduled":
            self._last[decision.pod.uid] = _of_attempt(decision)
        elif isinstance(decision, Placement) and decision.outcome == "refused":
            self._last[decision.pod.uid] = _Told(decision.message, 0, decision.nodes, decision.seq)

    def seqs(self) -> dict[str, int]:
        """Return the decision of each such try, by the pod's uid."""
        return {uid: told.seq for uid, told in self._last.items()}

    def rows(self, pending: Iterable[PodRow], gated: Collection[str]) -> list[Cause]:
        """Return the causes of the pods that are pending, by workload, most pods first.

        `gated` are the uids of those that a gate keeps from being tried.
        """
        rows: dict[tuple[str, str], Cause] = {}
        for pod in pending:
            untried = _Told("gated" if pod.uid in gated else "not tried", 0, 0, 0)
            told = self._last.get(pod.uid) or untried
            none: Cause = {
                "cause": told.cause, "workload": own_workload(pod), "pods": 0,
                "nodes": told.nodes, "of": told.of, "seq": told.seq or None,
            }  # fmt: skip
            rows.setdefault((told.cause, none["workload"]), none)["pods"] += 1
        return sorted(rows.values(), key=lambda row: (-row["pods"], row["cause"], row["workload"]))


def _of_attempt(attempt: Attempt) -> _Told:
    if attempt.feasible and attempt.outcome == "unschedulable":
        # A node was there, but not for the rest of its pod group.
        return _Told(attempt.message or "", 0, attempt.nodes, attempt.seq)
    most = max(attempt.rejections, key=lambda one: one.nodes, default=None)
    if most is not None and most.nodes:
        return _Told(", ".join(most.reasons) or most.plugin, most.nodes, attempt.nodes, attempt.seq)
    status = attempt.prefilter or attempt.preenqueue
    cause = ", ".join(status.reasons) or status.plugin if status is not None else attempt.message or ""
    return _Told(cause, 0, attempt.nodes, attempt.seq)
