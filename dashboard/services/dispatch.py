"""Sending work to the workers. The row is the truth, the message only says where to look.

A message that cannot be sent is no error: the row stays queued, and the reaper sends it again.
"""

import logging

from django.db.models.functions import Now
from kombu.exceptions import OperationalError

from dashboard.celery import app
from dashboard.models import Run, Snapshot

logger = logging.getLogger(__name__)


def send_run(run_id: int) -> None:
    """Ask any worker to play the run."""
    if _send("dashboard.execute_run", run_id):
        Run.objects.filter(pk=run_id).update(dispatched_at=Now())


def send_import(snapshot_id: int) -> None:
    """Ask any worker to read the snapshot's uploads."""
    if _send("dashboard.import_uploads", snapshot_id):
        Snapshot.objects.filter(pk=snapshot_id).update(dispatched_at=Now())


def _send(task: str, pk: int) -> bool:
    try:
        app.send_task(task, [pk], retry=False)
    except (OperationalError, OSError) as error:
        logger.warning("The broker did not take %s(%s): %s", task, pk, error)
        return False
    return True
