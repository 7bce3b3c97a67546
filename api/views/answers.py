"""Answers in sentences: as JSON, as Markdown or as text."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema

from api.base import ApiView
from api.describing import json_answer, reference, refusals
from api.renderers import PRINTED, answered
from dashboard.queries import access
from dashboard.services.results.run_answers import answer_now
from dashboard.services.results.saved_answers import file_of_run


class RunAnswer(ApiView):
    """What came of what a run was asked."""

    renderer_classes = PRINTED

    @extend_schema(
        operation_id="run_answer",
        responses={
            **json_answer(reference("AnswerAnswer")),
            (200, "text/markdown"): str,
            (200, "text/plain"): str,
            (200, "text/html"): str,
            **refusals(404, 409),
        },
    )
    def get(self, request: Any, pk: int) -> HttpResponse:
        """Return the answer by Accept; 409 until the run, and the one without its edits, have ended."""
        run = access.get_run_or_404(request.user, pk)
        answer = answer_now(run)
        return answered(answer, request, lambda: file_of_run(run, answer))
