"""Finding whatever is here by its name, and what terms mean."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response

from api.base import ApiView
from api.describing import refusals
from api.query import read_integer, read_text
from api.serializers.finding import FoundAnswer, TermList
from dashboard.queries import access
from dashboard.queries.glossary import terms
from dashboard.queries.searching import search_fault, words_in
from dashboard.services.workspace.finding import cluster_at_hand, find

LARGEST_NUMBER = 2**63 - 1


class Find(ApiView):
    """Whatever is here."""

    serializer_class = FoundAnswer

    @extend_schema(
        operation_id="find",
        parameters=[
            OpenApiParameter("q", str, description="Words of names; without them what was used last."),
            OpenApiParameter(
                "snapshot", int, description="The cluster to search first; the newest by default."
            ),
        ],
        responses={200: FoundAnswer, **refusals(404)},
    )
    def get(self, request: Any) -> Response:
        """Find pages, clusters, scenarios, runs, terms, and what is in clusters, by words of names."""
        access.require_viewer(request.user)
        text = (read_text(request.query_params, "q") or "").strip()
        fault = search_fault(text, len(words_in(text)))
        if fault:
            raise ValidationError({"q": fault})
        number = read_integer(request.query_params, "snapshot", None, 1, LARGEST_NUMBER)
        answer = find(request.user, text, cluster_at_hand(request.user, number))
        return Response(FoundAnswer(answer).data)


class Glossary(ApiView):
    """The terms that pages use."""

    serializer_class = TermList

    @extend_schema(operation_id="glossary", responses={200: TermList, **refusals()})
    def get(self, request: Any) -> Response:
        """List all terms with what they mean."""
        return Response(TermList({"results": terms(), "next": None}).data)
