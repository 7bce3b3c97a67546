"""The eviction API: what drain and evict edits ask for, granted or refused by the budgets.

Evictions are a run's first decisions, in the order of the edits.

Source: kubernetes v1.36 pkg/registry/core/pod/storage/eviction.go.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from scheduler_core.events.changes import Change
from scheduler_core.events.decisions import Eviction
from scheduler_core.kube.attempt_event import pod_ref
from scheduler_core.objects.types import Pod
from scheduler_core.schedulers.actor import ApiServer, Stamp
from scheduler_core.state.checkpoint import Checkpointed
from scheduler_core.state.cluster import Budget, ClusterState
from scheduler_core.state.register import Register
from scheduler_core.world.controllers.covering import covering
from scheduler_core.world.controllers.lasting_refusals import LastingRefusals
from scheduler_core.world.edits.results import EvictionRequest, RefusedEviction

_VIOLATES = "Cannot evict pod as it would violate the pod's disruption budget."
_NEVER_ASKED = ("Pending", "Succeeded", "Failed")
"""Phases of pods that count for no budget yet, or no longer."""
_SEVERAL = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."


class Refusal(NamedTuple):
    """Why an eviction isn't granted, and the budgets that stand in its way, as `namespace/name`."""

    message: str
    budgets: list[str]


class Looked(NamedTuple):
    """An eviction that is asked for, the pod's row, its node, and why it stays (None: it goes)."""

    request: EvictionRequest
    pod: int
    node: str
    message: str | None


class Evictions(Checkpointed):
    """The edits' requests, one after another."""

    remembered = {"done": "_done"}

    name = "eviction API"

    def __init__(self, state: ClusterState, api: ApiServer, requests: Sequence[EvictionRequest]) -> None:
        self._state = state
        self._api = api
        self.requests = list(requests)
        self._done: Register[str, int] = Register(state.journal, {"done": 0}.items())
        self._lasting = LastingRefusals(state)

    def look(self) -> EvictionRequest | None:
        done = self._done.values["done"]
        return self.requests[done] if done < len(self.requests) else None

    def apply(self, look: EvictionRequest) -> None:
        self._done.put("done", self._done.values["done"] + 1)
        self._last = self._ask(look)
        if self._last.message is None:
            self._api.evict(self._last.pod)

    def tell(self, look: EvictionRequest, stamp: Stamp, changes: list[Change]) -> Eviction:
        last = self._last
        reference = pod_ref(self._state, last.pod)
        return Eviction(
            *stamp[:2], self.name, stamp.cause, changes, reference, _outcome(last), last.node, last.message
        )

    def foresee(self, request: EvictionRequest) -> RefusedEviction | None:
        """Return the refusal that a request will get; a granted one charges the budget."""
        pod = self._state.pods.by_uid[request.uid]
        refused, info = self._refusal(pod), self._state.pods.infos[pod]
        if refused is None:
            self._lasting.lose(pod)
            return None
        named = [budget for budget in covering(self._state, info) if name_of(budget) in refused.budgets]
        return RefusedEviction(
            request.uid,
            info.key,
            self._node(pod),
            refused.budgets,
            refused.message,
            self._lasting.lasts(named),
        )

    def _ask(self, request: EvictionRequest) -> Looked:
        pod = self._state.pods.by_uid[request.uid]
        node = self._node(pod)
        if request.skipped:
            return Looked(request, pod, node, request.skipped)
        refused = self._refusal(pod)
        return Looked(request, pod, node, None if refused is None else refused.message)

    def _node(self, pod: int) -> str:
        """Return the name of the pod's node, empty if it is on none that the cluster has."""
        name = self._state.node_of(pod)
        return name if name in self._state.nodes.index and pod not in self._state.gone.values else ""

    def _refusal(self, pod: int) -> Refusal | None:
        if not self._state.node_of(pod) or pod in self._state.gone.values:
            return Refusal("the pod is on no node", [])
        if self._api.is_leaving(pod):
            return Refusal("the pod is terminating already", [])
        return refusal(self._state, pod, ready=is_ready(self._state.pods.infos[pod].pod))


def _outcome(look: Looked) -> Literal["evicted", "refused", "skipped"]:
    if look.request.skipped:
        return "skipped"
    return "refused" if look.message else "evicted"


def refusal(state: ClusterState, pod: int, *, ready: bool) -> Refusal | None:
    """Return why the eviction API refuses the pod, None where it grants the eviction.

    A granted eviction charges the pod's budget. `ready`: whether the pod is.
    """
    info = state.pods.infos[pod]
    if never_asks(info.pod):
        return None
    budgets = covering(state, info)
    if len(budgets) > 1:
        return Refusal(_SEVERAL, [name_of(budget) for budget in budgets])
    if not budgets or _may_go_unhealthy(budgets[0], ready=ready):
        return None
    if budgets[0].allowed <= 0:
        return Refusal(f"{_VIOLATES} {_cause(budgets[0])}", [name_of(budgets[0])])
    state.charge_budget(budgets[0])
    return None


def never_asks(pod: Pod) -> bool:
    """Return whether a pod's eviction asks no budget: it has not begun yet, or has ended."""
    return pod.status.phase in _NEVER_ASKED


def lets_go(budget: Budget, *, ready: bool) -> bool:
    """Return whether a budget lets a pod go by now that it covers alone."""
    return budget.allowed > 0 or _may_go_unhealthy(budget, ready=ready)


def _may_go_unhealthy(budget: Budget, *, ready: bool) -> bool:
    """An unready pod may go if the policy says so, or (by default) if the budget is healthy without it."""
    if ready:
        return False
    return budget.always_allow_unhealthy or 0 < budget.desired_healthy <= budget.current_healthy


def is_ready(pod: Pod) -> bool:
    """Return whether a pod of the snapshot is ready."""
    conditions = pod.status.conditions
    # A snapshot without conditions does not say; then the pod counts as ready.
    if conditions is None:
        return True
    return any(condition.type == "Ready" and condition.status == "True" for condition in conditions)


def name_of(budget: Budget) -> str:
    """Return a budget's namespace and name."""
    return f"{budget.namespace}/{budget.name}"


def _cause(budget: Budget) -> str:
    if budget.current_healthy > budget.desired_healthy:
        return f"The disruption budget {budget.name} does not allow evicting pods currently."
    needed, healthy = budget.desired_healthy, budget.current_healthy
    return f"The disruption budget {budget.name} needs {needed} healthy pods and has {healthy} currently."
