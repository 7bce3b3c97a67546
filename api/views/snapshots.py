"""Snapshots: import, list, look at, delete."""

from http import HTTPStatus
from typing import Any

from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.response import Response

from api.base import ApiView, RowsView
from api.describing import CASCADE, refusals, rows_of
from api.filters import DjangoFilterBackend, SearchFilter, SnapshotFilter
from api.import_slots import TooManyImports, import_slot
from api.ordering import Ordering
from api.parsers import CLUSTER_PARSERS
from api.problems import answer_exception
from api.query import read_boolean
from api.serializers.scenarios import SuggestedSchedulers
from api.serializers.snapshots import (
    Findings,
    FoundConfigurations,
    ImportForm,
    ImportProgress,
    SnapshotDetail,
    SnapshotRow,
)
from api.uploads import read_upload
from api.worker_answers import imported_snapshot
from dashboard.queries import access
from dashboard.queries.configurations import configurations_of
from dashboard.services.workspace import snapshots
from dashboard.services.workspace.suggesting import suggest

NAME = OpenApiParameter(
    "name", str, description="Name of the snapshot, for a body that is the List or archive itself."
)
WITHOUT_FAULTY = OpenApiParameter(
    "without_faulty", bool, description="Leave faulty files and objects out, and say so in `warnings`."
)
ADD_TO = OpenApiParameter(
    "add_to",
    int,
    description="A snapshot, or an import that failed and kept something: its objects and those of the body"
    " become a new snapshot, by a worker (202).",
)


class Snapshots(RowsView):
    """All snapshots; POST imports one."""

    parser_classes = [MultiPartParser, *CLUSTER_PARSERS]
    serializer_class = SnapshotRow
    filter_backends = [DjangoFilterBackend, SearchFilter, Ordering]
    filterset_class = SnapshotFilter
    search_fields = ["name"]
    ordering_fields = {"id": "pk", "name": "name", "created_at": "created_at", "pending": "pending"}
    default_order = ["-created_at", "-pk"]

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """Hold a slot for an import from its sign-in on, since the check for CSRF reads the body already."""
        if request.method != "POST":
            return super().dispatch(request, *args, **kwargs)
        try:
            with import_slot():
                return super().dispatch(request, *args, **kwargs)
        except TooManyImports as refusal:
            return answer_exception(refusal, {})

    def get_queryset(self) -> Any:
        """Return what the user may see."""
        return access.visible_snapshots(self.request.user)

    @extend_schema(operation_id="snapshots_list", responses={**rows_of(SnapshotRow), **refusals(400)})
    def get(self, request: Any) -> Response:
        """List snapshots, newest first."""
        return self.list(request)

    @extend_schema(
        operation_id="snapshots_import",
        parameters=[NAME, WITHOUT_FAULTY, ADD_TO],
        request={
            "multipart/form-data": ImportForm,
            "application/json": OpenApiTypes.OBJECT,
            "application/yaml": OpenApiTypes.STR,
            "application/zip": OpenApiTypes.BINARY,
            "application/gzip": OpenApiTypes.BINARY,
            "application/x-tar": OpenApiTypes.BINARY,
            "application/x-bzip2": OpenApiTypes.BINARY,
            "application/x-xz": OpenApiTypes.BINARY,
            "application/zstd": OpenApiTypes.BINARY,
        },
        responses={
            201: SnapshotDetail,
            202: OpenApiResponse(SnapshotDetail, "A worker reads it; `progress` tells how far it is."),
            **refusals(400, 404, 403, 409, 413, 415),
        },
    )
    def post(self, request: Any) -> Response:
        """Import a List: JSON up to 1 MiB at once (201), everything else, archives too, by a worker (202)."""
        access.require_operator(request.user)
        payloads, name, without_faulty, add_to = read_upload(request)
        if add_to is None and snapshots.is_quick(payloads):
            snapshot = snapshots.import_snapshot(request.user, name, payloads, without_faulty=without_faulty)
            status = HTTPStatus.CREATED
        else:
            base = None if add_to is None else access.get_snapshot_or_404(request.user, add_to)
            snapshot = snapshots.begin_import(
                request.user, name, payloads, without_faulty=without_faulty, add_to=base
            )
            status = HTTPStatus.ACCEPTED
        headers = {"Location": reverse("api:snapshot", args=[snapshot.pk])}
        return Response(SnapshotDetail(snapshot).data, status=status, headers=headers)


