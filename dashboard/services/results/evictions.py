"""Evictions of a run: the first, chains of them, those against a budget, and those that were refused."""

from collections.abc import Collection, Iterator, Mapping

from msgspec import UnsetType

from dashboard.pod_names import pod_name
from dashboard.shapes.outcome import BudgetViolated, Cascades, EvictionRefused, FirstEviction
from scheduler_core.events.decisions import Attempt, Completion, Decision, Eviction, PodRef
from scheduler_core.events.sessions import Gang
from scheduler_core.events.state import PodRow

LISTED_CHAINS = 10


class EvictionTally:
    """The evictions while the decisions go by.

    A chain grows when a copy of an evicted pod evicts others in its turn.
    """

    def __init__(self) -> None:
        self.first: FirstEviction | None = None
        self.violated: list[BudgetViolated] = []
        self.refused: dict[str, EvictionRefused] = {}
        """Those that were not granted later, by the pod's uid."""
        self._chain_of: dict[str, list[int]] = {}
        self._chains: list[list[int]] = []

    def add(
        self,
        decision: Decision,
        victims: list[str],
        rows: Mapping[str, PodRow],
        nodes: Mapping[str, str],
        leaving: Collection[str],
    ) -> None:
        """Count a decision that evicts `victims`, if any, before its changes are carried out.

        By uid: `rows` are all pods known so far, `nodes` those of pods that have one, `leaving` pods that
        were evicted before.
        """
        if isinstance(decision, Attempt):
            self.violated.extend(_against_budgets(decision, leaving))
            self.violated.extend(_by_group(decision, nodes))
        elif isinstance(decision, Eviction) and decision.outcome == "refused":
            pod = decision.pod
            self.refused[pod.uid] = {
                "seq": decision.seq, "pod": pod_name(pod), "uid": pod.uid, "message": decision.message,
            }  # fmt: skip
        elif isinstance(decision, Eviction) and decision.outcome == "evicted":
            self.refused.pop(decision.pod.uid, None)
        if not victims:
            return
        if self.first is None:
            first = rows[victims[0]]
            self.first = {
                "seq": decision.seq,
                "pod": pod_name(first),
                "node": nodes.get(first.uid, ""),
                "by": _for_whom(decision),
                "victims": len(victims),
            }
        self._lengthen_chain(decision, victims)

    def _lengthen_chain(self, decision: Decision, victims: list[str]) -> None:
        earlier = [self._chain_of.get(pod.uid, []) for pod in _evictors(decision)]
        chain = [*max(earlier, key=len, default=[]), decision.seq]
        self._chain_of.update(dict.fromkeys(victims, chain))
        if len(chain) > 1:
            self._chains = [known for known in self._chains if known != chain[:-1]]
            self._chains.append(chain)

    def arrive(self, copy: PodRow) -> None:
        """Let the copy of an evicted pod go on with the chain that led to it."""
        if copy.replaces in self._chain_of:
            self._chain_of[copy.uid] = self._chain_of[copy.replaces]

    def refused_at(self) -> dict[str, int]:
        """Return the decision that refused a pod's eviction, by uid."""
        return {uid: row["seq"] for uid, row in self.refused.items()}

    def cascades(self) -> Cascades:
        """Return how many chains of evictions there were, and the longest of them."""
        longest = sorted(self._chains, key=lambda chain: (-len(chain), chain))[:LISTED_CHAINS]
        return {"count": len(self._chains), "longest": longest}


def _against_budgets(attempt: Attempt, leaving: Collection[str]) -> Iterator[BudgetViolated]:
    preemption = attempt.preemption
    if preemption is None or not preemption.nominated:
        return
    for candidate in preemption.candidates:
        if candidate.node != preemption.nominated:
            continue
        for victim in candidate.victims:
            # Later attempts may name a victim that is terminating already: that evicts nobody again.
            if victim.violates_budget and victim.uid not in leaving:
                yield {
                    "seq": attempt.seq,
                    "pod": pod_name(victim),
                    "node": candidate.node,
                    "by": pod_name(attempt.pod),
                }


def _by_group(attempt: Attempt, nodes: Mapping[str, str]) -> Iterator[BudgetViolated]:
    """Yield the budgets that the preemption for a whole pod group violates."""
    group = attempt.group
    for victim in () if isinstance(group, UnsetType) else group.victims:
        if victim.violates_budget:
            yield {
                "seq": attempt.seq,
                "pod": pod_name(victim),
                "node": nodes.get(victim.uid, ""),
                "by": pod_name(attempt.pod),
            }


def _evictors(decision: Decision) -> list[PodRef]:
    """Return the pods for which others are evicted."""
    if isinstance(decision, Gang):
        return [*decision.pipelined, *decision.bound]
    return [decision.pod] if decision.pod is not None else []


def _for_whom(decision: Decision) -> str | None:
    """Return the pod or the pod group for which others are evicted; None where an edit asks for it."""
    if isinstance(decision, Gang):
        return decision.job
    return pod_name(decision.pod) if isinstance(decision, Attempt | Completion) else None
