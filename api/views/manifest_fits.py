"""What would make the pods of a manifest fit that is about to be applied."""

from http import HTTPStatus
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from api.base import ApiView
from api.describing import refusals
from api.renderers import MarkdownRenderer, TextRenderer
from api.serializers.preflight import FittingBody
from api.views.what_if import WouldFit, responses_of, told_of
from api.worker_answers import require_imported
from dashboard.models import Snapshot
from dashboard.queries import access
from dashboard.services.questions.of_snapshot import SnapshotQuestion
from dashboard.services.workspace.preflighting import read_preflight

_REFUSED = refusals(400, 403, 404, 409, 413, 415)


def _asked(request: Any, pk: int, body: dict[str, Any]) -> tuple[Snapshot, SnapshotQuestion]:
    snapshot = access.get_snapshot_or_404(request.user, pk)
    access.require_operator(request.user)
    require_imported(snapshot)
    manifest = read_preflight(
        snapshot, body["manifest"], namespace=body["namespace"], profile=body["profile"]
    )
    return snapshot, manifest.fitting(body["workload"])


class ManifestWouldFit(ApiView):
    """Tries what would make a workload of a manifest fit."""

    serializer_class = FittingBody
    renderer_classes = [JSONRenderer, MarkdownRenderer, TextRenderer]

    @extend_schema(
        operation_id="manifest_would_fit",
        request=FittingBody,
        responses={**responses_of("WouldFit"), **_REFUSED},
    )
    def post(self, request: Any, pk: int) -> Response:
        """Ask once for all who ask; nothing is applied. 202 while a worker is still trying changes."""
        body = self.body(FittingBody)
        snapshot, asked = _asked(request, pk, body)
        return told_of(request, snapshot, asked, WouldFit, again=body["again"])


class EndManifestWouldFit(ApiView):
    """Ends what is being tried."""

    serializer_class = FittingBody

    @extend_schema(
        operation_id="manifest_would_fit_end", request=FittingBody, responses={204: None, **_REFUSED}
    )
    def post(self, request: Any, pk: int) -> Response:
        """End what was asked with the same body."""
        snapshot, asked = _asked(request, pk, self.body(FittingBody))
        asked.end(snapshot)
        return Response(status=HTTPStatus.NO_CONTENT)
