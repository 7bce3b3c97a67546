"""What a run is summed up by where many are listed: the lead of its answer, or its totals."""

from dashboard.answers.answer import Line
from dashboard.answers.sentence import Sentence, number, sentence
from dashboard.models import Run
from dashboard.services.results.outcome import unserved
from dashboard.services.results.run_answers import answer_of
from dashboard.shapes.outcome import Figures

MOST_EDITS = 500
"""An answer reads all edits of its run: those of runs with more take too long where many are listed."""


def run_lead(run: Run) -> Line:
    """Return the line; `about` is "not_done" where its head says what is not done."""
    figures: Figures | None = run.outcome
    if run.status == Run.Status.FAILED:
        return Line("not_done", sentence("failed"), sentence(_after(run), _why_failed(run)))
    if run.status == Run.Status.CANCELLED:
        return Line("others", [], sentence("cancelled ", _after(run)))
    if figures is None or not run.has_ended:
        return Line("others", [], sentence(f"{run.status} ", _after(run)))
    answer = answer_of(run) if _is_read_at_once(run, figures) else None
    if answer is not None:
        return Line("not_done" if answer.verdict in ("partly", "not") else "asked", [], answer.lead)
    head = _not_done(figures)
    return Line("not_done" if head else "asked", head, _totals(figures))


def _is_read_at_once(run: Run, figures: Figures) -> bool:
    """Return whether an answer needs no new sums, and few edits."""
    is_of_today = "placement" in figures
    return is_of_today and run.scenario is not None and run.scenario.edit_count <= MOST_EDITS


def _after(run: Run) -> Sentence:
    if not run.decisions:
        return sentence("before its first decision")
    return sentence("after ", number(run.decisions, "decision"))


def _why_failed(run: Run) -> Sentence:
    told = run.problems[0]["message"] if run.problems else run.error.partition("\n")[0]
    return sentence(f": {told}") if told else []


def _not_done(figures: Figures) -> Sentence:
    incomplete = figures.get("incomplete") or []
    lost = unserved(figures)
    if incomplete:
        more = len(incomplete) - 1
        return sentence(incomplete[0]["title"], sentence(", and ", number(more), " more") if more else [])
    if lost:
        return sentence(number(lost, "pod"), " without a scheduler")
    return sentence("stopped at its limit") if figures["limit_reached"] else []


def _totals(figures: Figures) -> Sentence:
    evicted, pending, deleted = figures["evicted"], figures["pending"], figures.get("deleted", 0)
    return sentence(
        number(figures["placed"], "pod", strong=True),
        " found a node",
        sentence(", ", number(evicted, "eviction")) if evicted else [],
        sentence(", ", number(deleted), " deleted by controllers") if deleted else [],
        sentence(", ", number(pending, strong=True), " still pending") if pending else [],
    )
