"""Scenarios that play what happened: a snapshot's own history, and traces of SimKube."""

from http import HTTPStatus
from typing import IO, Any

from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.parsers import BaseParser
from rest_framework.response import Response

from api.base import ApiView
from api.describing import refusals
from api.query import read_text
from dashboard.queries import access
from dashboard.services.workspace.replaying import Played, play_history, play_simkube


class TraceBody(BaseParser):
    """A body in MessagePack, unread."""

    media_type = "application/msgpack"

    def parse(self, stream: IO[bytes], media_type: Any = None, parser_context: Any = None) -> bytes:
        """Return its bytes."""
        return stream.read()


class PlayedScenario(serializers.Serializer[Any]):
    """The new scenario, of which snapshot it is, and what is not in it."""

    scenario = serializers.IntegerField()
    snapshot = serializers.IntegerField()
    left_out = serializers.ListField(child=serializers.CharField(), help_text="Sentences.")


class SnapshotHistory(ApiView):
    """A snapshot's own history."""

    serializer_class = PlayedScenario

    @extend_schema(
        operation_id="snapshot_history",
        request=None,
        responses={201: PlayedScenario, **refusals(400, 403, 404, 409)},
    )
    def post(self, request: Any, pk: int) -> Response:
        """Make a scenario in which each pod comes when it was created, of a new snapshot without them."""
        snapshot = access.get_snapshot_or_404(request.user, pk)
        access.require_operator(request.user)
        return _made(play_history(request.user, snapshot))


class SnapshotSimKube(ApiView):
    """A trace of SimKube on a snapshot."""

    serializer_class = PlayedScenario
    parser_classes = [TraceBody]

    @extend_schema(
        operation_id="snapshot_simkube",
        parameters=[OpenApiParameter("name", str, description="The scenario's name.")],
        request={"application/msgpack": OpenApiTypes.BINARY},
        responses={201: PlayedScenario, **refusals(400, 403, 404, 409, 413, 415)},
    )
    def post(self, request: Any, pk: int) -> Response:
        """Make a scenario in which the trace's objects come, change and go at their instants."""
        snapshot = access.get_snapshot_or_404(request.user, pk)
        access.require_operator(request.user)
        data = request.data if isinstance(request.data, bytes) else b""
        name = read_text(request.query_params, "name") or ""
        return _made(play_simkube(request.user, snapshot, data, name))


def _made(played: Played) -> Response:
    scenario = played.scenario
    body = {"scenario": scenario.pk, "snapshot": scenario.snapshot_id, "left_out": played.left_out}
    headers = {"Location": reverse("api:scenario", args=[scenario.pk])}
    return Response(body, status=HTTPStatus.CREATED, headers=headers)
