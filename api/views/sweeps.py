"""Sweeps: a scenario under many settings, and what came of them."""

from http import HTTPStatus
from typing import Any, Literal

import msgspec
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from api.base import ApiView
from api.describing import json_answer, reference, refusals
from api.renderers import CsvRenderer, MarkdownRenderer, TextRenderer, printed
from api.serializers.sweeps import SweepBody
from dashboard.answers import answer as answers_of
from dashboard.answers.swept import answer_of_sweep
from dashboard.answers.swept_file import runs_file
from dashboard.models import Sweep
from dashboard.queries import access
from dashboard.services.results.sweeps import swept
from dashboard.services.workspace.sweeps import playing
from dashboard.services.workspace.sweeps.choices import choices_of
from dashboard.shapes.swept import Dimension, Point, PointFigures, State, Swept, value_names

LISTED = 100


class OfPoint(msgspec.Struct, frozen=True):
    """A point: the name of its value in each dimension, its run, and what that came to.

    is_today: it has the scenario's own settings. framed: no other setting is as good in all respects and
    better in one. run: null where its settings can't be together, or somebody has deleted it. why: what kept
    it from being played, as a sentence. figures: null until it is played to its end.
    """

    values: list[str]
    is_today: bool
    framed: bool
    run: int | None
    state: State
    why: str
    figures: PointFigures | None


class OfSweep(msgspec.Struct, frozen=True):
    """A sweep: how far it is, its points in the order of the grid, and all of it in sentences.

    better: how many settings are ranked above today's; null where these are not ranked.
    """

    id: int
    scenario: int
    state: Literal["playing", "ended"]
    done: int
    of: int
    better: int | None
    dimensions: list[Dimension]
    points: list[OfPoint]
    answer: answers_of.Answer


class InList(msgspec.Struct, frozen=True):
    """A sweep of a scenario."""

    id: int
    titles: list[str]
    address: str


class OfScenario(msgspec.Struct, frozen=True):
    """What of a scenario can vary, and the sweeps over it, the newest first.

    choices: dimensions with the values to choose from; without any, whatever values are given. `title` and
    `today` need not be sent.
    """

    choices: list[Dimension]
    sweeps: list[InList]


def _document(found: Swept) -> OfSweep:
    points = [
        _point(found, one, framed=place in found.framed)
        for place, setting in enumerate(found.settings)
        for one in setting.points
    ]
    state: Literal["playing", "ended"] = "playing" if found.goes_on else "ended"
    return OfSweep(
        found.pk,
        found.scenario,
        state,
        found.done,
        len(points),
        found.better,
        list(found.dimensions),
        points,
        answer_of_sweep(found),
    )


def _point(found: Swept, point: Point, *, framed: bool) -> OfPoint:
    names = value_names(found.dimensions, point)
    return OfPoint(names, point.is_today, framed, point.run, point.state, point.why, point.figures)


def _body(sweep: Sweep) -> Any:
    return msgspec.to_builtins(_document(swept(sweep)))


class ScenarioSweeps(ApiView):
    """Sweeps over a scenario."""

    serializer_class = SweepBody

    @extend_schema(
        operation_id="scenario_sweeps",
        responses={**json_answer(reference("SweptOfScenario")), **refusals(404)},
    )
    def get(self, request: Any, pk: int) -> Response:
        """Return what can vary, and the newest sweeps."""
        scenario = access.get_scenario_or_404(request.user, pk)
        rows = [
            InList(one.pk, [dimension["title"] for dimension in one.dimensions], _address(one))
            for one in scenario.sweeps.order_by("-pk")[:LISTED]
        ]
        choices = [one.dimension for one in choices_of(scenario)]
        return Response(msgspec.to_builtins(OfScenario(choices, rows)))

    @extend_schema(
        operation_id="scenario_sweep",
        request=SweepBody,
        responses={
            (202, "application/json"): reference("SweptOfSweep"),
            **refusals(400, 403, 404, 409, 413, 415),
        },
    )
    def post(self, request: Any, pk: int) -> Response:
        """Have every combination of values played as a run; `Location` tells how far it is."""
        scenario = access.get_scenario_or_404(request.user, pk)
        access.require_operator(request.user)
        sweep = playing.start_sweep(request.user, scenario, self.body(SweepBody)["dimensions"])
        return Response(_body(sweep), HTTPStatus.ACCEPTED, headers={"Location": _address(sweep)})


def _address(sweep: Sweep) -> str:
    return reverse("api:sweep", args=[sweep.pk])


class SweepView(ApiView):
    """One sweep."""

    renderer_classes = [JSONRenderer, MarkdownRenderer, TextRenderer, CsvRenderer]

    @extend_schema(
        operation_id="sweep",
        responses={
            **json_answer(reference("SweptOfSweep")),
            (200, "text/markdown"): str,
            (200, "text/plain"): str,
            (200, "text/csv"): str,
            **refusals(404),
        },
    )
    def get(self, request: Any, pk: int) -> Response:
        """Return how far it is and what its points came to; as CSV a line for each."""
        found = swept(access.get_sweep_or_404(request.user, pk))
        if request.accepted_renderer.format == CsvRenderer.format:
            return Response(runs_file(found))
        words = printed(answer_of_sweep(found), request, str)
        return Response(msgspec.to_builtins(_document(found)) if words is None else words)

    @extend_schema(operation_id="sweep_delete", responses={204: None, **refusals(403, 404)})
    def delete(self, request: Any, pk: int) -> Response:
        """Delete it, cancelling what has not been played; its runs go with it."""
        sweep = access.get_sweep_or_404(request.user, pk)
        access.require_deleter(request.user, sweep)
        playing.delete_sweep(sweep)
        return Response(status=HTTPStatus.NO_CONTENT)


class _Acted(ApiView):
    serializer_class = SweepBody

    def acted(self, request: Any, pk: int, act: Any) -> Response:
        """Do something with a sweep and return it."""
        sweep = access.get_sweep_or_404(request.user, pk)
        access.require_operator(request.user)
        act(sweep)
        return Response(_body(sweep))


_ACTED = {**json_answer(reference("SweptOfSweep")), **refusals(403, 404, 413, 415)}


class SweepCancel(_Acted):
    """Cancels a sweep."""

    @extend_schema(operation_id="sweep_cancel", request=None, responses=_ACTED)
    def post(self, request: Any, pk: int) -> Response:
        """Cancel what has not been played; what was stays."""
        return self.acted(request, pk, playing.cancel_sweep)


class SweepPlay(_Acted):
    """Plays what is missing of a sweep."""

    @extend_schema(operation_id="sweep_play", request=None, responses=_ACTED)
    def post(self, request: Any, pk: int) -> Response:
        """Play the points that were cancelled, that failed, or whose runs were deleted."""
        return self.acted(request, pk, playing.play_again)
