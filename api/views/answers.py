"""Answers in sentences: as JSON, as Markdown or as text."""

from typing import Any

import msgspec
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.renderers import BaseRenderer, JSONRenderer

from api.base import ApiView
from api.describing import json_answer, reference, refusals
from dashboard.answers.answer import Answer
from dashboard.answers.printers.markdown import markdown
from dashboard.answers.printers.text import text
from dashboard.errors import NotYet
from dashboard.queries import access
from dashboard.services.results.answering import answer_of, what_is_missing

_NOT_YET = {
    "run": "Run {pk} has not ended.",
    "baseline": "The run without your edits is being played: run {pk} is held against it.",
    "decisions": "Run {pk} ended before its first decision.",
}


class _Words(BaseRenderer):
    """What the view has printed already."""

    charset = "utf-8"

    def render(self, data: Any, accepted_media_type: Any = None, renderer_context: Any = None) -> Any:
        """Return the text as it is."""
        return data


class MarkdownRenderer(_Words):
    """Markdown, for tickets and merge requests."""

    media_type = "text/markdown"
    format = "markdown"


class TextRenderer(_Words):
    """Plain text, for terminals."""

    media_type = "text/plain"
    format = "text"


class RunAnswer(ApiView):
    """What came of what a run was asked."""

    renderer_classes = [JSONRenderer, MarkdownRenderer, TextRenderer]

    @extend_schema(
        operation_id="run_answer",
        responses={
            **json_answer(reference("AnswerAnswer")),
            (200, "text/markdown"): str,
            (200, "text/plain"): str,
            **refusals(404, 409),
        },
    )
    def get(self, request: Any, pk: int) -> HttpResponse:
        """Return the answer by Accept; 409 until the run, and the one without its edits, have ended."""
        run = access.get_run_or_404(request.user, pk)
        if missing := what_is_missing(run):
            raise NotYet(_NOT_YET[missing].format(pk=pk))
        answer = answer_of(run)
        if answer is None:
            raise NotYet(_NOT_YET["decisions"].format(pk=pk))
        kind = request.accepted_renderer.media_type
        body = _printed(answer, kind, request.build_absolute_uri("/"))
        charset = "" if kind == JSONRenderer.media_type else "; charset=utf-8"
        return HttpResponse(body, content_type=f"{kind}{charset}")


def _printed(answer: Answer, media_type: str, site: str) -> bytes:
    match media_type:
        case MarkdownRenderer.media_type:
            return markdown(answer, site).encode()
        case TextRenderer.media_type:
            return text(answer).encode()
    return msgspec.json.encode(answer)
