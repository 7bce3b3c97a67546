"""A snapshot under other names, to be given away: written by a worker, then read as a file."""

from http import HTTPStatus
from typing import Any, Literal

import msgspec
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from api.base import ApiView
from api.describing import KUBERNETES_LIST, json_answer, reference, refusals
from api.files import file_response
from api.serializers.snapshots import AnonymisingKey
from api.worker_answers import PATIENCE_SECONDS, answered
from dashboard.errors import NotPossibleNow
from dashboard.models import Snapshot
from dashboard.queries import access
from dashboard.services.workspace.anonymising import end_file, file_of, order_file


class OfNames(msgspec.Struct, frozen=True):
    """How far a file is. file: its name, under which it is asked for again.

    stage: what it waits for, often empty. done, of: objects are read once and changed once; `of` is 0 where
    that isn't known yet.
    """

    state: Literal["computing"]
    file: str
    stage: str
    done: int
    of: int


_METADATA = {
    "type": "object",
    "properties": {"annotations": {"type": "object", "additionalProperties": {"type": "string"}}},
}
_LIST = {**KUBERNETES_LIST, "properties": {**KUBERNETES_LIST["properties"], "metadata": _METADATA}}
_ANSWERS = {**json_answer(_LIST), (202, "application/json"): reference("AnonymisedOfNames")}


def _told(snapshot: Snapshot, name: str) -> Any:
    told = file_of(snapshot, name, PATIENCE_SECONDS)
    if told is None:
        raise Http404
    if told.answer is not None:
        file_name = f"snapshot-{snapshot.pk}-anonymised.json"
        return file_response(told.answer.file(), "application/json", file_name)
    if told.is_ready:
        raise NotPossibleNow(told.fault or "Somebody has ended it: there is no file.")
    how_far = OfNames("computing", name, told.stage, told.done, told.of)
    return answered(msgspec.to_builtins(how_far), is_ready=False)


class SnapshotAnonymised(ApiView):
    """Has it written."""

    serializer_class = AnonymisingKey

    @extend_schema(
        operation_id="snapshot_anonymised",
        request=AnonymisingKey,
        responses={**_ANSWERS, **refusals(400, 404, 409, 413, 415)},
    )
    def post(self, request: Any, pk: int) -> Any:
        """Return the List as a file; an annotation of it says what was left out. 202 while it is written."""
        snapshot = access.get_snapshot_or_404(request.user, pk)
        return _told(snapshot, order_file(snapshot, self.body(AnonymisingKey)["key"]))


class SnapshotAnonymisedFile(ApiView):
    """A file that was asked for."""

    @extend_schema(operation_id="snapshot_anonymised_file", responses={**_ANSWERS, **refusals(404, 409)})
    def get(self, request: Any, pk: int, file: str) -> Any:
        """Return the List as a file, or how far it is. 409 where it was ended; 404 once it isn't kept."""
        return _told(access.get_snapshot_or_404(request.user, pk), file)

    @extend_schema(operation_id="snapshot_anonymised_end", responses={204: None, **refusals(403, 404, 409)})
    def delete(self, request: Any, pk: int, file: str) -> Response:
        """Let it be; what is written stays."""
        access.require_operator(request.user)
        end_file(access.get_snapshot_or_404(request.user, pk), file)
        return Response(status=HTTPStatus.NO_CONTENT)
