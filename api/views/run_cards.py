"""The cards of a run that are shared, over the run."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from api.base import ApiView
from api.describing import json_answer, reference, refusals
from dashboard.errors import NoCards, NotYet
from dashboard.kinds.cards import definition, policies_of
from dashboard.queries import access
from dashboard.queries.published import published_beside
from dashboard.services.results.run_sums import settled_sums
from dashboard.shapes.over_time import CardsAnswer


class RunCards(ApiView):
    """The cards of a run in which they are shared."""

    @extend_schema(
        operation_id="run_cards",
        responses={**json_answer(reference("OverTimeCardsAnswer")), **refusals(404, 409)},
    )
    def get(self, request: Any, pk: int) -> Response:
        """Return what is given out of the cards and what is lost while pods arrive; 404 without."""
        run = access.get_run_or_404(request.user, pk)
        sums = settled_sums(run)
        if sums is None:
            raise NotYet(f"Run {pk} has no decisions to sum up.")
        cards = sums.over_time.get("cards")
        if cards is None:
            raise NoCards(f"Run {pk} has no cards that a scheduler of it shares.")
        answer: CardsAnswer = {
            "policies": policies_of(run),
            "definition": definition(),
            **cards,
            "published": published_beside(run.snapshot_id),
        }
        return Response(answer)