class SnapshotView(ApiView):
    """One snapshot."""

    serializer_class = SnapshotDetail

    @extend_schema(operation_id="snapshot_get", responses={200: SnapshotDetail, **refusals(404)})
    def get(self, request: Any, pk: int) -> Response:
        """Return counts by kind, resources, warnings and what was withheld."""
        found = access.get_snapshot_or_404(request.user, pk, even_away=True)
        return Response(SnapshotDetail(found).data)

    @extend_schema(
        operation_id="snapshot_delete",
        parameters=[CASCADE],
        responses={204: None, **refusals(400, 403, 404, 409)},
    )
    def delete(self, request: Any, pk: int) -> Response:
        """Delete it; 409 while scenarios or runs depend on it, unless `cascade=true`."""
        snapshot = access.get_snapshot_or_404(request.user, pk, even_away=True)
        cascade = read_boolean(request.query_params, "cascade")
        access.require_deleter(request.user, snapshot, cascade=cascade)
        snapshots.delete_snapshot(snapshot, cascade=cascade)
        return Response(status=HTTPStatus.NO_CONTENT)


class SnapshotProgress(ApiView):
    """How an import goes."""

    serializer_class = ImportProgress

    @extend_schema(operation_id="snapshot_progress", responses={200: ImportProgress, **refusals(404)})
    def get(self, request: Any, pk: int) -> Response:
        """Return the status, what is being read, and why it failed if it did."""
        found = access.get_snapshot_or_404(request.user, pk, even_away=True)
        return Response(ImportProgress(found).data)


class SnapshotFindings(ApiView):
    """Whom the warnings of an import are about."""

    serializer_class = Findings

    @extend_schema(operation_id="snapshot_findings", responses={200: Findings, **refusals(404)})
    def get(self, request: Any, pk: int) -> Response:
        """Return the warnings that are about objects, each with these."""
        found = access.get_snapshot_or_404(request.user, pk, even_away=True).findings
        return Response(Findings({"results": found}).data)


class SnapshotConfigurations(ApiView):
    """The configurations of schedulers in a snapshot's ConfigMaps."""

    serializer_class = FoundConfigurations

    @extend_schema(
        operation_id="snapshot_configurations", responses={200: FoundConfigurations, **refusals(404, 409)}
    )
    def get(self, request: Any, pk: int) -> Response:
        """Return them; a scenario can be given one as its `config`."""
        found = configurations_of(access.get_snapshot_or_404(request.user, pk))
        return Response(FoundConfigurations({"results": [one._asdict() for one in found]}).data)


class SnapshotSchedulers(ApiView):
    """The schedulers that a new scenario of a snapshot takes."""

    serializer_class = SuggestedSchedulers

    @extend_schema(
        operation_id="snapshot_schedulers", responses={200: SuggestedSchedulers, **refusals(404, 409)}
    )
    def get(self, request: Any, pk: int) -> Response:
        """Return those that the waiting pods name, as a scenario's fields, and where they were taken from."""
        return Response(SuggestedSchedulers(suggest(imported_snapshot(request.user, pk))).data)


class SnapshotCancel(ApiView):
    """Ends an import that is under way."""

    serializer_class = ImportProgress

    @extend_schema(
        operation_id="snapshot_cancel",
        request=None,
        responses={202: ImportProgress, **refusals(403, 404, 409)},
    )
    def post(self, request: Any, pk: int) -> Response:
        """Ask the worker to stop reading; 409 if the import has ended."""
        snapshot = access.get_snapshot_or_404(request.user, pk, even_away=True)
        access.require_operator(request.user)
        snapshots.cancel_import(snapshot)
        return Response(ImportProgress(snapshot).data, status=HTTPStatus.ACCEPTED)


class SnapshotWithoutFaulty(ApiView):
    """Goes on with an import that failed."""

    serializer_class = ImportProgress

    @extend_schema(
        operation_id="snapshot_without_faulty",
        request=None,
        responses={202: ImportProgress, **refusals(403, 404, 409)},
    )
    def post(self, request: Any, pk: int) -> Response:
        """Import what is not faulty, without sending it again; 409 if nothing of it was kept."""
        snapshot = access.get_snapshot_or_404(request.user, pk)
        access.require_operator(request.user)
        snapshots.import_without_faulty(snapshot)
        return Response(ImportProgress(snapshot).data, status=HTTPStatus.ACCEPTED)
