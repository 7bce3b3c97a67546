"""What ended a run, in words, from what its outcome says."""

from typing import Any

from dashboard.instants import clock


def ending_words(outcome: dict[str, Any]) -> str:
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
