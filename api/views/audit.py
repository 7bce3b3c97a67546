"""The audit log: page by page as JSON, whole as CSV or lines of JSON."""

from typing import Any

from django.http import StreamingHttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.renderers import JSONRenderer

from api.base import RowsView
from api.describing import refusals, rows_of
from api.filters import AuditFilter, DjangoFilterBackend
from api.renderers import CsvRenderer, JsonLinesRenderer
from api.serializers.audit import AuditRow
from dashboard.queries import access
from dashboard.queries.audit import audit_entries, csv_lines, json_lines


class AuditLog(RowsView):
    """The audit log, for administrators."""

    serializer_class = AuditRow
    filter_backends = [DjangoFilterBackend]
    filterset_class = AuditFilter
    renderer_classes = [JSONRenderer, CsvRenderer, JsonLinesRenderer]
    queryset = audit_entries()

    def list_parameters(self, method: str) -> set[str]:
        """Return paging and filters."""
        return super().list_parameters(method) - {"ordering"}

    @extend_schema(operation_id="audit_list", responses={**rows_of(AuditRow), **refusals(400, 403, 404)})
    def get(self, request: Any) -> Any:
        """List who did what, newest first; with `Accept: text/csv` or `application/x-ndjson` all at once."""
        access.require_admin(request.user)
        form = request.accepted_renderer.format
        if form == "json":
            return self.list(request)
        found = self.filter_queryset(self.get_queryset())
        lines = csv_lines(found) if form == "csv" else json_lines(found)
        return StreamingHttpResponse(
            lines, content_type=f"{request.accepted_renderer.media_type}; charset=utf-8"
        )
