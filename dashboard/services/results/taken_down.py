"""Pods on nodes that Volcano's controllers delete: a job that restarts loses more than its evicted pods."""

from collections.abc import Iterator, Mapping

from scheduler_core.events.changes import Set, Vanish
from scheduler_core.events.decisions import Decision
from scheduler_core.events.reconciles import Reconciled
from scheduler_core.events.state import PODS

_SYNC = "SyncJob"
"""The action that makes a job's pods as its tasks have them: what it deletes, no task asks for any more."""


class TakenDown:
    """Which pods with a node controllers have deleted, and which of these their jobs still ask for."""

    def __init__(self) -> None:
        self.pods: set[str] = set()
        self.missed: set[str] = set()

    def add(self, decision: Decision, nodes: Mapping[str, str], evicted: set[str]) -> None:
        """Follow a decision before its changes are carried out; `nodes` are those of pods that have one."""
        if not isinstance(decision, Reconciled):
            return
        taken = {pod for pod in _deleted(decision) if pod in nodes and pod not in evicted}
        self.pods |= taken
        if decision.action != _SYNC:
            self.missed |= taken


def _deleted(decision: Reconciled) -> Iterator[str]:
    for change in decision.changes:
        if not isinstance(change, Set | Vanish) or change.table != PODS:
            continue
        if isinstance(change, Vanish) or change.new.get("terminating"):
            yield change.id
