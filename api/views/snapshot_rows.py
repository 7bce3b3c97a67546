"""What is in a snapshot (nodes, pods, workloads), searched and sorted; its export."""

from typing import Any

from django.db.models import BigIntegerField, F, Value
from django.db.models.functions import Coalesce
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.response import Response

from api.base import ApiView, RowsView
from api.describing import KUBERNETES_LIST, WITH_OBJECT, json_answer, refusals, rows_of
from api.files import file_response
from api.filters import (
    DjangoFilterBackend,
    NodeFilter,
    PodFilter,
    SearchFilter,
    WorkloadFilter,
)
from api.ordering import Ordering
from api.query import read_boolean, read_choice
from api.serializers.snapshots import NodeRow, PodRow, WorkloadRow
from dashboard.models import Node, Pod, Workload
from dashboard.queries import access
from dashboard.services.workspace import snapshots


class SnapshotRows(RowsView):
    """Rows of one snapshot, in the order of the import unless asked otherwise."""

    filter_backends = [DjangoFilterBackend, SearchFilter, Ordering]
    default_order = ["position"]
    model: Any = None

    def get_queryset(self) -> Any:
        """Return the rows of the snapshot in the address."""
        if getattr(self, "swagger_fake_view", False):
            return self.model.objects.none()
        snapshot = access.get_snapshot_or_404(self.request.user, self.kwargs["pk"])
        rows = self.model.objects.filter(snapshot=snapshot)
        return rows if self._with_object() else rows.defer("object")

    def get_serializer_context(self) -> dict[str, Any]:
        """Say whether objects are shown."""
        return {**super().get_serializer_context(), "with_object": self._with_object()}

    def _with_object(self) -> bool:
        # The OpenAPI document names all fields.
        return getattr(self, "swagger_fake_view", False) or read_boolean(self.request.query_params, "object")


class SnapshotNodes(SnapshotRows):
    """The nodes."""

    model = Node
    serializer_class = NodeRow
    filterset_class = NodeFilter
    search_fields = ["name", "zone", "pool"]
    ordering_fields = {
        name: name
        for name in (
            "position", "name", "zone", "pool", "unschedulable", "cpu_milli", "memory_bytes",
            "pods_limit", "pods_count", "cards",
        )
    }  # fmt: skip

    @extend_schema(
        operation_id="snapshot_nodes",
        parameters=[WITH_OBJECT],
        responses={**rows_of(NodeRow), **refusals(400, 404, 409)},
    )
    def get(self, request: Any, pk: int) -> Response:
        """List nodes."""
        return self.list(request)


class SnapshotPods(SnapshotRows):
    """The pods."""

    model = Pod
    serializer_class = PodRow
    filterset_class = PodFilter
    search_fields = ["namespace", "name", "workload", "node_name"]
    ordering_fields = {
        "node": "node_name",
        **{
            name: name
            for name in (
                "position", "namespace", "name", "phase", "priority", "scheduler_name", "workload",
                "cpu_milli", "memory_bytes",
            )
        },
    }  # fmt: skip

    @extend_schema(
        operation_id="snapshot_pods",
        parameters=[WITH_OBJECT],
        responses={**rows_of(PodRow), **refusals(400, 404, 409)},
    )
    def get(self, request: Any, pk: int) -> Response:
        """List pods."""
        return self.list(request)


class SnapshotWorkloads(SnapshotRows):
    """The workloads; those without a number of replicas sort before zero."""

    model = Workload
    serializer_class = WorkloadRow
    filterset_class = WorkloadFilter
    search_fields = ["kind", "namespace", "name"]
    ordering_fields = {
        "position": "position",
        "kind": "kind",
        "namespace": "namespace",
        "name": "name",
        "replicas": "replicas_known",
        "ready": "ready_known",
    }

    def get_queryset(self) -> Any:
        """Return the rows with sortable numbers of replicas."""
        none = Value(-1, output_field=BigIntegerField())
        return (
            super()
            .get_queryset()
            .annotate(
                replicas_known=Coalesce(F("replicas"), none, output_field=BigIntegerField()),
                ready_known=Coalesce(F("ready"), none, output_field=BigIntegerField()),
            )
        )

    @extend_schema(
        operation_id="snapshot_workloads",
        parameters=[WITH_OBJECT],
        responses={**rows_of(WorkloadRow), **refusals(400, 404, 409)},
    )
    def get(self, request: Any, pk: int) -> Response:
        """List workloads."""
        return self.list(request)


class SnapshotExport(ApiView):
    """The stored List, as it would be imported again."""

    @extend_schema(
        operation_id="snapshot_export",
        parameters=[OpenApiParameter("format", str, enum=["json", "yaml"], description="`json` by default.")],
        responses={
            **json_answer(KUBERNETES_LIST),
            (200, "application/yaml"): OpenApiTypes.OBJECT,
            **refusals(400, 404, 409),
        },
    )
    def get(self, request: Any, pk: int) -> Any:
        """Return the List as a file."""
        snapshot = access.get_snapshot_or_404(request.user, pk)
        if read_choice(request.query_params, "format", ["json", "yaml"], "json") == "yaml":
            body, suffix = snapshots.export_yaml(snapshot), "yaml"
        else:
            body, suffix = snapshots.export_json(snapshot), "json"
        return file_response(body, f"application/{suffix}", f"{snapshot.name}.{suffix}")
