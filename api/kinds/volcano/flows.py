"""The job flows of a snapshot over REST: how far each has come, and what is said of them."""

from __future__ import annotations

from typing import Any

import msgspec
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.response import Response

from api.base import ApiView
from api.describing import reference, refusals
from api.renderers import PRINTED, printed
from api.worker_answers import imported_snapshot
from dashboard.answers.answer import Answer
from dashboard.kinds.volcano.answers.flows import answer_of
from dashboard.kinds.volcano.services.flows import Flow, flows_of
from dashboard.services.results.saved_answers import file_of_answer
from scheduler_core.objects.problems import BadInput, Problem


class OfSnapshot(msgspec.Struct, frozen=True):
    """Job flows by namespace and name, and the answer about them."""

    answer: Answer
    flows: list[Flow]


class SnapshotFlows(ApiView):
    """Volcano's job flows, each with its parts."""

    renderer_classes = PRINTED

    @extend_schema(
        operation_id="snapshot_flows",
        parameters=[OpenApiParameter("flow", str, description="One flow, as `namespace/name`.")],
        responses={(200, "application/json"): reference("FlowsOfSnapshot"), **refusals(400, 404, 409)},
    )
    def get(self, request: Any, pk: int) -> Response:
        """Return all job flows of a snapshot, or one."""
        snapshot = imported_snapshot(request.user, pk)
        key = request.query_params.get("flow", "")
        flows = flows_of(snapshot, key)
        if key and not flows:
            raise BadInput([Problem("flow", key, "the snapshot has no such job flow")])
        answer = answer_of(flows)
        body: Any = printed(answer, request, lambda: file_of_answer("Job flows", snapshot, answer))
        if body is None:
            body = msgspec.to_builtins(OfSnapshot(answer, flows))
        return Response(body)
