"""Which nodes could be given back."""

from http import HTTPStatus
from typing import Any, Literal

import msgspec
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from api.base import ApiView
from api.describing import reference, refusals
from api.renderers import PRINTED, printed
from api.serializers.consolidation import ConsolidationBody
from api.worker_answers import PATIENCE_SECONDS, answered, imported_snapshot
from dashboard.answers import answer as answers_of
from dashboard.answers.consolidated import answer_of
from dashboard.queries import access
from dashboard.services.results.saved_answers import file_of_answer
from dashboard.services.workspace.consolidating import (
    ConsolidationQuestion,
    asked_for,
    consolidated,
    end_consolidation,
)
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.world.consolidation.results import Consolidation


class OfNodes(msgspec.Struct, frozen=True):
    """Which nodes could be given back. `state` is computing until they are tried.

    stage: what it waits for meanwhile, often empty. done, of: how many nodes of how many were tried. ended:
    somebody has ended it; fault: why there is no answer, else empty. answer: the consolidation as sentences.
    """

    state: Literal["computing", "answered"]
    stage: str
    done: int
    of: int
    ended: bool
    fault: str
    answer: answers_of.Answer | None
    consolidation: Consolidation | None


def _asked(body: dict[str, Any]) -> ConsolidationQuestion:
    plan = {name: body[name] for name in ("nodes", "selector", "group") if body[name] is not None}
    if body["prices"] and body["price_lines"]:
        raise BadInput([Problem("prices", "price_lines", "give prices or price_lines, not both")])
    return asked_for(
        plan or None,
        body["prices"] or body["price_lines"],
        local_storage=body["local_storage"],
        seconds=body["seconds"],
    )


class SnapshotConsolidation(ApiView):
    """Tries which of a cluster's nodes could be given back."""

    renderer_classes = PRINTED
    serializer_class = ConsolidationBody

    @extend_schema(
        operation_id="snapshot_consolidation",
        request=ConsolidationBody,
        responses={
            (200, "application/json"): reference("ConsolidationOfNodes"),
            (202, "application/json"): reference("ConsolidationOfNodes"),
            **refusals(400, 404, 409, 413, 415),
        },
    )
    def post(self, request: Any, pk: int) -> Response:
        """Try them, once for all who ask the same. 202 while a worker is still at it: ask again."""
        snapshot = imported_snapshot(request.user, pk)
        given = self.body(ConsolidationBody)
        told = consolidated(snapshot, _asked(given), PATIENCE_SECONDS, again=given["again"])
        if told.problems:
            raise BadInput([Problem("nodes", one["field"], one["message"]) for one in told.problems])
        found = told.answer
        said = None if found is None else answer_of(found, snapshot.pk)
        body: Any = None
        if said is not None:
            answer = said
            body = printed(answer, request, lambda: file_of_answer("Nodes to give back", snapshot, answer))
        if body is None:
            state: Literal["computing", "answered"] = "answered" if told.is_ready else "computing"
            body = msgspec.to_builtins(
                OfNodes(state, told.stage, told.done, told.of, told.ended, told.fault, said, found)
            )
        return answered(body, is_ready=told.is_ready)


class EndConsolidation(ApiView):
    """Ends a consolidation that is being tried."""

    serializer_class = ConsolidationBody

    @extend_schema(
        operation_id="snapshot_consolidation_end",
        request=ConsolidationBody,
        responses={204: None, **refusals(400, 403, 404, 409, 413, 415)},
    )
    def post(self, request: Any, pk: int) -> Response:
        """End what was asked with the same body."""
        access.require_operator(request.user)
        end_consolidation(imported_snapshot(request.user, pk), _asked(self.body(ConsolidationBody)))
        return Response(status=HTTPStatus.NO_CONTENT)
