"""The answer of a run, from what is stored of it and of the run without its edits.

It follows from their figures, which are summed up once: nothing of it is stored.
"""

from typing import Literal

from dashboard.answers.answer import Answer
from dashboard.answers.asked import Asked
from dashboard.answers.of_run import answer_of_run
from dashboard.models import Run
from dashboard.services.results.run_sums import settled_sums

Missing = Literal["", "run", "baseline", "decisions"]
"""What an answer waits for: the run's own end, that of the run without the edits, or any decision at all."""


def what_is_missing(run: Run) -> Missing:
    """Return what there must be before the run has an answer; empty if it has one."""
    if not run.has_ended:
        return "run"
    if run.base is None:
        return "decisions"
    return "baseline" if run.baseline is not None and not run.baseline.has_ended else ""


def answer_of(run: Run) -> Answer | None:
    """Return the answer of a run that has ended; None if it never began.

    While the run without the edits is being played the answer says what there is, and subtracts nothing.
    """
    sums = settled_sums(run)
    if sums is None or not run.has_ended:
        return None
    without = run.baseline if run.baseline is not None and run.baseline.status == "finished" else None
    against = None if without is None else settled_sums(without)
    return answer_of_run(
        Asked(
            run=run.pk,
            snapshot=run.snapshot_id,
            status=run.status,
            attempt_limit=run.attempt_limit,
            edits=run.edits,
            results=run.edit_results,
            trust=run.trust,
            figures=sums.outcome,
            against=None if against is None else against.outcome,
            against_run=None if against is None or without is None else without.pk,
        )
    )
