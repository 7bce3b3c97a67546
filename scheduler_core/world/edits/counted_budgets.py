"""What PodDisruptionBudgets allow after edits: those are counted anew whose pods, or which, were edited."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from scheduler_core.objects.identity import controller_of, is_active, namespace_of
from scheduler_core.objects.kinds import CRON_JOB, DAEMON_SET, JOB, POD_DISRUPTION_BUDGET, kind_of
from scheduler_core.objects.workloads.budgets import (
    budget_status,
    labels_by_namespace,
    selected_pods,
)
from scheduler_core.objects.workloads.workload_pods import wanted_replicas
from scheduler_core.world.edits.edited_cluster import EditedCluster
from scheduler_core.world.edits.places import full_name, identity_of
from scheduler_core.world.edits.results import EditResult

Object = dict[str, Any]


def update_budgets(cluster: EditedCluster, results: list[EditResult]) -> None:
    """Count anew what edits have touched.

    Budgets whose pods come and go in the run alone are as they were when it begins, and counted in it.
    """
    touched = cluster.touched
    before_run, in_run = labels_by_namespace(touched.pods), labels_by_namespace(touched.in_run)
    for place in list(cluster.places(POD_DISRUPTION_BUDGET)):
        budget = cluster.at(place)
        assert budget is not None
        edited = identity_of(budget) in touched.budgets
        here = edited or touched.selectors.selects_any(budget, before_run)
        if not here and not touched.selectors.selects_any(budget, in_run):
            continue
        status = _status_of(cluster, budget)
        allowed = status["disruptionsAllowed"]
        before = (budget.get("status") or {}).get("disruptionsAllowed")
        if edited or allowed != before:
            cluster.set_status(place, status, in_run=not here)
            if results and allowed != before:
                results[-1].note(f"{full_name(budget)} now allows {allowed} disruptions")


def count_budgets(cluster: EditedCluster) -> None:
    """Count those anew that have come or changed since `begin_edit`."""
    for place, (_, now) in cluster.differences_by_place().items():
        if now is not None and kind_of(now) == POD_DISRUPTION_BUDGET:
            cluster.set_status(place, _status_of(cluster, now))


def budgets_over(cluster: EditedCluster, uids: Iterable[str]) -> int:
    """Return how many budgets cover any of these pods."""
    labels = labels_by_namespace(pod for uid in uids for pod in cluster.pods_with_uid(uid))
    budgets = cluster.of_kind(POD_DISRUPTION_BUDGET) if labels else ()
    return sum(cluster.touched.selectors.selects_any(one, labels) for one in budgets)


def _status_of(cluster: EditedCluster, budget: Object) -> Object:
    """Return a budget's status for the present pods."""
    pods = [pod for pod in cluster.pods_in(namespace_of(budget)) if is_active(pod)]
    return budget_status(budget, selected_pods(budget, pods), lambda pod: _scale_of(cluster, pod))


def _scale_of(cluster: EditedCluster, pod: Object) -> tuple[str, int] | None:
    """Return the topmost controller of a pod and how many pods it wants."""
    document = pod
    top: Object | None = None
    for _ in range(4):
        reference = controller_of(document)
        if reference is None:
            break
        found = cluster.find(kind_of(reference), namespace_of(pod), str(reference.get("name")))
        if not found:
            break
        top = document = found[-1]
    if top is None or kind_of(top) in (DAEMON_SET, JOB, CRON_JOB):
        return None
    return full_name(top), wanted_replicas(top)
