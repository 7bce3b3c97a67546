"""Summing a run up: its outcome and how it went over time, from one pass over what is stored of its log.

A worker does it when the run ends; the log of a run that was ended without one (cancelled while paused,
failed, recorded before there was this sum) is summed up when somebody first asks, and of a run that still
goes on, what there is. So is how a run of a sweep went over time, where that is soon done: few are opened.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import msgspec

from dashboard.kinds.cards import Pods, series_of, shares_cards
from dashboard.models import Chunk, Run
from dashboard.queries.resuming import stored_lines
from dashboard.services.results.axis import End
from dashboard.services.results.outcome import Ending, outcome_document, tally_of
from dashboard.services.results.over_time import OverTime
from dashboard.services.results.tally import Tally
from dashboard.shapes.edits import EditResult
from dashboard.shapes.outcome import Figures
from dashboard.shapes.over_time import Answer
from scheduler_core.events.decisions import Decision, decision_decoder
from scheduler_core.events.effects import effects
from scheduler_core.events.state import RunState
from scheduler_core.objects.collector import collector_at_rest

SUMMED_AT_ONCE = 10_000
"""A page waits for the sums of a run of so many pods, nodes and decisions: some tenths of a second."""
Explain = Callable[[Figures, Tally], None]


@dataclass(frozen=True)
class Sums:
    """Both documents."""

    outcome: Figures
    over_time: Answer


def sums_of_run(
    run_id: int,
    ending: Ending | None = None,
    pods: Pods | None = None,
    explain: Explain | None = None,
) -> Sums | None:
    """Sum up what is stored of a run; None if no worker has begun it.

    `ending`: how it ended by itself. `pods` returns the run's pods as they are let in, if somebody has them.
    `explain` adds what the log alone does not tell.
    """
    run = Run.objects.only("base", "edits", "edit_results", "profile", "config", "beside").get(pk=run_id)
    base = run.base_json()
    if base is None:
        return None
    start = msgspec.json.decode(base, type=RunState)
    series = OverTime(start, _end(run_id, start, ending), series_of(run, pods))
    tally = Tally(start, series.requested)
    with collector_at_rest():
        for decision in _stored(run_id):
            happened = list(effects(decision.changes))
            series.add(decision, happened)
            tally.add(decision, happened)
    figures = outcome_document(tally, ending, run.edit_results, run.edits)
    if explain is not None:
        explain(figures, tally)
    return Sums(figures, series.document())


class OutcomeOfPlay:
    """The outcome alone, of a run whose decisions are added as they are stored: it costs half of `Sums`."""

    def __init__(self, run: Run, base: RunState) -> None:
        """Begin with what is stored of the run already."""
        self._edits = run.edits
        self._tally = tally_of(base, _stored(run.pk) if run.decisions else ())

    def add(self, decisions: Iterable[Decision]) -> None:
        """Add decisions that follow; what they hold may be changed from now on."""
        for decision in decisions:
            self._tally.follow(decision)

    def figures(
        self, ending: Ending | None, edit_results: Sequence[EditResult], explain: Explain | None
    ) -> Figures:
        """Return the outcome; the arguments are as for `sums_of_run`."""
        figures = outcome_document(self._tally, ending, edit_results, self._edits)
        if explain is not None:
            explain(figures, self._tally)
        return figures


def _stored(run_id: int) -> Iterator[Decision]:
    return map(decision_decoder.decode, stored_lines(run_id, 0))


def takes_long(run: Run) -> bool:
    """Return whether the sums of a run are still to be made, and that takes longer than a page may."""
    is_stored = run.outcome is not None and _is_whole(run)
    return not is_stored and not is_soon_summed(run, run.decisions)


def is_soon_summed(run: Run, decisions: int) -> bool:
    """Return whether a page may wait for the sums of a run of so many decisions."""
    return run.snapshot.pods_and_nodes + decisions <= SUMMED_AT_ONCE


def settled_sums(run: Run) -> Sums | None:
    """Return the sums of a run as far as it is, and store those of one that has ended without."""
    if run.outcome is not None and _is_whole(run):
        return Sums(run.outcome, run.over_time)
    found = sums_of_run(run.pk, _ending(run))
    if found is None or not run.has_ended:
        return found
    kept = found.outcome
    if run.outcome is not None:
        # What the engine alone could tell at the end stays.
        kept = run.outcome if _is_of_today(run.outcome) else {**run.outcome, **found.outcome}
    run.outcome, run.over_time = kept, found.over_time
    Run.objects.filter(pk=run.pk).update(outcome=kept, over_time=found.over_time)
    return Sums(kept, found.over_time)


def settled_outcome(run: Run) -> Figures | None:
    """Return the outcome of a run that has ended, summing it up if nobody has; None of one that goes on."""
    if run.outcome is None and run.has_ended:
        settled_sums(run)
    stored: Figures | None = run.outcome
    return stored


def _ending(run: Run) -> Ending | None:
    """Return how a run ended by itself, if its worker has said so."""
    told = run.outcome or {}
    return Ending(told["ended_by"], told.get("until")) if told.get("ended_by") else None


def _is_whole(run: Run) -> bool:
    """Return whether all is there that is summed up today: older runs have no figures of cards."""
    has_cards = run.over_time is not None and ("cards" in run.over_time or not shares_cards(run))
    return has_cards and run.outcome is not None and _is_of_today(run.outcome)


def _is_of_today(outcome: Figures) -> bool:
    """Return whether an outcome says how nodes are packed, and of gangs which pods completed or went."""
    if "packing" not in outcome:
        return False
    groups = outcome.get("by_group", ())
    rows_are = all("completed" in row and "seq" in row for row in groups)
    return rows_are and (not groups or "deleted" in outcome)


def _end(run_id: int, start: RunState, ending: Ending | None) -> End:
    """Return where the run's axis ends: its last decision, or the instant that cut it off."""
    last = Chunk.objects.filter(run_id=run_id).order_by("-number").first()
    decision = decision_decoder.decode(last.lines()[-1]) if last is not None else None
    seq, time = (start.at, start.time) if decision is None else (decision.seq, decision.time)
    if time is not None and ending is not None and ending.by == "until" and ending.until is not None:
        time = max(time, ending.until)
    return End(seq, time)
