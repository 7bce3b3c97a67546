"""The eviction API: what drain and evict edits ask for, granted or refused by the budgets.

Source: kubernetes v1.36 pkg/registry/core/pod/storage/eviction.go.
"""

from typing import NamedTuple

from scheduler_core.objects import selectors
from scheduler_core.objects.types import Pod
from scheduler_core.state.cluster import Budget, ClusterState
from scheduler_core.state.pods import PodInfo

_VIOLATES = "Cannot evict pod as it would violate the pod's disruption budget."
_NEVER_ASKED = ("Pending", "Succeeded", "Failed")
"""Phases of pods that count for no budget yet, or no longer."""
_SEVERAL = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."


class Refusal(NamedTuple):
    """Why an eviction isn't granted, and the budgets that stand in its way, as `namespace/name`."""

    message: str
    budgets: list[str]


def refusal(state: ClusterState, pod: int) -> Refusal | None:
    """Return why the eviction API refuses the pod, None where it grants the eviction.

    A granted eviction charges the pod's budget.
    """
    info = state.pods.infos[pod]
    if info.pod.status.phase in _NEVER_ASKED:
        return None
    budgets = [budget for budget in state.budgets if _covers(budget, info)]
    if len(budgets) > 1:
        return Refusal(_SEVERAL, [_name(budget) for budget in budgets])
    if not budgets or _may_go_unhealthy(budgets[0], info.pod):
        return None
    if budgets[0].allowed <= 0:
        return Refusal(f"{_VIOLATES} {_cause(budgets[0])}", [_name(budgets[0])])
    state.charge_budget(budgets[0])
    return None


def _may_go_unhealthy(budget: Budget, pod: Pod) -> bool:
    """An unready pod may go if the policy says so, or (by default) if the budget is healthy without it."""
    if _is_ready(pod):
        return False
    return budget.always_allow_unhealthy or 0 < budget.desired_healthy <= budget.current_healthy


def _is_ready(pod: Pod) -> bool:
    conditions = pod.status.conditions
    # A snapshot without conditions does not say; then the pod counts as ready.
    if conditions is None:
        return True
    return any(condition.type == "Ready" and condition.status == "True" for condition in conditions)


def _covers(budget: Budget, pod: PodInfo) -> bool:
    """Return whether the budget covers the pod: here, unlike in preemption, an empty selector covers all."""
    return (
        budget.selector is not None
        and budget.namespace == pod.namespace
        and selectors.matches(budget.selector, pod.labels)
    )


def _name(budget: Budget) -> str:
    return f"{budget.namespace}/{budget.name}"


def _cause(budget: Budget) -> str:
    if budget.current_healthy > budget.desired_healthy:
        return f"The disruption budget {budget.name} does not allow evicting pods currently."
    needed, healthy = budget.desired_healthy, budget.current_healthy
    return f"The disruption budget {budget.name} needs {needed} healthy pods and has {healthy} currently."
