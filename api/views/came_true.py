"""What came of a run's prediction, by a later snapshot of its cluster."""

from typing import Any, Literal

import msgspec
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.renderers import JSONRenderer

from api.base import ApiView
from api.describing import json_answer, reference, refusals
from api.query import read_integer
from api.renderers import MarkdownRenderer, TextRenderer, printed
from api.serializers.scenarios import LARGEST_KEY
from dashboard.answers import answer as answers_of
from dashboard.models import Snapshot
from dashboard.queries import access
from dashboard.queries.came_true import CameTrue
from dashboard.services.results.came_true import answer_about, came_true


class OfRun(msgspec.Struct, frozen=True):
    """What came of a run's prediction. held: in figures. answer: the same as sentences."""

    verdict: Literal["came true", "differs", "can’t be told"]
    held: CameTrue
    answer: answers_of.Answer


class RunCameTrue(ApiView):
    """Holds a run's prediction against a later snapshot."""

    renderer_classes = [JSONRenderer, MarkdownRenderer, TextRenderer]

    @extend_schema(
        operation_id="run_came_true",
        parameters=[
            OpenApiParameter(
                "snapshot",
                int,
                description="The later snapshot. Else the first reading of the connected cluster in which "
                "all edits are seen, or the last one that was looked at.",
            )
        ],
        responses={
            **json_answer(reference("CameTrueOfRun")),
            (200, "text/markdown"): str,
            (200, "text/plain"): str,
            **refusals(400, 404, 409),
        },
    )
    def get(self, request: Any, pk: int) -> HttpResponse:
        """Return what came of it by Accept; 409 until the run has finished and there is a later reading."""
        run = access.get_run_or_404(request.user, pk)
        found = came_true(request.user, run, _chosen(request))
        answer = answer_about(run, found)
        words = printed(answer, request, str)
        if words is None:
            body = msgspec.json.encode(OfRun(found.verdict, found, answer))
            return HttpResponse(body, content_type=JSONRenderer.media_type)
        media_type = f"{request.accepted_renderer.media_type}; charset=utf-8"
        return HttpResponse(words.encode(), content_type=media_type)


def _chosen(request: Any) -> Snapshot | None:
    number = read_integer(request.query_params, "snapshot", None, 1, LARGEST_KEY)
    return None if number is None else access.get_snapshot_or_404(request.user, number)
