"""The Celery tasks: each takes a row's number and leaves everything else to a service.

The lease in the row decides whether there is anything to do, so a message that comes twice does no harm, and
one that is lost is sent again by the reaper.
"""

from typing import Any

from dashboard import tracing
from dashboard.celery import app
from dashboard.services.background import execution, importing, putting_away, question_worker, reaping


@app.task(name="dashboard.execute_run", bind=True)
def execute_run(self: Any, run_id: int) -> None:
    """Play a run until it ends or pauses, and let the next one of a sweep come."""
    with tracing.span("execute run", "consumer", self.request, run=run_id):
        execution.execute_run(run_id)
    reaping.send_next()


@app.task(name="dashboard.import_uploads", bind=True)
def import_uploads(self: Any, snapshot_id: int) -> None:
    """Read the files of an import and store the snapshot; put away what a new reading makes old."""
    with tracing.span("import", "consumer", self.request, snapshot=snapshot_id):
        importing.import_uploads(snapshot_id)
        putting_away.put_away_before(snapshot_id)


@app.task(name="dashboard.answer_question", bind=True)
def answer_question(self: Any, question_id: int) -> None:
    """Ask a cluster's schedulers why its pods wait, and store what they answer."""
    with tracing.span("answer question", "consumer", self.request, question=question_id):
        question_worker.answer_question(question_id)
