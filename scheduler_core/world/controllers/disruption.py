"""Budgets are counted anew as their pods come, become ready, are asked to go, and are gone. Nobody is told.

How many pods there should be is what the controllers of its pods want by then, where all of them are known;
else what the budget's status says. Of a budget whose status no controller has written nothing is counted.

Source: kubernetes v1.36 pkg/controller/disruption trySync, getExpectedPodCount, getExpectedScale,
countHealthyPods, updatePdbStatus.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

from scheduler_core.objects.identity import controller_of, spec_of
from scheduler_core.objects.kinds import (
    DEPLOYMENT,
    POD_DISRUPTION_BUDGET,
    REPLICA_SET,
    REPLICATION_CONTROLLER,
    STATEFUL_SET,
    kind_of,
)
from scheduler_core.objects.workloads.budgets import expected_of
from scheduler_core.objects.workloads.workload_pods import wanted_replicas
from scheduler_core.state.cluster import Budget
from scheduler_core.state.register import SortedRegister
from scheduler_core.world.controllers.controller import Around, ClusterController
from scheduler_core.world.controllers.covering import BudgetsByLabel, covers
from scheduler_core.world.controllers.evictions import name_of
from scheduler_core.world.controllers.known_objects import key_of

Object = dict[str, Any]

_SCALED = (DEPLOYMENT, REPLICA_SET, REPLICATION_CONTROLLER, STATEFUL_SET)
"""Whose size the real one finds; of other controllers' pods it knows none."""


class Disruption(ClusterController):
    """Knows which pods each budget covers, and when the next of them becomes ready."""

    remembered = {"due": "_due"}

    name = "disruption-controller"
    urgent = True

    def __init__(self, around: Around) -> None:
        super().__init__(around)
        self._due: SortedRegister[str, tuple[int, str]] = SortedRegister(self.state.journal, read=tuple)
        """When each budget is to be counted next."""
        self._known = around.cluster.objects
        self._document = around.owned.document
        self._started_with = len(self.state.pods)
        self._of: list[Budget] = []
        self._names_of: list[Budget] = []
        self._names: dict[str, Budget] = {}
        self._by_label = BudgetsByLabel(())
        self._classes: dict[int, list[int]] = {}
        """By pod the classes of labels that it has had."""
        self._covered: dict[str, set[int]] = {}
        """Pods that a budget covers or has covered: what follows from the state, and is made anew from it."""

    def begin(self) -> None:
        self._learn()

    def hear(self, decision: int) -> None:
        touched = self.state.journal.touched(self.state.pod_changes)
        if self.state.budgets is not self._of:
            known = {name_of(budget): budget for budget in self._of}
            self._learn()
            changed = [one for one in self._of if known.get(name_of(one)) is not one]
            self._count_soon(changed)
        self._count_soon(self._covering(touched))

    def due(self) -> int | None:
        first = self._due.first()
        return None if first is None else self._due.values[first][0]

    def act(self) -> None:
        """Count all budgets that are due."""
        while (name := self._due.first()) is not None and self._due.values[name][0] <= self.cluster.now:
            self._due.drop(name)
            if (budget := self._named().get(name)) is not None:
                self._count(budget)

    def _named(self) -> dict[str, Budget]:
        """Return the budgets of now by name, made once for as long as there are no others."""
        if self._names_of is not self.state.budgets:
            self._names_of = self.state.budgets
            self._names = {name_of(budget): budget for budget in self._names_of}
        return self._names

    # -- whom a budget covers ------------------------------------------------------------------------

    def _learn(self) -> None:
        """Find out whom the budgets of now cover."""
        self._of = self.state.budgets
        counted = [budget for budget in self._of if budget.is_counted]
        self._by_label, self._classes = BudgetsByLabel(counted), {}
        self._covered = {name_of(budget): set() for budget in counted}
        for _ in self._covering(range(len(self.state.pods))):
            pass

    def _covering(self, pods: Iterable[int]) -> Iterable[Budget]:
        """Yield the budgets that cover one of these pods, or did, and remember whom they cover."""
        of_pod, members = self.state.pods.label_class, self.state.pods.classes.members
        for pod in pods if self._covered else ():
            classes, now = self._classes.setdefault(pod, []), int(of_pod[pod])
            if now not in classes:
                classes.append(now)
            for budget in chain.from_iterable(self._by_label.of_class(one, *members[one]) for one in classes):
                self._covered[name_of(budget)].add(pod)
                yield budget

    # -- counting ------------------------------------------------------------------------------------

    def _count_soon(self, budgets: Iterable[Budget]) -> None:
        for budget in budgets:
            if budget.is_counted:
                self._due.put(name_of(budget), (self.cluster.now, name_of(budget)))

    def _count(self, budget: Budget) -> None:
        state, cluster, name = self.state, self.cluster, name_of(budget)
        present: list[int] = []
        healthy, becoming = 0, []
        for pod in self._covered[name]:
            if pod >= len(state.pods) or pod in state.gone.values:
                continue
            info = state.pods.infos[pod]
            if not covers(budget, info):
                continue
            present.append(pod)
            if not info.pod.spec.node_name or info.pod.metadata.deletion_timestamp is not None:
                continue
            if pod < self._started_with and info.pod.metadata.name in budget.disrupted_pods:
                continue
            if cluster.is_ready(pod):
                healthy += 1
            elif (since := cluster.ready_from.get(pod)) is not None:
                becoming.append(since)
        expected, desired = self._wanted(budget, present)
        state.count_budget(budget, expected, desired, healthy)
        if becoming:
            self._due.put(name, (min(becoming), name))

    def _wanted(self, budget: Budget, pods: list[int]) -> tuple[int, int]:
        """Return how many pods there should be, and how many of them healthy."""
        document = self._known.find(POD_DISRUPTION_BUDGET, budget.namespace, budget.name) or {}
        documents = [self._document(pod) for pod in pods]
        found = expected_of(spec_of(document), documents, self._scale_of)
        return (budget.expected, budget.desired_healthy) if found is None else found

    def _scale_of(self, pod: Object) -> tuple[str, int] | None:
        """Return the topmost controller of a pod and how many pods it wants."""
        top = pod
        while controller_of(top) is not None:
            owner = self._known.owner_of(top)
            if owner is None:
                return None
            top = owner
        return (key_of(top), wanted_replicas(top)) if kind_of(top) in _SCALED else None

    # -- checkpoints ---------------------------------------------------------------------------------

    def load(self, data: Mapping[str, Any]) -> None:
        super().load(data)
        self._learn()
