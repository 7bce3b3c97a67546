"""Runs: start, list, read, slow down, cancel, pause, resume, delete."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, ClassVar

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from api.base import ApiView, RowsView
from api.describing import CASCADE, json_answer, reference, refusals, rows_of
from api.filters import DjangoFilterBackend, RunFilter
from api.ordering import Ordering
from api.query import read_boolean
from api.serializers.runs import RunBody, RunChange, RunDetail, RunRow
from dashboard.errors import NotYet
from dashboard.models import Run
from dashboard.queries import access
from dashboard.services.results.listed_runs import without_outcomes
from dashboard.services.results.run_sums import settled_sums
from dashboard.services.workspace import runs


class Runs(RowsView):
    """All runs; POST starts one."""

    serializer_class = RunRow
    filter_backends = [DjangoFilterBackend, Ordering]
    filterset_class = RunFilter
    ordering_fields = {"id": "pk", "created_at": "created_at", "status": "status", "decisions": "decisions"}
    default_order = ["-created_at", "-pk"]

    def get_queryset(self) -> Any:
        """Return what the user may see."""
        return without_outcomes(access.visible_runs(self.request.user))

    @extend_schema(operation_id="runs_list", responses={**rows_of(RunRow), **refusals(400)})
    def get(self, request: Any) -> Response:
        """List runs, newest first."""
        return self.list(request)

    @extend_schema(
        operation_id="runs_start",
        request=RunBody,
        responses={202: RunDetail, **refusals(400, 403, 404, 409, 413, 415)},
    )
    def post(self, request: Any) -> Response:
        """Start a run of a scenario as it stands now; a worker plays it."""
        access.require_operator(request.user)
        body = self.body(RunBody)
        run = runs.start_run(request.user, body["scenario"], rate=body["rate"], schedule=body["schedule"])
        headers = {"Location": reverse("api:run", args=[run.pk])}
        return Response(RunDetail(run).data, status=HTTPStatus.ACCEPTED, headers=headers)


class RunView(ApiView):
    """One run."""

    serializer_class = RunDetail

    @extend_schema(operation_id="run_get", responses={200: RunDetail, **refusals(404)})
    def get(self, request: Any, pk: int) -> Response:
        """Return the run: status, how far it is, and its outcome once it has ended."""
        return Response(RunDetail(access.get_run_or_404(request.user, pk)).data)

    @extend_schema(
        operation_id="run_change",
        request=RunChange,
        responses={200: RunDetail, **refusals(400, 403, 404, 409, 413, 415)},
    )
    def patch(self, request: Any, pk: int) -> Response:
        """Set how fast the run goes (null: as fast as possible), or pin it against pruning."""
        run = access.get_run_or_404(request.user, pk)
        access.require_operator(request.user)
        change = self.body(RunChange)
        if "rate" in change:
            runs.set_rate(run, change["rate"])
        if "pinned" in change:
            runs.pin_run(run, change["pinned"])
        return Response(RunDetail(run).data)

    @extend_schema(
        operation_id="run_delete",
        parameters=[CASCADE],
        responses={204: None, **refusals(400, 403, 404, 409)},
    )
    def delete(self, request: Any, pk: int) -> Response:
        """Delete the run and its log; 409 while it has not ended, unless `cascade=true`, which ends it."""
        run = access.get_run_or_404(request.user, pk)
        access.require_deleter(request.user, run)
        runs.delete_run(run, cascade=read_boolean(request.query_params, "cascade"))
        return Response(status=HTTPStatus.NO_CONTENT)


class RunOverTime(ApiView):
    """A run over time."""

    @extend_schema(
        operation_id="run_over_time",
        responses={**json_answer(reference("OverTimeAnswer")), **refusals(404, 409)},
    )
    def get(self, request: Any, pk: int) -> Response:
        """Return queue lengths, what is requested of the nodes by pool, and waits, over the run's axis."""
        sums = settled_sums(access.get_run_or_404(request.user, pk))
        if sums is None:
            raise NotYet(f"Run {pk} has no decisions to sum up.")
        return Response(sums.over_time)


class _RunRequest(ApiView):
    """Asks the worker for something; the answer shows the run as it is now, without its edits."""

    serializer_class = RunRow
    ask: ClassVar[Callable[[Run], Run]]

    def answer(self, request: Any, pk: int) -> Response:
        """Pass the request on. Raises NotPossibleNow if the run's status does not allow it."""
        run = access.get_run_or_404(request.user, pk)
        access.require_operator(request.user)
        return Response(RunRow(type(self).ask(run)).data, status=HTTPStatus.ACCEPTED)


_ANSWERS = {202: RunRow, **refusals(403, 404, 409)}


class RunCancel(_RunRequest):
    """Ends a run early."""

    ask = runs.request_cancel

    @extend_schema(operation_id="run_cancel", request=None, responses=_ANSWERS)
    def post(self, request: Any, pk: int) -> Response:
        """End the run after the decision that its worker is at; 409 if it has ended."""
        return self.answer(request, pk)


class RunPause(_RunRequest):
    """Holds a run."""

    ask = runs.request_pause

    @extend_schema(operation_id="run_pause", request=None, responses=_ANSWERS)
    def post(self, request: Any, pk: int) -> Response:
        """Hold the run after the decision that its worker is at; 409 unless it is queued or running."""
        return self.answer(request, pk)


class RunResume(_RunRequest):
    """Lets a run go on."""

    ask = runs.request_resume

    @extend_schema(operation_id="run_resume", request=None, responses=_ANSWERS)
    def post(self, request: Any, pk: int) -> Response:
        """Let a paused run go on; 409 unless it is paused."""
        return self.answer(request, pk)
