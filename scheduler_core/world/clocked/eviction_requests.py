"""The eviction API where a clock moves: what drains and evictions ask for is granted or refused at once.

A drain asks again for the pods that a budget keeps, every five seconds until its timeout. It is silent about
refusals that are like the last one: asking again is a decision only when something comes of it.

Source: kubernetes v1.36 pkg/registry/core/pod/storage/eviction.go; kubectl v0.36 pkg/drain/drain.go
evictPods.
"""

from __future__ import annotations

from collections.abc import Callable

from scheduler_core.kube.queueing.report import Report
from scheduler_core.state.cluster import Budget
from scheduler_core.world.clocked.actor import ClockedActor
from scheduler_core.world.clocked.happening import Happening, Stay
from scheduler_core.world.clocked.live_cluster import Cluster
from scheduler_core.world.controllers.evictions import lets_go, name_of, refusal
from scheduler_core.world.controllers.recreated_pods import Document
from scheduler_core.world.edits.operations.drain import reason_to_skip

RETRY_DELAY = 5 * 10**9


class Asking:
    """Asks for one pod's eviction. `document` returns a pod as an object."""

    def __init__(self, cluster: Cluster, document: Callable[[int], Document]) -> None:
        self._cluster = cluster
        self._document = document

    def ask(self, pod: int, since: int, until: int) -> Happening:
        """Grant or refuse the eviction, which was asked for first at `since`, and is again until `until`."""
        stay = self._reason_to_stay(pod, since, until)
        report = Report() if stay is not None else self._cluster.terminate(pod, "evicted")
        return Happening("eviction", report, pod=pod, stay=stay)

    def _reason_to_stay(self, pod: int, since: int, until: int) -> Stay | None:
        state = self._cluster.state
        if pod in state.gone.values or not state.node_of(pod):
            return Stay("refused", "the pod is on no node")
        skipped = reason_to_skip(self._document(pod))
        if skipped is not None:
            return Stay("skipped", skipped)
        if state.pods.infos[pod].pod.metadata.deletion_timestamp is not None:
            return Stay("refused", "the pod is terminating already")
        refused = refusal(state, pod, ready=self._cluster.is_ready(pod))
        if refused is None:
            return None
        # With several budgets the API server fails, and a drain gives the pod up.
        if len(refused.budgets) == 1 and until > self._cluster.now:
            self._cluster.refused.put(pod, (since, until, refused.budgets[0]))
        return Stay("refused", refused.message)


class EvictionRequests(Asking, ClockedActor):
    """Answers what is asked for, one pod after another."""

    urgent = True

    def due(self) -> int | None:
        return self._cluster.now if self._cluster.asked.values else None

    def act(self) -> Happening:
        turn = min(self._cluster.asked.values)
        pod, until = self._cluster.asked.values[turn]
        self._cluster.asked.drop(turn)
        return self.ask(pod, self._cluster.now, until)


class RepeatedEvictions(Asking, ClockedActor):
    """Asks again for pods that a budget keeps, once it lets one go."""

    def due(self) -> int | None:
        found = self._next()
        return None if found is None else found[0]

    def act(self) -> Happening:
        found = self._next()
        assert found is not None
        since, until, _ = self._cluster.refused.values[found[1]]
        self._cluster.refused.drop(found[1])
        return self.ask(found[1], since, until)

    def _next(self) -> tuple[int, int] | None:
        """Return when the next eviction is asked for that is granted then as things stand, and the pod."""
        if not self._cluster.refused.values:
            return None
        budgets = {name_of(budget): budget for budget in self._cluster.state.budgets}
        tries = ((self._try(pod, budgets), pod) for pod in self._cluster.refused.values)
        return min(((at, pod) for at, pod in tries if at is not None), default=None)

    def _try(self, pod: int, budgets: dict[str, Budget]) -> int | None:
        since, until, name = self._cluster.refused.values[pod]
        if self._cluster.state.pods.infos[pod].pod.metadata.deletion_timestamp is not None:
            return None
        budget = budgets.get(name)
        if budget is not None and not lets_go(budget, ready=self._cluster.is_ready(pod)):
            return None
        at = since + max(1, -(-(self._cluster.now - since) // RETRY_DELAY)) * RETRY_DELAY
        return at if at <= until else None
