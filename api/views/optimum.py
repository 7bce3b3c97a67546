"""How far a run's end is from the optimum."""

from http import HTTPStatus
from typing import Any, Literal

import msgspec
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from api.base import ApiView
from api.describing import reference, refusals
from api.query import read_boolean
from api.renderers import MarkdownRenderer, TextRenderer, printed
from api.worker_answers import PATIENCE_SECONDS, answered
from dashboard.answers import answer as answers_of
from dashboard.answers.optimum import answer_of
from dashboard.queries import access
from dashboard.services.results.optimum import end_optimum, optimum_of
from dashboard.shapes.problems import ProblemDocument
from scheduler_core.world.optimum.results import Optimum


class OfRun(msgspec.Struct, frozen=True):
    """How many more pods could have had a node. `state` is computing until the solver has answered.

    stage: what it waits for meanwhile, often empty. problems: why this run can't be held against a solver;
    fault: why there is no answer, else empty. ended: somebody has ended it. answer: the same as sentences.
    """

    state: Literal["computing", "answered"]
    stage: str
    fault: str
    ended: bool
    problems: list[ProblemDocument] | None
    answer: answers_of.Answer | None
    optimum: Optimum | None


class RunOptimum(ApiView):
    """Holds a run's end against an exact solver."""

    renderer_classes = [JSONRenderer, MarkdownRenderer, TextRenderer]

    @extend_schema(
        operation_id="run_optimum",
        parameters=[
            OpenApiParameter("again", bool, description="Ask anew what was ended or came to nothing.")
        ],
        responses={
            (200, "application/json"): reference("OptimumOfRun"),
            (200, "text/markdown"): str,
            (200, "text/plain"): str,
            (202, "application/json"): reference("OptimumOfRun"),
            **refusals(404, 409),
        },
    )
    def get(self, request: Any, pk: int) -> Response:
        """Ask once for all who ask. 202 while a worker is at it; 409 until the run has finished."""
        run = access.get_run_or_404(request.user, pk)
        told = optimum_of(run, PATIENCE_SECONDS, again=read_boolean(request.query_params, "again"))
        said = None if told.answer is None else answer_of(told.answer)
        body: Any = None if said is None else printed(said, request, str)
        if body is None:
            state: Literal["computing", "answered"] = "answered" if told.is_ready else "computing"
            body = msgspec.to_builtins(
                OfRun(state, told.stage, told.fault, told.ended, told.problems, said, told.answer)
            )
        return answered(body, is_ready=told.is_ready)

    @extend_schema(operation_id="run_optimum_end", responses={204: None, **refusals(403, 404, 409)})
    def delete(self, request: Any, pk: int) -> Response:
        """End the solver's work. 409 until the run has finished."""
        access.require_operator(request.user)
        end_optimum(access.get_run_or_404(request.user, pk))
        return Response(status=HTTPStatus.NO_CONTENT)
