"""The cards of one node of a snapshot that Volcano divides."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from api.base import ApiView
from api.describing import refusals
from dashboard.kinds.volcano.queries.node_vgpus import vgpus_of_node
from dashboard.queries import access


class NodeVgpu(serializers.Serializer[Any]):
    """A card as its node registers it with Volcano."""

    id = serializers.CharField()
    model = serializers.CharField()
    memory = serializers.IntegerField(help_text="MiB.")
    used_memory = serializers.IntegerField()
    cores = serializers.IntegerField(help_text="Percent of a card.")
    used_cores = serializers.IntegerField()
    slots = serializers.IntegerField(help_text="Among how many it may be divided.")
    used_slots = serializers.IntegerField()
    pods = serializers.ListField(
        child=serializers.CharField(), help_text="`namespace/name` of those that hold a part of it."
    )
    instances = serializers.ListField(
        child=serializers.CharField(), help_text="Profiles of the instances in use of a card that MIG cuts."
    )


class NodeVgpus(serializers.Serializer[Any]):
    """All of a node."""

    results = NodeVgpu(many=True)


class SnapshotNodeVgpus(ApiView):
    """The cards of one node, as Volcano counts them."""

    serializer_class = NodeVgpus

    @extend_schema(operation_id="snapshot_node_vgpus", responses={200: NodeVgpus, **refusals(404, 409)})
    def get(self, request: Any, pk: int, node: str) -> Response:
        """List the cards that the node registers with Volcano, and what is used of each."""
        found = vgpus_of_node(access.get_snapshot_or_404(request.user, pk), node)
        if found is None:
            raise Http404
        return Response(NodeVgpus({"results": found}).data)
