"""The filters of lists, one class a list; texts match exactly, `search` looks into the middle of words.

All of them are bounded in length.
"""

from typing import Any

import django_filters
from django import forms
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import QuerySet
from django_filters.rest_framework import DjangoFilterBackend
from rest_framework import filters, serializers

from api.query import BOOLEANS
from dashboard.models import AuditEntry, Node, Pod, Run, Scenario, Snapshot, Workload
from dashboard.queries.pending import PENDING
from dashboard.queries.searching import LONGEST_SEARCH, LONGEST_VALUE, search_fault

__all__ = ["DjangoFilterBackend", "SearchFilter"]

WHOLE_NUMBERS = {"max_digits": 10, "decimal_places": 0}


class SearchFilter(filters.SearchFilter):
    """Looks for the words of `search` in the view's `search_fields`; their number is bounded."""

    def get_search_terms(self, request: Any) -> list[str]:
        """Return the words. Raises ValidationError for too many, and for too long a text."""
        text = request.query_params.get(self.search_param, "")
        words = super().get_search_terms(request) if len(text) <= LONGEST_SEARCH else []
        if fault := search_fault(text, len(words)):
            raise serializers.ValidationError({self.search_param: fault})
        return words

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """Describe the query parameter for OpenAPI."""
        [parameter] = super().get_schema_operation_parameters(view)
        return [{**parameter, "schema": {"type": "string", "maxLength": LONGEST_SEARCH}}]


class TextFilter(django_filters.CharFilter):
    """A filter by a text of bounded length."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, max_length=LONGEST_VALUE, **options)


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
    """Base of the filters: flags are read strictly, texts are bounded."""

    FILTER_DEFAULTS = {
        **django_filters.FilterSet.FILTER_DEFAULTS,
        models.BooleanField: {"filter_class": FlagFilter},
        models.CharField: {"filter_class": TextFilter},
        models.TextField: {"filter_class": TextFilter},
    }


class AuditFilter(RowFilter):
    """Entries of the audit log by person and action, from a moment on, and before another."""

    since = django_filters.IsoDateTimeFilter(field_name="at", lookup_expr="gte")
    until = django_filters.IsoDateTimeFilter(field_name="at", lookup_expr="lt")

    class Meta:
        model = AuditEntry
        fields = ["who", "action"]


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

    node = TextFilter(field_name="node_name")
    pending = FlagFilter(method="keep_pending")
    priority_min = django_filters.NumberFilter(field_name="priority", lookup_expr="gte", **WHOLE_NUMBERS)
    priority_max = django_filters.NumberFilter(field_name="priority", lookup_expr="lte", **WHOLE_NUMBERS)

    class Meta:
        model = Pod
        fields = ["uid", "namespace", "name", "phase", "priority", "scheduler_name", "workload", "group"]

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
