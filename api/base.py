"""What all REST views share: who may come in, what they speak, and how they refuse.

Nothing here depends on DRF's project-wide settings, so that a page's settings cannot change an answer.
"""

from collections.abc import Callable
from typing import Any

from django.utils.decorators import method_decorator
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import conditional_page
from drf_spectacular.openapi import AutoSchema
from rest_framework.authentication import SessionAuthentication
from rest_framework.generics import GenericAPIView
from rest_framework.permissions import IsAuthenticated
from rest_framework.renderers import JSONRenderer

from api.known_parameters import check_parameters
from api.negotiation import HeaderNegotiation
from api.packed_bodies import check_encoding, unpack_body
from api.paging import KeysetPagination
from api.parsers import JsonBody
from api.problems import answer_exception
from dashboard.accounts.authentication import TokenAuthentication


@method_decorator([gzip_page, conditional_page], name="dispatch")
class ApiView(GenericAPIView):
    """Base of every view: session (with CSRF) or bearer token, JSON in and out, problems as refusals.

    Answers are packed for whoever takes that, and those to GET have an ETag for If-None-Match.
    """

    authentication_classes = [TokenAuthentication, SessionAuthentication]
    permission_classes = [IsAuthenticated]
    parser_classes = [JsonBody]
    renderer_classes = [JSONRenderer]
    content_negotiation_class = HeaderNegotiation
    pagination_class = None
    filter_backends: list[type] = []
    schema: AutoSchema | None = AutoSchema()

    def initialize_request(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """Return DRF's request, whose body is read unpacked."""
        unpack_body(request)
        return super().initialize_request(request, *args, **kwargs)

    def initial(self, request: Any, *args: Any, **kwargs: Any) -> None:
        """Let in who may come in with a query that is understood. Raises ValidationError among others."""
        super().initial(request, *args, **kwargs)
        check_encoding(request)
        check_parameters(self, request)

    def list_parameters(self, method: str) -> set[str]:
        """Return the query parameters that the address has as a list."""
        return set()

    def get_exception_handler(self) -> Callable[..., Any]:
        """Return the handler that answers with problems."""
        return answer_exception

    def body(self, serializer_class: type) -> dict[str, Any]:
        """Return the request's checked body. Raises ValidationError."""
        serializer = serializer_class(data=self.request.data, context=self.get_serializer_context())
        serializer.is_valid(raise_exception=True)
        return dict(serializer.validated_data)


class RowsView(ApiView):
    """A list with search, filters, sorting and pages."""

    pagination_class: Any = KeysetPagination
    filterset_class: Any
    ordering_fields: dict[str, str] = {}
    default_order: list[str] = ["pk"]

    def list_parameters(self, method: str) -> set[str]:
        """Return paging, sorting, search and filters."""
        if method not in ("GET", "HEAD"):
            return set()
        search = {"search"} if getattr(self, "search_fields", None) else set()
        return {"limit", "cursor", "ordering", *search, *self.filterset_class.base_filters}

    def list(self, request: Any) -> Any:
        """Return the page that the query asks for."""
        page = self.paginate_queryset(self.filter_queryset(self.get_queryset()))
        return self.get_paginated_response(self.get_serializer(page, many=True).data)
