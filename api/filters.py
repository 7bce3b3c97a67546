"""The filters of lists, one class a list; texts match exactly, `search` looks into the middle of words."""

from typing import Any

import django_filters
from django.db.models import QuerySet
from django_filters.rest_framework import DjangoFilterBackend
from rest_framework.filters import SearchFilter

from dashboard.models import Node, Pod, Run, Scenario, Snapshot, Workload
from dashboard.queries.pending import PENDING

__all__ = ["DjangoFilterBackend", "SearchFilter"]

WHOLE_NUMBERS = {"max_digits": 10, "decimal_places": 0}


class SnapshotFilter(django_filters.FilterSet):
    """Snapshots by status, by being a sample, and by their content's hash."""

    class Meta:
        model = Snapshot
        fields = ["status", "is_sample", "content_hash"]


class NodeFilter(django_filters.FilterSet):
    """Nodes by name, zone, pool and cordon."""

    class Meta:
        model = Node
        fields = ["name", "zone", "pool", "unschedulable"]


class PodFilter(django_filters.FilterSet):
    """Pods by where they are and whose they are; `pending` are those that wait for a node."""

    node = django_filters.CharFilter(field_name="node_name")
    pending = django_filters.BooleanFilter(method="keep_pending")
    priority_min = django_filters.NumberFilter(field_name="priority", lookup_expr="gte", **WHOLE_NUMBERS)
    priority_max = django_filters.NumberFilter(field_name="priority", lookup_expr="lte", **WHOLE_NUMBERS)

    class Meta:
        model = Pod
        fields = ["uid", "namespace", "name", "phase", "priority", "scheduler_name", "workload"]

    def keep_pending(self, pods: QuerySet[Pod], name: str, value: Any) -> QuerySet[Pod]:
        """Keep the pods that wait for a node (true) or all others (false)."""
        return pods.filter(PENDING if value else ~PENDING)


class WorkloadFilter(django_filters.FilterSet):
    """Workloads by kind, namespace and name."""

    class Meta:
        model = Workload
        fields = ["kind", "namespace", "name"]


class ScenarioFilter(django_filters.FilterSet):
    """Scenarios by snapshot and by how they are played."""

    snapshot = django_filters.NumberFilter(field_name="snapshot_id", max_digits=18, decimal_places=0)

    class Meta:
        model = Scenario
        fields = ["name", "profile", "driver", "controllers"]


class RunFilter(django_filters.FilterSet):
    """Runs by status, scenario and snapshot."""

    scenario = django_filters.NumberFilter(field_name="scenario_id", max_digits=18, decimal_places=0)
    snapshot = django_filters.NumberFilter(field_name="snapshot_id", max_digits=18, decimal_places=0)

    class Meta:
        model = Run
        fields = ["status", "profile", "driver", "pinned"]
