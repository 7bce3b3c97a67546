"""When a run's clock is to end, and what ended the run, in words."""

from dashboard.instants import clock
from dashboard.models import Run
from dashboard.shapes.outcome import Figures


def ending_words(outcome: Figures) -> str:
    """Say when a run with a clock ended, and by what unless it was cut short; nothing of other runs."""
    time, until = outcome.get("time"), outcome.get("until")
    if time is None:
        return ""
    match outcome.get("ended_by"):
        case "quiet":
            return f"ended at {clock(time)}, when nothing was left to happen"
        case "until" if until is not None:
            return f"ended at {clock(max(time, until))}, the end of its clock"
        case "limit":
            return f"stopped at {clock(time)} by the limit of decisions"
    return f"clock at {clock(time)}"


def clock_end(run: Run) -> int | None:
    """Return the instant at which the run's clock is to end, in milliseconds since the start.

    None where no clock moves, and of a run whose end nobody named as long as no worker has begun it.
    """
    told = run.progress.get("until", (run.outcome or {}).get("until"))
    if told is not None:
        return int(told)
    return None if run.until is None else round(run.until * 1000)
