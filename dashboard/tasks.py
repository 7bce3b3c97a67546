"""The Celery tasks: each takes a row's number and leaves everything else to a service.

The lease in the row decides whether there is anything to do, so a message that comes twice does no harm, and
one that is lost is sent again by the reaper.
"""

from dashboard.celery import app
from dashboard.services.background import asking, execution, importing, reaping


@app.task(name="dashboard.execute_run")
def execute_run(run_id: int) -> None:
    """Play a run until it ends or pauses, and let the next one of a sweep come."""
    execution.execute_run(run_id)
    reaping.send_next()


@app.task(name="dashboard.import_uploads")
def import_uploads(snapshot_id: int) -> None:
    """Read the files of an import and store the snapshot."""
    importing.import_uploads(snapshot_id)


@app.task(name="dashboard.answer_question")
def answer_question(question_id: int) -> None:
    """Ask a cluster's schedulers why its pods wait, and store what they answer."""
    asking.answer_question(question_id)
