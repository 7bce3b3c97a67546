"""What the name of a profile stands for: which scheduler decides, and with which drivers it can be played.

Source: docs/semantics.md "Time"; docs/verification.md.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec

from scheduler_core.hami.configuration import Configuration as HamiConfiguration
from scheduler_core.hami.kube_scheduler import build_with_hami
from scheduler_core.kube.attempt import attempt_pod
from scheduler_core.kube.attempts import AttemptFunction, nominated_in_status
from scheduler_core.kube.configuration.profiles import build_profiles
from scheduler_core.kube.plugins.default_preemption import DefaultPreemption
from scheduler_core.kube.profile import Profile
from scheduler_core.kube.releases import profile as releases
from scheduler_core.kube.releases.accounting import accounting_of
from scheduler_core.kube.releases.api import as_stored_then
from scheduler_core.kube.releases.gaps import release_gaps
from scheduler_core.kube.releases.nominations import nominated_by_annotation
from scheduler_core.kube.releases.table import RELEASES
from scheduler_core.objects.kinds import POD_DISRUPTION_BUDGET, Kind
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.objects.types import Pod
from scheduler_core.state.pods import DEFAULT_ACCOUNTING, Accounting
from scheduler_core.volcano.configuration import Configuration, read_configuration
from scheduler_core.volcano.objects import not_modelled as not_modelled_by_volcano
from scheduler_core.world.run_input import (
    ATTEMPT_SECONDS,
    LATEST,
    LONGEST_ATTEMPT_SECONDS,
    SHORTEST_SECONDS,
    RunInput,
)

Document = dict[str, Any]
Config = Mapping[str, Any] | None
Built = dict[str, Profile] | Configuration
"""What a scheduler is built as: a kube-scheduler's profiles by scheduler name (HAMi's is one of these), or
Volcano's configuration."""


@dataclass(frozen=True)
class Scheduler:
    """A version of a scheduler. `drivers` are those it can be played with, the default one first.

    `build` raises BadInput where the configuration is wrong. `kind` is one of run_input.KINDS.
    """

    drivers: tuple[str, ...]
    build: Callable[[Config], Built]
    attempt: AttemptFunction = attempt_pod
    nomination_of: Callable[[Pod], str] = nominated_in_status
    accounting: Accounting = DEFAULT_ACCOUNTING
    release: str = ""
    unread_kinds: tuple[Kind, ...] = ()
    kind: str = "kube-scheduler"

    def read(self, objects: Iterable[Document]) -> tuple[list[Document], list[str]]:
        """Return the objects as this version knows them, and whole phrases about what it does not know."""
        if not self.release:
            return list(objects), []
        known, lost = as_stored_then(objects)
        return known, [f"{field} of {_pods(number)}" for field, number in sorted(lost.items()) if number]

    def not_modelled(self, objects: Sequence[Document]) -> list[str]:
        """Return whole phrases about what of these objects this version is not modelled for."""
        if self.kind == "volcano":
            return not_modelled_by_volcano(objects)
        return release_gaps(objects, self.release) if self.release else []

    def has_pod_priority(self, built: Built) -> bool:
        """Return whether the queue and preemption know priorities."""
        return isinstance(built, Configuration) or all(
            profile.pod_priority for profile in built.values() if isinstance(profile, releases.ReleaseProfile)
        )


def ends_of_search(profiles: Iterable[Profile], nodes: int) -> list[str]:
    """Return whole phrases about candidates that the real scheduler's preemption would not look for."""
    plugins = [plugin for profile in profiles for plugin in profile.post_filters]
    sought = {
        plugin.candidates_looked_for(nodes) for plugin in plugins if isinstance(plugin, DefaultPreemption)
    }
    return [
        f"preemption's search, which ends at {number:,} candidates of {nodes:,} nodes, from a random one on"
        for number in sorted(sought)
        if number < nodes
    ]


def _pods(number: int) -> str:
    return f"{number} pod" if number == 1 else f"{number} pods"


