"""The answer of a run, from what is stored of it and of the run without its edits.

It follows from their figures, which are summed up once: nothing of it is stored.
"""

from typing import Literal

from dashboard.answers.answer import Answer
from dashboard.answers.asked import Asked
from dashboard.answers.of_run import answer_of_run
from dashboard.answers.others import held_against
from dashboard.models import Run
from dashboard.services.results.run_sums import settled_sums
from dashboard.shapes.outcome import Figures

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
    without, against = _without_edits(run)
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
            against=against,
            against_run=without,
        )
    )


def because_of_edits(run: Run, figures: Figures) -> int | None:
    """Return how many pods are pending that aren't without the edits; None where that isn't known."""
    against = _without_edits(run)[1]
    return None if against is None else held_against(figures, against)[0]


def _without_edits(run: Run) -> tuple[int | None, Figures | None]:
    """Return the run without the edits that was played to its end, and its figures."""
    if run.baseline is None or run.baseline.status != Run.Status.FINISHED:
        return None, None
    sums = settled_sums(run.baseline)
    return (None, None) if sums is None else (run.baseline.pk, sums.outcome)
