"""The cards of one node of a snapshot."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from api.base import ApiView
from api.describing import refusals
from dashboard.kinds.hami.queries.node_cards import cards_of_node
from dashboard.queries import access


class NodeCard(serializers.Serializer[Any]):
    """A card as its node registers it with HAMi."""

    vendor = serializers.CharField(source="card.vendor")
    id = serializers.CharField(source="card.id")
    index = serializers.IntegerField(source="card.index")
    model = serializers.CharField(source="card.model")
    memory = serializers.IntegerField(source="card.memory", help_text="MiB.")
    cores = serializers.IntegerField(source="card.cores", help_text="Percent of a card.")
    slots = serializers.IntegerField(source="card.slots", help_text="How many containers may share it.")
    healthy = serializers.BooleanField(source="card.healthy")
    pods = serializers.ListField(
        child=serializers.CharField(), help_text="`namespace/name` of those that hold it or a part of it."
    )


class NodeCards(serializers.Serializer[Any]):
    """All of a node."""

    results = NodeCard(many=True)


class SnapshotNodeCards(ApiView):
    """The cards of one node."""

    serializer_class = NodeCards

    @extend_schema(operation_id="snapshot_node_cards", responses={200: NodeCards, **refusals(404, 409)})
    def get(self, request: Any, pk: int, node: str) -> Response:
        """List the cards that the node registers with HAMi, and the pods that hold each."""
        found = cards_of_node(access.get_snapshot_or_404(request.user, pk), node)
        if found is None:
            raise Http404
        return Response(NodeCards({"results": found}).data)
