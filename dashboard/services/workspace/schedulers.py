"""Which schedulers there are to choose from, what is special about each, and whether a choice is one.

Profiles and their drivers are the engine's, in its order: the newest first. The words are those of
`dashboard/kinds/`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dashboard.kinds import kind_of_profile
from dashboard.services.workspace.extenders.allowed import extender_problems
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.schedulers import registry
from scheduler_core.world.run_input import ATTEMPT_SECONDS, READY_SECONDS, RunInput
from scheduler_core.world.setting_up.companions import build_all, read_companions
from scheduler_core.world.setting_up.run_checks import check

DEFAULT_PROFILE = "kube-1.37"
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
    feature_gates: those that its configuration can set, with their defaults; played_gates: those of them that
    are played on and off.
    """

    profile: str
    name: str
    summary: str
    drivers: list[Choice]
    configuration: str
    settings: list[str]
    feature_gates: dict[str, bool]
    played_gates: list[str]


WITH_CLOCK = ("timed",)
"""The drivers under which edits may have instants, and runs an end in time."""


def versions() -> list[Version]:
    """Return every scheduler, the newest first."""
    return [_version(profile) for profile in registry.versions()]


def _version(profile: str) -> Version:
    configured, kind = takes_configuration(profile), kind_of_profile(profile)
    version = registry.versions()[profile]
    return Version(
        profile=profile,
        name=f"{kind.engine.title} {profile.rpartition('-')[2]}",
        summary=kind.summary(profile),
        drivers=[
            Choice(driver, driver_words(profile, driver), driver in WITH_CLOCK) for driver in version.drivers
        ],
        configuration=kind.configuration if configured else "",
        settings=[] if configured else [POD_PRIORITY],
        feature_gates=dict(version.feature_gates),
        played_gates=sorted(version.played_gates),
    )


def driver_words(profile: str, driver: str) -> str:
    """Return in words in which order a profile goes on under a driver; empty for an unknown driver.

    Raises KeyError for a profile that there is not.
    """
    return kind_of_profile(profile).drivers.get(driver, "")


def takes_configuration(profile: str) -> bool:
    """Tell whether a profile's `config` is a document of the scheduler's, rather than settings of ours."""
    return not registry.versions()[profile].release


def default_driver(profile: str) -> str | None:
    """Return the driver with which a profile is played if none is named; None for an unknown profile."""
    scheduler = registry.versions().get(profile)
    return scheduler.drivers[0] if scheduler else None


def scheduler_problems(
    profile: str,
    config: dict[str, Any] | None,
    driver: str,
    *,
    beside: Sequence[Any] = (),
    until: float | None = None,
    attempt_seconds: float = ATTEMPT_SECONDS,
    ready_seconds: float = READY_SECONDS,
) -> list[Problem]:
    """Return what is wrong with a scheduler, a driver, a configuration and the clock's settings together.

    beside: the other schedulers of a scenario.
    """
    known = profile in registry.versions()
    problems: list[Problem] = []
    clock: dict[str, Any] = {}
    if known:
        clock = {"until": until, "attempt_seconds": attempt_seconds, "ready_seconds": ready_seconds}
    try:
        check(RunInput(objects=[], profile=profile, driver=driver if known else None, **clock))
    except BadInput as error:
        problems += error.problems
    if known:
        try:
            companions = read_companions(list(beside))
            given = RunInput(objects=[], profile=profile, config=config, driver=driver, beside=companions)
            build_all(given)
        except BadInput as error:
            problems += error.problems
        else:
            problems += extender_problems(config, beside)
    return problems
