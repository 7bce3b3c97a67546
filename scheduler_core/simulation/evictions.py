"""The eviction API: what drain and evict edits ask for, granted or refused by the budgets.

Source: kubernetes v1.36 pkg/registry/core/pod/storage/eviction.go.
"""

from scheduler_core.kube.budgets import covers
from scheduler_core.objects.types import Pod
from scheduler_core.state.cluster import Budget, ClusterState

_VIOLATES = "Cannot evict pod as it would violate the pod's disruption budget."
_SEVERAL = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."


def refusal(state: ClusterState, pod: int) -> str | None:
    """Return why the eviction API refuses the pod, None where it grants the eviction.

    A granted eviction charges the pod's budget.
    """
    info = state.pods.infos[pod]
    budgets = [budget for budget in state.budgets if covers(budget, info)]
    if len(budgets) > 1:
        return _SEVERAL
    if not budgets or _may_go_unhealthy(budgets[0], info.pod):
        return None
    if budgets[0].allowed <= 0:
        return f"{_VIOLATES} The disruption budget {budgets[0].name} needs {_needs(budgets[0])}."
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


def _needs(budget: Budget) -> str:
    return f"{budget.desired_healthy} healthy pods and has {budget.current_healthy} currently"
