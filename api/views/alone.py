"""Each change between two runs alone: has the runs played that say what it does."""

from http import HTTPStatus
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from api.base import ApiView
from api.describing import refusals
from api.serializers.runs import RunRow
from api.serializers.scenarios import LARGEST_KEY
from api.serializers.strict import StrictSerializer, WholeNumber
from dashboard.queries import access
from dashboard.services.workspace.changes_alone import play_alone


class TwoRuns(StrictSerializer):
    """Two runs."""

    a = WholeNumber(min_value=1, max_value=LARGEST_KEY, help_text="The run that the other is measured by.")
    b = WholeNumber(min_value=1, max_value=LARGEST_KEY, help_text="Another run.")


class RunsAlone(serializers.Serializer[Any]):
    """Runs that have one change alone of those between two runs, in the order of the changes."""

    runs = RunRow(many=True)


class CompareAlone(ApiView):
    """Plays each change between two runs alone."""

    serializer_class = TwoRuns

    @extend_schema(
        operation_id="compare_alone",
        request=TwoRuns,
        responses={202: RunsAlone, **refusals(400, 403, 404, 409, 413, 415)},
    )
    def post(self, request: Any) -> Response:
        """Have a run played for each thing that two runs were asked differently; `compare/answer/` tells.

        409 where these can't be played one by one, or only one differs.
        """
        access.require_operator(request.user)
        body = self.body(TwoRuns)
        a, b = (access.get_run_or_404(request.user, body[name]) for name in ("a", "b"))
        rows = play_alone(a, b)
        return Response({"runs": RunRow([row.run for row in rows], many=True).data}, HTTPStatus.ACCEPTED)