def _build_release(release: str, config: Config) -> dict[str, Profile]:
    """Build a release's one profile; `config` may turn the feature gate PodPriority off."""
    settings = dict(config or {})
    pod_priority = settings.pop("podPriority", True)
    problems = [
        Problem(f"kube-{release}", name, "is no setting of this profile") for name in sorted(settings)
    ]
    if not isinstance(pod_priority, bool):
        problems.append(Problem(f"kube-{release}", "podPriority", "must be true or false"))
    if problems:
        raise BadInput(problems)
    profile = RELEASES[release]()
    if not pod_priority:
        profile.pod_priority = profile.counts_nominations = False
    return {profile.scheduler_name: profile}


_UNREAD_KINDS = {"1.8": (POD_DISRUPTION_BUDGET,)}
"""What kube-scheduler did not look at."""


def _release(release: str, *drivers: str, annotated: bool = False) -> Scheduler:
    return Scheduler(
        drivers,
        partial(_build_release, release),
        releases.attempt_pod,
        nominated_by_annotation if annotated else nominated_in_status,
        accounting_of(release),
        release=release,
        unread_kinds=_UNREAD_KINDS.get(release, ()),
    )


SCHEDULERS: dict[str, Scheduler] = {
    "kube-1.36": Scheduler(("instant", "timed"), build_profiles),
    "kube-1.13": _release("1.13", "instant", "fifo", "grace"),
    "kube-1.11": _release("1.11", "instant", "fifo", "grace"),
    "kube-1.9": _release("1.9", "instant", "fifo", "grace", annotated=True),
    "kube-1.8": _release("1.8", "fifo", "instant", "grace", annotated=True),
    "volcano-1.16": Scheduler(
        ("instant", "timed"),
        read_configuration,
        unread_kinds=(POD_DISRUPTION_BUDGET,),
        kind="volcano",
    ),
    "hami-2.10": Scheduler(("instant", "timed"), build_with_hami, kind="hami"),
}


def is_volcano(profile: str) -> bool:
    """Return whether a profile decides in sessions and takes Volcano's configuration, which has no kind."""
    known = SCHEDULERS.get(profile)
    return known is not None and known.kind == "volcano"


def hami_settings(run_input: RunInput) -> HamiConfiguration | None:
    """Return the settings of the HAMi that takes part in a run, None where none does. Raises BadInput."""
    given = [(companion.scheduler, companion.config) for companion in run_input.beside]
    if run_input.profile in SCHEDULERS:
        given.insert(0, (SCHEDULERS[run_input.profile].kind, run_input.config))
    return next((build_with_hami(config).hami for kind, config in given if kind == "hami"), None)


def _faults_of_time(run_input: RunInput, driver: str) -> list[Problem]:
    """Return what is wrong with the settings of the clock; without one they must be the usual ones."""
    usual = {"attempt_seconds": ATTEMPT_SECONDS, "until": None}
    longest = {"attempt_seconds": LONGEST_ATTEMPT_SECONDS, "until": LATEST}
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


def check(run_input: RunInput) -> tuple[RunInput, Scheduler]:
    """Return the input with the profile's default driver where it names none, and the profile's scheduler.

    Raises BadInput for a profile or a driver that there is not.
    """
    scheduler = SCHEDULERS.get(run_input.profile)
    problems = []
    if scheduler is None:
        reason = f"{run_input.profile!r} is none of {', '.join(SCHEDULERS)}"
        problems.append(Problem("scheduler", "profile", reason))
    drivers = ("instant",) if scheduler is None else scheduler.drivers
    if run_input.driver is not None and run_input.driver not in drivers:
        reason = f"{run_input.driver!r} is none of {', '.join(drivers)}"
        problems.append(Problem("scenario", "driver", reason))
    problems += _faults_of_time(run_input, run_input.driver or drivers[0])
    if run_input.controllers not in ("recreate", "none"):
        problems.append(Problem("scenario", "controllers", "must be recreate or none"))
    if problems or scheduler is None:
        raise BadInput(problems)
    return msgspec.structs.replace(run_input, driver=run_input.driver or scheduler.drivers[0]), scheduler
