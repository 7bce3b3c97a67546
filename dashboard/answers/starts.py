"""When pods start, in words: with a change, and without any."""

from __future__ import annotations

from dashboard.answers.changes import workload
from dashboard.answers.sentence import Names, Number, Sentence, Text, number, sentence
from scheduler_core.world.fitting.results import Fitting, Start

AT_ONCE = 1000
"""Milliseconds: who starts sooner starts at once."""
_NAMED = 3
_NO_CLOCK = "can't be played by a clock: "


def starts(start: Start | None, found: Fitting) -> Sentence:
    """Return when pods start: "at once", "after 40 min 0 s, once ml/a is gone", "not within 2 h 0 min"."""
    if start is None or start.ended_by == "untried":
        return sentence("not played")
    if start.at is not None:
        return sentence("at once") if start.at < AT_ONCE else _after(start.at, start)
    match start.ended_by:
        case "refused":
            if found.start is not None and start.reason == found.start.reason:
                return sentence("not played")
            return sentence(_NO_CLOCK, Text(start.reason))
        case "most":
            return sentence("not within ", number(found.most, "decision"))
        case "quiet":
            return sentence("not by itself: nothing more happens")
    return sentence("not within ", _span(round(found.until * 1000)))


def _after(at: int, start: Start) -> Sentence:
    after = sentence("after ", _span(at))
    if not start.once:
        return after
    named = [workload(one) for one in start.once[:_NAMED]]
    gone = Names(named, len(start.once) - len(named))
    return sentence(after, ", once ", gone, " is gone" if len(start.once) == 1 else " are gone")


def _span(milliseconds: int) -> Number:
    return Number(milliseconds, measure="milliseconds")


def about_starts(found: Fitting) -> list[Sentence]:
    """Return what start times rest on."""
    start = found.start
    if start is None or start.ended_by == "untried":
        return []
    if start.ended_by == "refused":
        return [sentence("Start times are not known: it ", _NO_CLOCK, Text(start.reason), ".")]
    within = _span(round(found.until * 1000))
    most = number(found.most, "decision")
    bounds = sentence(
        "Start times count from the snapshot's instant, in trials by the clock of ",
        within,
        " and ",
        most,
        " at the most.",
    )
    if start.ended_by not in ("until", "quiet") or start.left:
        return [bounds]
    nobody = "No pod here is known to end within "
    return [sentence(nobody, within, ", so until then time alone changes nothing."), bounds]
