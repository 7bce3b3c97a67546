"""How an upgrade of nodes would go."""

from http import HTTPStatus
from typing import Any, Literal

import msgspec
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from api.base import ApiView
from api.describing import reference, refusals
from api.renderers import PRINTED, printed
from api.serializers.rehearsal import RehearsalBody
from api.worker_answers import PATIENCE_SECONDS, answered, imported_snapshot
from dashboard.answers import answer as answers_of
from dashboard.answers.rehearsed import answer_of
from dashboard.answers.runbook import runbook
from dashboard.queries import access
from dashboard.services.results.saved_answers import file_of_answer
from dashboard.services.workspace.rehearsing import end_rehearsal, rehearsed
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.world.rehearsal.rehearsed import Rehearsal


class OfPlan(msgspec.Struct, frozen=True):
    """How an upgrade would go. `state` is computing until it is played, and what would change it, too.

    stage: what it waits for meanwhile, often empty. done, of: how many runs of how many were played. ended:
    somebody has ended it; fault: why there is no answer, else empty. answer: the rehearsal as sentences.
    runbook: the same as Markdown for whoever does it.
    """

    state: Literal["computing", "answered"]
    stage: str
    done: int
    of: int
    ended: bool
    fault: str
    answer: answers_of.Answer | None
    rehearsal: Rehearsal | None
    runbook: str


def _asked(body: dict[str, Any]) -> tuple[dict[str, Any], float, bool]:
    plan = {name: value for name, value in body.items() if value is not None or name == "back"}
    again = plan.pop("again", False)
    return plan, plan.pop("ready_seconds"), again


class SnapshotRehearsal(ApiView):
    """Rehearses an upgrade of a cluster's nodes."""

    renderer_classes = PRINTED
    serializer_class = RehearsalBody

    @extend_schema(
        operation_id="snapshot_rehearsal",
        request=RehearsalBody,
        responses={
            (200, "application/json"): reference("RehearsalOfPlan"),
            (202, "application/json"): reference("RehearsalOfPlan"),
            **refusals(400, 404, 409, 413, 415),
        },
    )
    def post(self, request: Any, pk: int) -> Response:
        """Play it, once for all who ask the same. 202 while a worker is still at it: ask again."""
        snapshot = imported_snapshot(request.user, pk)
        plan, ready, again = _asked(self.body(RehearsalBody))
        told = rehearsed(snapshot, plan, ready, PATIENCE_SECONDS, again=again)
        if told.problems:
            raise BadInput([Problem("rehearsal", one["field"], one["message"]) for one in told.problems])
        found = told.answer
        said = None if found is None else answer_of(found, snapshot.pk)
        body: Any = None
        if said is not None:
            answer = said
            body = printed(answer, request, lambda: file_of_answer("A rehearsal", snapshot, answer))
        if body is None:
            book = "" if found is None else runbook(found, snapshot.name, snapshot.content_hash)
            body = msgspec.to_builtins(
                OfPlan(
                    "answered" if told.is_ready else "computing",
                    told.stage, told.done, told.of, told.ended, told.fault, said, found, book,
                )
            )  # fmt: skip
        return answered(body, is_ready=told.is_ready)


class EndRehearsal(ApiView):
    """Ends a rehearsal that is being played."""

    serializer_class = RehearsalBody

    @extend_schema(
        operation_id="snapshot_rehearsal_end",
        request=RehearsalBody,
        responses={204: None, **refusals(400, 403, 404, 409, 413, 415)},
    )
    def post(self, request: Any, pk: int) -> Response:
        """End what was asked with the same body."""
        access.require_operator(request.user)
        plan, ready, _ = _asked(self.body(RehearsalBody))
        end_rehearsal(imported_snapshot(request.user, pk), plan, ready)
        return Response(status=HTTPStatus.NO_CONTENT)
