"""What becomes of work whose worker was lost: it waits again, or ends as its readers had asked.

Work that has cost LOSS_LIMIT workers in a row, with nothing stored in between, would go on costing workers
(too large for the memory, say), and ends with a sentence.
"""

import logging

from django.db.models import F, QuerySet
from django.db.models.functions import Now

from dashboard.errors import problem_documents
from dashboard.models import Question, Run, Snapshot, Upload
from dashboard.services.background import bell
from dashboard.services.background.leases import FREE, lost
from dashboard.services.imports.stored_rows import remove_rows
from dashboard.services.workspace.put_away import leave_away
from scheduler_core.objects.problems import Problem

logger = logging.getLogger(__name__)

LOSS_LIMIT = 5
UNFINISHED = (Snapshot.Status.IMPORTING, Snapshot.Status.RETURNING)
"""What an import is to make ready."""


def release_runs(runs: QuerySet[Run]) -> None:
    """Take back the runs whose workers are gone."""
    for run in lost(runs.filter(status="running").only("owner", "attempt")):
        row = Run.objects.filter(pk=run.pk, status="running", owner=run.owner, attempt=run.attempt)
        row.filter(want="cancel").update(status="cancelled", want="", finished_at=Now(), **FREE)
        row.filter(want="pause").update(status="paused", want="", **FREE)
        row.filter(losses__gte=LOSS_LIMIT - 1).update(
            status="failed",
            want="",
            error=_sentence("run"),
            finished_at=Now(),
            losses=F("losses") + 1,
            **FREE,
        )
        row.update(status="queued", losses=F("losses") + 1, **FREE)
        logger.warning("Run %s lost its worker %s", run.pk, run.owner)
        bell.ring(run.pk)


def release_imports(snapshots: QuerySet[Snapshot]) -> None:
    """Take back the imports whose workers are gone, and readings whose rows somebody was removing."""
    for snapshot in lost(snapshots.filter(status__in=(*UNFINISHED, Snapshot.Status.AWAY)).only("owner")):
        row = Snapshot.objects.filter(pk=snapshot.pk, owner=snapshot.owner)
        too_often = row.filter(losses__gte=LOSS_LIMIT - 1)
        problems = problem_documents([Problem("", "", _sentence("import"))])
        ended = too_often.filter(status=Snapshot.Status.IMPORTING).update(
            status=Snapshot.Status.FAILED, problems=problems, progress={}, losses=F("losses") + 1, **FREE
        )
        if ended:
            Upload.objects.filter(snapshot_id=snapshot.pk).delete()
            remove_rows(snapshot.pk)
        if too_often.exists():
            leave_away(snapshot.pk, problems=problems)
        row.filter(status__in=UNFINISHED).update(losses=F("losses") + 1, **FREE)
        row.update(**FREE)
        logger.warning("Import %s lost its worker %s", snapshot.pk, snapshot.owner)


def release_questions(questions: QuerySet[Question]) -> None:
    """Take back the questions whose workers are gone."""
    for question in lost(questions.filter(status=Question.Status.ASKED).only("owner")):
        row = Question.objects.filter(pk=question.pk, owner=question.owner)
        row.filter(losses__gte=LOSS_LIMIT - 1).update(
            status=Question.Status.ANSWERED,
            untried=_sentence("question"),
            losses=F("losses") + 1,
            **FREE,
        )
        keep_no_secret(Question.objects.filter(pk=question.pk))
        row.update(losses=F("losses") + 1, **FREE)
        logger.warning("Question %s lost its worker %s", question.pk, question.owner)


def keep_no_secret(questions: QuerySet[Question]) -> None:
    """Forget from what other names were to be drawn, where that has come to nothing."""
    over = questions.filter(kind=Question.OTHER_NAMES, status=Question.Status.ANSWERED, answer=None)
    over.update(asked={})


def _sentence(work: str) -> str:
    return (
        f"The {work} was given up after {LOSS_LIMIT} workers in a row ended while they were at it, most "
        "likely because it needs more memory than there is; the worker's log says how they ended."
    )
