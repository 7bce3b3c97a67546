"""The audit log over REST."""

from typing import Any

from rest_framework import serializers

from dashboard.models import AuditEntry
from dashboard.queries.audit import COLUMNS


class AuditRow(serializers.ModelSerializer[AuditEntry]):
    """Who did what to which thing, when, and from where."""

    details = serializers.SerializerMethodField()

    class Meta:
        model = AuditEntry
        fields = list(COLUMNS)

    def get_details(self, entry: AuditEntry) -> dict[str, Any]:
        """Return what else is known."""
        return dict(entry.details)
