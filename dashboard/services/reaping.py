"""The reaper: brings back work whose worker is gone or whose message was lost.

Call `reap` when the program starts and every few seconds; any number of processes may do so at once.
"""

import logging
from datetime import timedelta

from django.db.models import Q
from django.db.models.functions import Now

from dashboard.models import Run, Snapshot
from dashboard.services import bell
from dashboard.services.dispatch import send_import, send_run
from dashboard.services.leases import free_or_expired, is_dead
from dashboard.services.retention import prune_runs

logger = logging.getLogger(__name__)

RESEND_SECONDS = 120


def reap(*, at_start: bool = False) -> int:
    """Send abandoned runs and imports to the workers again, and prune old runs; return how many were sent.

    at_start: also send what is merely queued, since the broker may have come up empty.
    """
    prune_runs()
    return _reap_runs(at_start) + _reap_imports(at_start)


def _reap_runs(at_start: bool) -> int:
    _release_abandoned_runs()
    queued = Run.objects.filter(status="queued", owner="")
    waiting = queued if at_start else queued.filter(_due_again())
    numbers = list(waiting.values_list("pk", flat=True))
    for pk in numbers:
        send_run(pk)
    return len(numbers)


def _release_abandoned_runs() -> None:
    expired = set(Run.objects.filter(free_or_expired(), status="running").values_list("pk", flat=True))
    for run in Run.objects.filter(status="running").only("owner", "attempt", "want"):
        if run.pk not in expired and not is_dead(run.owner):
            continue
        row = Run.objects.filter(pk=run.pk, status="running", owner=run.owner, attempt=run.attempt)
        free = {"owner": "", "heartbeat_at": None, "dispatched_at": None}
        row.filter(want="cancel").update(status="cancelled", want="", finished_at=Now(), **free)
        row.filter(want="pause").update(status="paused", want="", **free)
        row.update(status="queued", **free)
        logger.warning("Run %s lost its worker %s", run.pk, run.owner)
        bell.ring(run.pk)


def _reap_imports(at_start: bool) -> int:
    importing = Snapshot.objects.filter(status="importing")
    for snapshot in importing.exclude(owner="").only("owner"):
        if is_dead(snapshot.owner):
            importing.filter(pk=snapshot.pk, owner=snapshot.owner).update(
                owner="", heartbeat_at=None, dispatched_at=None
            )
    idle = importing.filter(free_or_expired())
    waiting = idle if at_start else idle.filter(_due_again() | ~Q(owner=""))
    numbers = list(waiting.values_list("pk", flat=True))
    for pk in numbers:
        importing.filter(pk=pk).filter(free_or_expired()).update(owner="", heartbeat_at=None)
        send_import(pk)
    return len(numbers)


def _due_again() -> Q:
    """Return the condition that no message is known to be under way."""
    return Q(dispatched_at__isnull=True) | Q(dispatched_at__lt=Now() - timedelta(seconds=RESEND_SECONDS))
