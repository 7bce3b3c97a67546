"""The filters of lists, one class a list; texts match exactly, `search` looks into the middle of words."""

from typing import Any

import django_filters
from django import forms
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import QuerySet
from django_filters.rest_framework import DjangoFilterBackend
from rest_framework.filters import SearchFilter

from api.query import BOOLEANS
from dashboard.models import Node, Pod, Run, Scenario, Snapshot, Workload
from dashboard.queries.pending import PENDING

__all__ = ["DjangoFilterBackend", "SearchFilter"]

WHOLE_NUMBERS = {"max_digits": 10, "decimal_places": 0}


class FlagField(forms.CharField):
    """True, false, or nothing; Django's own field takes what it cannot read for nothing."""

    def clean(self, value: Any) -> bool | None:
        """Return the flag, None if it is not given. Raises ValidationError."""
        text = super().clean(value).lower()
        if text not in BOOLEANS:
            raise ValidationError("Must be true or false.")
        return BOOLEANS[text] if text else None


class FlagFilter(django_filters.BooleanFilter):
    """A filter by a flag."""

    field_class = FlagField


class RowFilter(django_filters.FilterSet):
    """Base of the filters: flags are read strictly."""

    FILTER_DEFAULTS = {
        **django_filters.FilterSet.FILTER_DEFAULTS,
        models.BooleanField: {"filter_class": FlagFilter},
    }


class SnapshotFilter(RowFilter):
    """Snapshots by status, by being a sample, and by their content's hash."""

    class Meta:
        model = Snapshot
        fields = ["status", "is_sample", "content_hash"]


class NodeFilter(RowFilter):
    """Nodes by name, zone, pool and cordon."""

    class Meta:
        model = Node
        fields = ["name", "zone", "pool", "unschedulable"]


class PodFilter(RowFilter):
    """Pods by where they are and whose they are; `pending` are those that wait for a node."""

    node = django_filters.CharFilter(field_name="node_name")
    pending = FlagFilter(method="keep_pending")
    priority_min = django_filters.NumberFilter(field_name="priority", lookup_expr="gte", **WHOLE_NUMBERS)
    priority_max = django_filters.NumberFilter(field_name="priority", lookup_expr="lte", **WHOLE_NUMBERS)

    class Meta:
        model = Pod
        fields = ["uid", "namespace", "name", "phase", "priority", "scheduler_name", "workload"]

    def keep_pending(self, pods: QuerySet[Pod], name: str, value: Any) -> QuerySet[Pod]:
        """Keep the pods that wait for a node (true) or all others (false)."""
        return pods.filter(PENDING if value else ~PENDING)


class WorkloadFilter(RowFilter):
    """Workloads by kind, namespace and name."""

    class Meta:
        model = Workload
        fields = ["kind", "namespace", "name"]


class ScenarioFilter(RowFilter):
    """Scenarios by snapshot and by how they are played."""

    snapshot = django_filters.NumberFilter(field_name="snapshot_id", max_digits=18, decimal_places=0)

    class Meta:
        model = Scenario
        fields = ["name", "profile", "driver", "controllers"]


class RunFilter(RowFilter):
    """Runs by status, scenario and snapshot."""

    scenario = django_filters.NumberFilter(field_name="scenario_id", max_digits=18, decimal_places=0)
    snapshot = django_filters.NumberFilter(field_name="snapshot_id", max_digits=18, decimal_places=0)

    class Meta:
        model = Run
        fields = ["status", "profile", "driver", "pinned"]
