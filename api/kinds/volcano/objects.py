"""Volcano's objects in a snapshot over REST, searched and sorted."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from api.describing import WITH_OBJECT, refusals, rows_of
from api.filters import RowFilter
from api.serializers.snapshots import Row
from api.views.snapshot_rows import SnapshotRows
from dashboard.models import VolcanoObject


class VolcanoFilter(RowFilter):
    """Volcano's objects by kind, namespace and name, and by what they are part of."""

    class Meta:
        model = VolcanoObject
        fields = ["kind", "namespace", "name", "queue", "owner", "phase"]


class VolcanoRow(Row):
    """A Job, PodGroup, Queue, HyperNode, JobFlow, JobTemplate or CronJob of Volcano.

    Null and the empty text are not said.

    `queue` is the one that it is in, of a queue its parent; `owner` is what made it. `minimum` pods are
    needed at once, `running` run; `weight` is a queue's.
    """

    class Meta:
        model = VolcanoObject
        fields = [
            "position", "kind", "namespace", "name", "queue", "owner", "phase", "minimum", "running",
            "weight", "created_at", "object",
        ]  # fmt: skip


class SnapshotVolcano(SnapshotRows):
    """Volcano's objects: Jobs, PodGroups, Queues, HyperNodes, JobFlows, JobTemplates and CronJobs."""

    model = VolcanoObject
    serializer_class = VolcanoRow
    filterset_class = VolcanoFilter
    search_fields = ["kind", "namespace", "name", "queue"]
    ordering_fields = {
        name: name for name in ("position", "kind", "namespace", "name", "queue", "phase", "created_at")
    }

    @extend_schema(
        operation_id="snapshot_volcano",
        parameters=[WITH_OBJECT],
        responses={**rows_of(VolcanoRow), **refusals(400, 404, 409)},
    )
    def get(self, request: Any, pk: int) -> Response:
        """List Volcano's objects."""
        return self.list(request)
