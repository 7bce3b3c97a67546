"""The hyper nodes of a snapshot over REST: a list, the tree, and what is said of them."""

from __future__ import annotations

from typing import Any

import msgspec
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from api.base import ApiView
from api.describing import reference, refusals
from api.renderers import PRINTED, printed
from api.worker_answers import imported_snapshot
from dashboard.answers.answer import Answer
from dashboard.kinds.volcano.answers.hyper_nodes import answer_of
from dashboard.kinds.volcano.services.hyper_nodes import Branch, hyper_nodes_of
from dashboard.queries.node_map import nodes_of
from dashboard.services.results.saved_answers import file_of_answer


class Room(msgspec.Struct, frozen=True):
    """What is free of a resource, of what there is: milli-CPU, bytes, or whole units."""

    free: int
    of: int


class HyperNodeRow(msgspec.Struct, frozen=True):
    """A hyper node.

    parents: those above it, the next first. below: hyper nodes that are its members. nodes: how many nodes it
    has with those of all below it. missing: members that are no nodes of the snapshot. room: by resource.
    """

    name: str
    tier: int
    tier_name: str
    parents: list[str]
    below: list[str]
    nodes: int
    missing: int
    room: dict[str, Room]


class OfSnapshot(msgspec.Struct, frozen=True):
    """Hyper nodes by tier from below and name, and as a tree.

    ready: false where members contradict each other, so that no job with a network topology is tried.
    """

    answer: Answer
    ready: bool
    hyper_nodes: list[HyperNodeRow]
    tree: list[Branch]


class SnapshotHyperNodes(ApiView):
    """Hyper nodes with what is free in each."""

    renderer_classes = PRINTED

    @extend_schema(
        operation_id="snapshot_hyper_nodes",
        responses={(200, "application/json"): reference("HyperNodesOfSnapshot"), **refusals(404, 409)},
    )
    def get(self, request: Any, pk: int) -> Response:
        """Return all hyper nodes of a snapshot."""
        snapshot = imported_snapshot(request.user, pk)
        told = hyper_nodes_of(snapshot, nodes_of(snapshot))
        answer = answer_of(told)
        body: Any = printed(answer, request, lambda: file_of_answer("Hyper nodes", snapshot, answer))
        if body is None:
            rows = [
                HyperNodeRow(
                    line.name,
                    line.tier,
                    line.tier_name,
                    line.parents,
                    line.below,
                    line.nodes,
                    line.missing,
                    {name: Room(line.free.get(name, 0), whole) for name, whole in sorted(line.whole.items())},
                )
                for line in told.lines
            ]
            body = msgspec.to_builtins(OfSnapshot(answer, told.ready, rows, told.tree()))
        return Response(body)
