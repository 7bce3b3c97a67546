"""What programs read about us: the OpenAPI document and the JSON Schemas of events and explanations."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework.response import Response

from api.base import ApiView
from api.describing import refusals
from api.openapi import SETTINGS
from scheduler_core.events import decisions, explanation


class OpenApiDocument(ApiView, SpectacularAPIView):
    """The OpenAPI 3 document of this interface, as YAML or (by the Accept header) JSON."""

    renderer_classes = SpectacularAPIView.renderer_classes
    custom_settings = SETTINGS

    @extend_schema(exclude=True)
    def get(self, request: Any, *args: Any, **kwargs: Any) -> Response:
        """Return the document."""
        return super().get(request, *args, **kwargs)


class EventSchema(ApiView):
    """The schema of the log's events."""

    @extend_schema(
        operation_id="event_schema",
        responses={(200, "application/json"): OpenApiTypes.OBJECT, **refusals()},
    )
    def get(self, request: Any) -> Response:
        """Return the JSON Schema (2020-12) of a decision, a run's state with its rows, and the trust line."""
        return Response(decisions.json_schema())


class ExplanationSchema(ApiView):
    """The schema of what a replay adds to the log."""

    @extend_schema(
        operation_id="explanation_schema",
        responses={(200, "application/json"): OpenApiTypes.OBJECT, **refusals()},
    )
    def get(self, request: Any) -> Response:
        """Return the JSON Schema (2020-12) of an attempt in full, of its visited nodes and of one node."""
        return Response(explanation.json_schema())
