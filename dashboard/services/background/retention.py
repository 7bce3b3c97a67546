"""Retention: runs that ended long ago and are not pinned are deleted; off unless RETENTION_DAYS is set."""

from datetime import timedelta

from django.conf import settings
from django.db.models.functions import Now

from dashboard.models import Run
from dashboard.services.workspace.runs import delete_runs


def prune_runs() -> int:
    """Delete what is older than the setting allows; return how many runs that were."""
    if not settings.RETENTION_DAYS:
        return 0
    old = Run.objects.filter(pinned=False, finished_at__lt=Now() - timedelta(days=settings.RETENTION_DAYS))
    numbers = list(old.values_list("pk", flat=True))
    delete_runs(Run.objects.filter(pk__in=numbers))
    return len(numbers)
