"""What the pods of a run ask of HAMi's cards."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from api.base import ApiView
from api.describing import refusals
from dashboard.kinds.hami.queries.card_shapes import card_shapes_of
from dashboard.queries import access


class CardShape(serializers.Serializer[Any]):
    """So many cards of a vendor, and how much of each."""

    vendor = serializers.CharField()
    number = serializers.IntegerField()
    memory = serializers.IntegerField(help_text="MiB of each card; 0 where `percentage` counts.")
    percentage = serializers.IntegerField()
    cores = serializers.IntegerField()
    pods = serializers.ListField(child=serializers.CharField(), help_text="uids of those that ask for it.")


class CardShapes(serializers.Serializer[Any]):
    """All of a run."""

    results = CardShape(many=True)


class RunCardShapes(ApiView):
    """What the pods of a run ask of HAMi's cards."""

    serializer_class = CardShapes

    @extend_schema(operation_id="run_card_shapes", responses={200: CardShapes, **refusals(404, 409)})
    def get(self, request: Any, pk: int) -> Response:
        """List the shapes, each with its pods, also with those that come in the run; none without HAMi."""
        run = access.get_run_or_404(request.user, pk)
        return Response(CardShapes({"results": card_shapes_of(run)}).data)
