"""What is asked of a run before it is built: a scheduler that there is, its driver, and a clock's settings.

Source: docs/semantics.md "Time".
"""

import msgspec

from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.schedulers.kind import Version
from scheduler_core.schedulers.registry import versions
from scheduler_core.world.run_input import (
    ATTEMPT_SECONDS,
    LATEST,
    LONGEST_ATTEMPT_SECONDS,
    READY_SECONDS,
    SHORTEST_SECONDS,
    RunInput,
)


def _faults_of_time(run_input: RunInput, driver: str) -> list[Problem]:
    """Return what is wrong with the settings of the clock; without one they must be the usual ones."""
    usual = {"attempt_seconds": ATTEMPT_SECONDS, "ready_seconds": READY_SECONDS, "until": None}
    longest = {"attempt_seconds": LONGEST_ATTEMPT_SECONDS, "ready_seconds": LATEST, "until": LATEST}
    faults = []
    for field, default in usual.items():
        seconds = getattr(run_input, field)
        if seconds == default:
            continue
        if driver != "timed":
            reason = f"needs the driver timed: no clock moves with the driver {driver}"
            faults.append(Problem("scenario", field, reason))
        elif not SHORTEST_SECONDS <= seconds <= longest[field]:
            reason = f"must be seconds from {SHORTEST_SECONDS} to {longest[field]:,.0f}"
            faults.append(Problem("scenario", field, reason))
    return faults


def check(run_input: RunInput) -> tuple[RunInput, Version]:
    """Return the input with the profile's default driver where it names none, and the profile's version.

    Raises BadInput for a profile or a driver that there is not.
    """
    version = versions().get(run_input.profile)
    problems = []
    if version is None:
        reason = f"{run_input.profile!r} is none of {', '.join(versions())}"
        problems.append(Problem("scheduler", "profile", reason))
    drivers = ("instant",) if version is None else version.drivers
    if run_input.driver is not None and run_input.driver not in drivers:
        reason = f"{run_input.driver!r} is none of those of {run_input.profile}: {', '.join(drivers)}"
        problems.append(Problem("scenario", "driver", reason))
    problems += _faults_of_time(run_input, run_input.driver or drivers[0])
    if run_input.controllers not in ("recreate", "none"):
        problems.append(Problem("scenario", "controllers", "must be recreate or none"))
    if problems or version is None:
        raise BadInput(problems)
    return msgspec.structs.replace(run_input, driver=run_input.driver or version.drivers[0]), version
