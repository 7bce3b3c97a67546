"""Which schedulers there are to choose from, what is special about each, and whether a choice is one.

Profiles and their drivers are the engine's (SCHEDULERS), in its order: the newest first. The words are here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dashboard.services.extenders.allowed import extender_problems
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.world.companions import build_all, read_companions
from scheduler_core.world.run_input import ATTEMPT_SECONDS, RunInput
from scheduler_core.world.schedulers import SCHEDULERS, check

DEFAULT_PROFILE = "kube-1.36"
CONFIGURATION = "KubeSchedulerConfiguration"
CONFIGURATIONS = {"volcano": "volcano-scheduler.conf", "hami": "HAMi settings"}
"""The kind of document that configures a scheduler that is no plain kube-scheduler."""
POD_PRIORITY = "podPriority"


@dataclass(frozen=True)
class Choice:
    """A driver: its name, how time passes and who comes next under it, and whether a clock moves."""

    driver: str
    summary: str
    has_clock: bool


@dataclass(frozen=True)
class Version:
    """A scheduler. `drivers`: its default one first.

    configuration: the kind of document that configures it, or empty; settings: those that it takes instead.
    """

    profile: str
    name: str
    summary: str
    drivers: list[Choice]
    configuration: str
    settings: list[str]


DRIVERS = {
    "instant": "by priority; victims vanish at once",
    "fifo": "first in, first out; victims vanish at once",
    "grace": "by priority; victims terminate till nothing else can be tried",
    "timed": "by priority and a clock; back-off, hints and grace periods count",
}
WITH_CLOCK = ("timed",)
"""The drivers under which edits may have instants, and runs an end in time."""

SUMMARIES = {
    "kube-1.36": "plugins, configurable; nomination in the status",
    "kube-1.13": "as 1.11; node conditions as taints; scores image locality",
    "kube-1.11": "predicates in order till one fails; nomination in status",
    "kube-1.9": "as 1.8, with disruption budgets; nominated room is kept",
    "kube-1.8": "predicates; annotated nominations; freed room isn't held",
    "volcano-1.16": "sessions of gangs and queues; all of a job starts or nothing",
    "hami-2.10": "kube-scheduler 1.36 with HAMi: shares of single GPU cards",
}


def versions() -> list[Version]:
    """Return every scheduler, the newest first."""
    return [_version(profile) for profile in SCHEDULERS]


def _version(profile: str) -> Version:
    configured = takes_configuration(profile)
    return Version(
        profile=profile,
        name=profile.replace("kube-", "kube-scheduler ")
        .replace("volcano-", "Volcano ")
        .replace("hami-", "HAMi "),
        summary=SUMMARIES[profile],
        drivers=[
            Choice(driver, DRIVERS[driver], driver in WITH_CLOCK) for driver in SCHEDULERS[profile].drivers
        ],
        configuration=CONFIGURATIONS.get(SCHEDULERS[profile].kind, CONFIGURATION) if configured else "",
        settings=[] if configured else [POD_PRIORITY],
    )


def takes_configuration(profile: str) -> bool:
    """Tell whether a profile's `config` is a document of the scheduler's, rather than settings of ours."""
    return not SCHEDULERS[profile].release


def default_driver(profile: str) -> str | None:
    """Return the driver with which a profile is played if none is named; None for an unknown profile."""
    scheduler = SCHEDULERS.get(profile)
    return scheduler.drivers[0] if scheduler else None


def driver_under(profile: str, *, before: str, driver: str) -> str:
    """Return the driver for `profile` where the profile `before` was played with `driver`.

    What was the old profile's default becomes the new one's; another driver stays if the new profile has it.
    """
    scheduler = SCHEDULERS.get(profile)
    if scheduler is None or profile == before:
        return driver
    if driver == default_driver(before) or driver not in scheduler.drivers:
        return scheduler.drivers[0]
    return driver


def scheduler_problems(
    profile: str,
    config: dict[str, Any] | None,
    driver: str,
    *,
    beside: Sequence[Any] = (),
    until: float | None = None,
    attempt_seconds: float = ATTEMPT_SECONDS,
) -> list[Problem]:
    """Return what is wrong with a scheduler, a driver, a configuration and the clock's settings together.

    beside: the other schedulers of a scenario.
    """
    known = profile in SCHEDULERS
    problems: list[Problem] = []
    clock: dict[str, Any] = {"until": until, "attempt_seconds": attempt_seconds} if known else {}
    try:
        check(RunInput(objects=[], profile=profile, driver=driver if known else None, **clock))
    except BadInput as error:
        problems += error.problems
    if known:
        try:
            companions = read_companions(list(beside))
            given = RunInput(objects=[], profile=profile, config=config, driver=driver, beside=companions)
            build_all(given, SCHEDULERS[profile])
        except BadInput as error:
            problems += error.problems
        else:
            problems += extender_problems(config, beside)
    return problems
