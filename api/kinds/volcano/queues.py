"""What the queues of a snapshot hold, deserve and ask for."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from api.base import ApiView
from api.describing import refusals
from api.worker_answers import PATIENCE_SECONDS, answered, imported_snapshot
from dashboard.kinds.volcano.services.queue_shares import Shares, figures_of, why_none
from dashboard.services.workspace.why_pending import asked


class QueueInResource(serializers.Serializer[Any]):
    """A queue in one resource, in the log's units: milli-CPU, bytes, whole devices or parts of them.

    Null: not limited, or no amount is deserved.
    """

    queue = serializers.CharField(source="name")
    weight = serializers.IntegerField()
    guarantee = serializers.FloatField(allow_null=True)
    capability = serializers.FloatField(allow_null=True)
    deserved = serializers.FloatField(allow_null=True)
    held = serializers.FloatField(allow_null=True)
    share = serializers.FloatField(allow_null=True, help_text="What it holds of what it deserves.")
    jobs_waiting = serializers.IntegerField(source="waiting", help_text="Pod groups without their minimum.")
    asked = serializers.FloatField(source="wants", help_text="By its pending pods.")


class QueuesInResource(serializers.Serializer[Any]):
    """All queues in one resource, those that hold most first."""

    resource = serializers.CharField()
    whole = serializers.FloatField(help_text="What the nodes have of it.")
    lead = serializers.CharField()
    queues = QueueInResource(many=True)


class QueueShares(serializers.Serializer[Any]):
    """All resources, the scarcest first."""

    state = serializers.ChoiceField(choices=["computing", "answered"])
    stage = serializers.CharField(allow_blank=True, help_text="What it waits for meanwhile, as a sentence.")
    why_none = serializers.CharField(allow_blank=True, help_text="Why there are no figures, as a sentence.")
    chosen = serializers.CharField(
        allow_blank=True, help_text="Where the schedulers that were asked are from."
    )
    results = QueuesInResource(many=True)


class SnapshotQueues(ApiView):
    """The queues of a snapshot."""

    serializer_class = QueueShares

    @extend_schema(
        operation_id="snapshot_queues",
        responses={200: QueueShares, 202: QueueShares, **refusals(404, 409)},
    )
    def get(self, request: Any, pk: int) -> Response:
        """Ask the cluster's own Volcano, once for all who ask. 202 while a worker is still asking it."""
        snapshot = imported_snapshot(request.user, pk)
        asking = asked(snapshot, PATIENCE_SECONDS)
        rows = figures_of(asking)
        told = Shares(rows or {}, snapshot)
        body = {
            "state": "computing" if rows is None else "answered",
            "stage": asking.stage if rows is None else "",
            "why_none": "" if rows is None else why_none(asking, rows),
            "chosen": asking.chosen,
            "results": [_in_resource(told, resource) for resource in told.resources],
        }
        return answered(QueueShares(body).data, is_ready=rows is not None)


def _in_resource(told: Shares, resource: str) -> dict[str, Any]:
    return {
        "resource": resource,
        "whole": told.whole.get(resource, 0),
        "lead": " ".join(told.lead(resource)),
        "queues": told.lines(resource),
    }
