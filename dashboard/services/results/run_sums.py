"""Summing a run up: its outcome and how it went over time, from one pass over what is stored of its log.

A worker does it when the run ends; the log of a run that was ended without one (cancelled while paused,
failed, recorded before there was this sum) is summed up when somebody first asks, and of a run that still
goes on, what there is. So is how a run of a sweep went over time, where that is soon done: few are opened.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import msgspec

from dashboard.kinds.cards import Pods, series_of, shares_cards
from dashboard.models import Chunk, Run
from dashboard.queries.resuming import stored_lines
from dashboard.services.results.axis import End
from dashboard.services.results.outcome import Ending, outcome_document, tally_of
from dashboard.services.results.over_time import OverTime
from dashboard.services.results.tally import Tally
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
    run = _to_be_summed(run_id)
    start = _start(run)
    if start is None:
        return None
    series = OverTime(start, _end(run_id, start, ending), series_of(run, pods))
    tally = Tally(start, series.requested)
    with collector_at_rest():
        for decision in _stored(run_id):
            happened = list(effects(decision.changes))
            series.add(decision, happened)
            tally.add(decision, happened)
    return Sums(_figures(run, tally, ending, explain), series.document())


def outcome_of_run(
    run_id: int, ending: Ending | None = None, explain: Explain | None = None
) -> Figures | None:
    """Return the outcome alone of a run as `sums_of_run` does, in half the time."""
    run = _to_be_summed(run_id)
    start = _start(run)
    if start is None:
        return None
    with collector_at_rest():
        tally = tally_of(start, _stored(run_id))
    return _figures(run, tally, ending, explain)


def _to_be_summed(run_id: int) -> Run:
    return Run.objects.only("base", "edits", "edit_results", "profile", "config", "beside").get(pk=run_id)


def _start(run: Run) -> RunState | None:
    base = run.base_json()
    return None if base is None else msgspec.json.decode(base, type=RunState)


def _stored(run_id: int) -> Iterator[Decision]:
    return map(decision_decoder.decode, stored_lines(run_id, 0))


def _figures(run: Run, tally: Tally, ending: Ending | None, explain: Explain | None) -> Figures:
    figures = outcome_document(tally, ending, run.edit_results, run.edits)
    if explain is not None:
        explain(figures, tally)
    return figures


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
    kept = run.outcome if run.outcome is not None and _is_of_today(run.outcome) else found.outcome
    if run.outcome is not None and "whys" in run.outcome:
        kept["whys"] = run.outcome["whys"]
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
    return all("completed" in row for row in groups) and (not groups or "deleted" in outcome)


def _end(run_id: int, start: RunState, ending: Ending | None) -> End:
    """Return where the run's axis ends: its last decision, or the instant that cut it off."""
    last = Chunk.objects.filter(run_id=run_id).order_by("-number").first()
    decision = decision_decoder.decode(last.lines()[-1]) if last is not None else None
    seq, time = (start.at, start.time) if decision is None else (decision.seq, decision.time)
    if time is not None and ending is not None and ending.by == "until" and ending.until is not None:
        time = max(time, ending.until)
    return End(seq, time)
