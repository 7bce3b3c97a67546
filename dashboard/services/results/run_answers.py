"""The answer of a run, from what is stored of it and of the run without its edits.

It follows from their figures. It is made once, when somebody first asks after the run has ended, and again
where its form has changed or the run without the edits has ended since.
"""

from typing import Literal

import msgspec

from dashboard.answers.answer import Answer
from dashboard.answers.ended_run import EndedRun
from dashboard.answers.of_run import answer_of_run
from dashboard.answers.others import held_against, short_because
from dashboard.database_faults import is_passing
from dashboard.errors import NotYet
from dashboard.hasty_transactions import hasty_transaction
from dashboard.models import Run
from dashboard.models.packing import pack, unpack
from dashboard.services.results.run_sums import settled_sums
from dashboard.shapes.outcome import BelowReplicas, Figures

FORM = 5
"""Of answers: whoever changes what they say raises it, so that those of before are made anew."""
LOCK_SECONDS = 0.5
Missing = Literal["", "run", "baseline", "decisions"]
"""What an answer waits for: the run's own end, that of the run without the edits, or any decision at all."""

_NOT_YET: dict[Missing, str] = {
    "run": "Run {pk} has not ended.",
    "baseline": "The run without your edits is being played: run {pk} is held against it.",
    "decisions": "Run {pk} ended before its first decision.",
}


def answer_now(run: Run) -> Answer:
    """Return the answer of a run. Raises NotYet, which says why there is none."""
    missing = what_is_missing(run)
    answer = None if missing else answer_of(run)
    if answer is None:
        raise NotYet(_NOT_YET[missing or "decisions"].format(pk=run.pk))
    return answer


def what_is_missing(run: Run) -> Missing:
    """Return what there must be before the run has an answer; empty if it has one."""
    if not run.has_ended:
        return "run"
    if run.base is None:
        return "decisions"
    return "baseline" if waits_for_baseline(run) else ""


def waits_for_baseline(run: Run) -> bool:
    """Return whether the run without the edits, which is subtracted from this one, is being played."""
    return run.baseline is not None and is_subtracted_from(run) and not run.baseline.has_ended


def is_subtracted_from(run: Run) -> bool:
    """Return whether the end of another run is subtracted: not from what came to no end of its own."""
    return run.status == Run.Status.FINISHED


def answer_of(run: Run) -> Answer | None:
    """Return the answer of a run that has ended; None if it never began.

    While the run without the edits is being played the answer says what there is, and subtracts nothing.
    """
    if not run.has_ended:
        return None
    finished = Run.objects.filter(status=Run.Status.FINISHED)
    is_held = run.baseline_id is not None and finished.filter(pk=run.baseline_id).exists()
    if run.answer is not None and run.answered_by == _answered_by(run, is_held=is_held):
        return msgspec.json.decode(unpack(run.answer), type=Answer)
    answer = _made(run)
    if answer is not None:
        # The run without the edits may have ended since it was read: what was read has made the answer.
        was_held = run.baseline is not None and is_subtracted_from(run.baseline)
        _keep(run, answer, _answered_by(run, is_held=was_held))
    return answer


def _answered_by(run: Run, *, is_held: bool) -> str:
    """Return what stands for the form of answers, and for the run that one is held against, if it is."""
    return f"{FORM}/{run.status}/{run.baseline_id if is_held else ''}"


def _keep(run: Run, answer: Answer, by: str) -> None:
    """Store an answer; where the database takes nothing, it is made again when somebody asks."""
    run.answer, run.answered_by = pack(msgspec.json.encode(answer)), by
    try:
        with hasty_transaction(LOCK_SECONDS):
            Run.objects.filter(pk=run.pk, status=run.status).update(answer=run.answer, answered_by=by)
    except Exception as error:
        if not is_passing(error):
            raise


def _made(run: Run) -> Answer | None:
    sums = settled_sums(run)
    if sums is None:
        return None
    without, against = without_edits(run)
    return answer_of_run(
        EndedRun(
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
            profile=run.profile,
        )
    )


def because_of_edits(run: Run, figures: Figures) -> int | None:
    """Return how many pods are pending that aren't without the edits; None where that isn't known."""
    against = without_edits(run)[1]
    return None if against is None else held_against(figures, against)[0]


def short_of_replicas(run: Run, figures: Figures) -> tuple[list[BelowReplicas], int]:
    """Return the workloads that are short of pods because of the edits, and how many are either way."""
    more = short_because(figures, without_edits(run)[1])
    rows = [row for row in figures["below_replicas"] if more[row["workload"]] > 0]
    return rows, len(figures["below_replicas"]) - len(rows)


def without_edits(run: Run) -> tuple[int | None, Figures | None]:
    """Return the run without the edits and its figures, if both runs were played to their ends."""
    if run.baseline is None or not (is_subtracted_from(run) and is_subtracted_from(run.baseline)):
        return None, None
    sums = settled_sums(run.baseline)
    return (None, None) if sums is None else (run.baseline.pk, sums.outcome)
