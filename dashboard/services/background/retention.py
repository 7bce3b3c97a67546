"""Retention: what nobody needs any more is deleted.

Runs that ended long ago and are not pinned go if RETENTION_DAYS is set; runs without edits go as soon as no
run is held against them. The audit log's entries go after SANDTABLE_AUDIT_DAYS.
"""

from datetime import timedelta

from django.conf import settings
from django.db.models.functions import Now

from dashboard.models import AuditEntry, Run
from dashboard.models.runs import NOT_BASELINE
from dashboard.services.workspace.baselines import unused_baselines
from dashboard.services.workspace.runs import delete_runs


def prune_runs() -> int:
    """Delete what is older than the setting allows, and what nothing is held against; return how many."""
    forget_old_entries()
    old = _of_long_ago() if settings.RETENTION_DAYS else []
    return _delete(old) + _delete(list(unused_baselines().values_list("pk", flat=True)))


def forget_old_entries() -> None:
    """Remove what the audit log need not keep any longer."""
    if settings.AUDIT_DAYS:
        limit = Now() - timedelta(days=settings.AUDIT_DAYS)
        old = AuditEntry.objects.filter(at__lt=limit)
        old._raw_delete(old.db)  # past what keeps everybody else from deleting


def _of_long_ago() -> list[int]:
    limit = Now() - timedelta(days=settings.RETENTION_DAYS)
    old = Run.objects.filter(NOT_BASELINE, pinned=False, finished_at__lt=limit)
    return list(old.values_list("pk", flat=True))


def _delete(numbers: list[int]) -> int:
    if numbers:
        delete_runs(Run.objects.filter(pk__in=numbers))
    return len(numbers)
