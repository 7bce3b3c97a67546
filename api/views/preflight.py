"""What would come of applying a manifest to a snapshot's cluster."""

from typing import Any, Literal

import msgspec
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.response import Response

from api.base import ApiView
from api.describing import reference, refusals
from api.renderers import PRINTED, printed
from api.serializers.preflight import PreflightBody
from api.worker_answers import PATIENCE_SECONDS, answered, require_imported
from dashboard.answers.preflight import Preflight
from dashboard.errors import NotPossibleNow
from dashboard.queries import access
from dashboard.services.results.saved_answers import file_of_answer
from dashboard.services.workspace.preflighting import asked_preflight
from scheduler_core.objects.problems import BadInput, Problem


class OfManifest(msgspec.Struct, frozen=True):
    """A preflight. `state` is computing until a worker has answered; `stage` says what it waits for.

    found: null until then.
    """

    state: Literal["computing", "answered"]
    stage: str
    found: Preflight | None


_TEXT = OpenApiResponse(OpenApiTypes.STR, "The same as sentences.")


class SnapshotPreflight(ApiView):
    """Tries a manifest."""

    serializer_class = PreflightBody
    renderer_classes = PRINTED

    @extend_schema(
        operation_id="snapshot_preflight",
        request=PreflightBody,
        responses={
            (200, "application/json"): reference("PreflightOfManifest"),
            (200, "text/markdown"): _TEXT,
            (200, "text/plain"): _TEXT,
            (200, "text/html"): _TEXT,
            (202, "application/json"): reference("PreflightOfManifest"),
            **refusals(400, 403, 404, 409, 413, 415),
        },
    )
    def post(self, request: Any, pk: int) -> Response:
        """Say whether its pods fit, and at whose cost; nothing is applied. 202 while a worker tries it."""
        snapshot = access.get_snapshot_or_404(request.user, pk)
        access.require_operator(request.user)
        require_imported(snapshot)
        body = self.body(PreflightBody)
        told = asked_preflight(
            snapshot, body["manifest"], PATIENCE_SECONDS, namespace=body["namespace"], profile=body["profile"]
        )
        if told.problems:
            raise BadInput([msgspec.convert(one, Problem) for one in told.problems])
        if told.is_ready and told.answer is None:
            raise NotPossibleNow(told.fault or "It was ended before it was answered: ask again.")
        ready = told.answer is not None
        said: Any = None
        if told.answer is not None:
            answer = told.answer.answer
            said = printed(answer, request, lambda: file_of_answer("A preflight", snapshot, answer))
        if said is None:
            state: Literal["computing", "answered"] = "answered" if ready else "computing"
            said = msgspec.to_builtins(OfManifest(state, told.stage, told.answer))
        return answered(said, is_ready=ready)
