"""What a budget that comes or changes at an instant allows, by its pods as they are then.

Source: kubernetes v1.36 pkg/controller/disruption countHealthyPods, updatePdbStatus.
"""

from __future__ import annotations

from typing import Any

from scheduler_core.objects import selectors
from scheduler_core.objects.kinds import POD_DISRUPTION_BUDGET, kind_of
from scheduler_core.state.pods import PodInfo
from scheduler_core.state.surroundings import budget_of
from scheduler_core.world.clocked.live_cluster import Cluster

Document = dict[str, Any]


def allowing(document: Document, cluster: Cluster) -> Document:
    """Return a budget whose status counts the healthy pods of now; any other object as it is.

    How many must stay healthy stands in its status already: that depends on what controllers want.
    """
    if kind_of(document) != POD_DISRUPTION_BUDGET:
        return document
    budget, status = budget_of(document), document.get("status") or {}
    selector, present = budget.selector, cluster.state.pods.infos
    healthy = 0
    if selector is not None:
        healthy = sum(
            info.namespace == budget.namespace
            and selectors.matches(selector, info.labels)
            and _is_healthy(info, cluster)
            for info in present
        )
    allowed = max(0, healthy - budget.desired_healthy) if status.get("expectedPods") else 0
    return {**document, "status": {**status, "currentHealthy": healthy, "disruptionsAllowed": allowed}}


def _is_healthy(info: PodInfo, cluster: Cluster) -> bool:
    """Return whether the pod runs and is ready."""
    pod, row = info.pod, info.row
    if row in cluster.state.gone.values or not pod.spec.node_name or pod.metadata.deletion_timestamp:
        return False
    return cluster.is_ready(row)
