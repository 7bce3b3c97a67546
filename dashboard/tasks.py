"""The Celery tasks: each takes a row's number and leaves everything else to a service.

They acknowledge late and are sent again when their process is lost; the lease in the row decides whether
there is anything to do, so a message that comes twice does no harm.
"""

from celery import shared_task

from dashboard.services import execution, importing


@shared_task(name="dashboard.execute_run", ignore_result=True, acks_late=True, reject_on_worker_lost=True)
def execute_run(run_id: int) -> None:
    """Play a run until it ends or pauses."""
    execution.execute_run(run_id)


@shared_task(name="dashboard.import_uploads", ignore_result=True, acks_late=True, reject_on_worker_lost=True)
def import_uploads(snapshot_id: int) -> None:
    """Read the files of an import and store the snapshot."""
    importing.import_uploads(snapshot_id)
