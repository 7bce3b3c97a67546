"""Volcano's admission webhooks, as an API server calls them.

They are no part of the REST interface: what goes in and out is Kubernetes' own AdmissionReview, so that the
OpenAPI document leaves them out. An answer is 200 whether the object is let in or not; anything else says
that there is no answer, and the API server does what its failurePolicy says.
"""

from typing import IO, Any, ClassVar

from rest_framework.response import Response

from api.base import ApiView
from api.parsers import JsonBody, read_bounded
from dashboard.accounts.authentication import TokenAuthentication
from dashboard.json_body import decode_body
from dashboard.kinds.volcano.queries.webhook_lookups import surroundings_of
from scheduler_core.volcano.admission.review import answer_review
from scheduler_core.volcano.admission.webhooks import PODS, Resource, Verb

REVIEW_BYTES = 3 * 1024 * 1024
"""Longest body: an API server sends no longer one."""


class ReviewBody(JsonBody):
    """The JSON of an AdmissionReview."""

    def parse(self, stream: IO[bytes], media_type: Any = None, parser_context: Any = None) -> Any:
        """Return the decoded value. Raises BadInput and TooLarge."""
        return decode_body(read_bounded(stream, REVIEW_BYTES))


class VolcanoWebhook(ApiView):
    """One webhook over one snapshot; only a token signs in, never a browser's session."""

    authentication_classes = [TokenAuthentication]
    parser_classes = [ReviewBody]
    http_method_names = ["post"]
    schema = None
    resource: ClassVar[Resource] = PODS
    verb: ClassVar[Verb] = "validate"

    def post(self, request: Any, pk: int) -> Response:
        """Answer an AdmissionReview with another."""
        around = surroundings_of(request.user, pk)
        return Response(answer_review(request.data, self.resource, self.verb, around))
