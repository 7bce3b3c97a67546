"""kube-scheduler as a kind of scheduler: the releases that are played, and its actors."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

from scheduler_core.kube.attempt import attempt_pod
from scheduler_core.kube.configuration.profiles import build_profiles
from scheduler_core.kube.dropped_fields import as_stored
from scheduler_core.kube.dynamic_resources.newer_fields import binding_gaps
from scheduler_core.kube.framework_releases.table import FRAMEWORK_RELEASES
from scheduler_core.kube.framework_releases.v1_36 import V1_36
from scheduler_core.kube.gates import FIELD, GroupGates, defaults_of, is_played, read_gates
from scheduler_core.kube.pod_groups.groups import Groups, classes_in, groups_in, has_group
from scheduler_core.kube.pod_groups.scheduler import GroupScheduler
from scheduler_core.kube.pod_groups.timed_scheduler import TimedGroupScheduler
from scheduler_core.kube.profile import Profile
from scheduler_core.kube.queueing.backoff import backoff_of
from scheduler_core.kube.release import Release
from scheduler_core.kube.releases import profile as releases
from scheduler_core.kube.releases.accounting import accounting_of
from scheduler_core.kube.releases.api_fields import as_stored_then, unread_limits
from scheduler_core.kube.releases.gaps import release_gaps
from scheduler_core.kube.releases.nominations import nominated_by_annotation
from scheduler_core.kube.releases.table import RELEASES
from scheduler_core.kube.schedule_one import BESIDE_OTHERS, NEWEST_RELEASE, AttemptFunction, Settings
from scheduler_core.kube.scheduler import KubeScheduler
from scheduler_core.kube.timed_scheduler import TimedScheduler
from scheduler_core.kube.unplayed_gates import names_a_group, require_played
from scheduler_core.objects.kinds import POD_DISRUPTION_BUDGET
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.objects.workloads.templates import pod_specs
from scheduler_core.schedulers.actor import ApiServer
from scheduler_core.schedulers.kind import (
    Config,
    Made,
    Object,
    Play,
    SchedulerKind,
    Version,
    nominated_in_status,
)
from scheduler_core.state.pods import DEFAULT_ACCOUNTING

NEWEST = f"kube-{NEWEST_RELEASE}"
_DEFAULT_SCHEDULER = "default-scheduler"
PLAYS_CLAIMS = ("1.35", "1.36")
"""The releases whose allocation of devices is played."""
_WITH_CLASS_RESOURCES = ("1.36", "1.37")
"""Releases in which DRAExtendedResource is on by default. Source: kubernetes pkg/features."""
_UNREAD_KINDS = {"1.8": (POD_DISRUPTION_BUDGET,)}
"""What kube-scheduler did not look at."""


@dataclass(frozen=True)
class KubeVersion(Version):
    """A release of kube-scheduler. `attempt` decides about one pod."""

    attempt: AttemptFunction = attempt_pod

    def read(self, objects: Iterable[Object]) -> tuple[list[Object], list[str]]:
        if not self.release:
            return super().read(objects)
        imported = list(objects)
        known, lost = as_stored_then(imported, self.release)
        return known, [*_told(lost), *unread_limits(imported)]

    def not_modelled(self, objects: Sequence[Object]) -> list[str]:
        return release_gaps(objects, self.release) if self.release else []

    @property
    def minor(self) -> str:
        """The minor release of Kubernetes."""
        return self.release

    @property
    def reads_all(self) -> bool:
        return False

    def has_pod_priority(self, built: Any) -> bool:
        return all(
            profile.pod_priority for profile in built.values() if isinstance(profile, releases.ReleaseProfile)
        )


@dataclass(frozen=True)
class FrameworkVersion(KubeVersion):
    """A release since the scheduling framework, which a KubeSchedulerConfiguration configures."""

    framework: Release = V1_36

    @property
    def reads_all(self) -> bool:
        return not self.framework.drops and self.framework.accounting == DEFAULT_ACCOUNTING

    def read(self, objects: Iterable[Object]) -> tuple[list[Object], list[str]]:
        stored, lost = as_stored(objects, self.framework.drops)
        return stored, _told(lost)

    @property
    def minor(self) -> str:
        return self.framework.minor

    @property
    def feature_gates(self) -> Mapping[str, bool]:
        return defaults_of(self.minor)

    def not_modelled(self, objects: Sequence[Object]) -> list[str]:
        return binding_gaps(objects) if self.plays_claims else []

    def plays_groups(self, config: Config) -> bool:
        gates = config.get(FIELD) if isinstance(config, Mapping) else None
        return isinstance(gates, Mapping) and gates.get("GenericWorkload") is True

    @property
    def played_gates(self) -> Collection[str]:
        return [name for name in self.feature_gates if is_played(name, self.minor, groups=True)]


def _framework_release(release: Release) -> FrameworkVersion:
    return FrameworkVersion(
        ("instant", "timed"),
        partial(build_profiles, release=release, gates=release.gates),
        accounting=release.accounting,
        plays_claims=release.minor in PLAYS_CLAIMS,
        class_resources=release.minor in _WITH_CLASS_RESOURCES,
        framework=release,
    )


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


def _release(release: str, *drivers: str, annotated: bool = False) -> KubeVersion:
    return KubeVersion(
        drivers,
        partial(_build_release, release),
        nominated_by_annotation if annotated else nominated_in_status,
        accounting_of(release),
        _UNREAD_KINDS.get(release, ()),
        release,
        class_resources=False,
        attempt=releases.attempt_pod,
    )


class KubeKind(SchedulerKind):
    """kube-scheduler."""

    name = title = actor = "kube-scheduler"
    versions: Mapping[str, KubeVersion] = {
        **{f"kube-{minor}": _framework_release(release) for minor, release in FRAMEWORK_RELEASES.items()},
        "kube-1.13": _release("1.13", "instant", "fifo", "grace"),
        "kube-1.11": _release("1.11", "instant", "fifo", "grace"),
        "kube-1.9": _release("1.9", "instant", "fifo", "grace", annotated=True),
        "kube-1.8": _release("1.8", "fifo", "instant", "grace", annotated=True),
    }

    @property
    def default(self) -> str:
        return NEWEST

    @property
    def beside_others(self) -> str:
        return f"kube-{BESIDE_OTHERS}"

    def names_in(self, config: Config) -> list[str]:
        return names_of_profiles(config, _DEFAULT_SCHEDULER)

    def make(self, play: Play, name: str, made: Made, api: ApiServer) -> KubeScheduler:
        settings = settings_of(play, made.version, made.config)
        require_gates(play, settings, clocked=False, groups=True)
        gates = read_gates(settings.feature_gates, settings.release).pod_groups
        if not gates.groups or not names_groups(play):
            return KubeScheduler(name, play.state, made.built, api, settings)
        groups = groups_of(play, gates, chain(play.objects, play.later))
        return GroupScheduler(name, play.state, made.built, api, settings, groups)

    def make_clocked(self, play: Play, name: str, made: Made, api: Any) -> TimedScheduler:
        release = release_of(made.version)
        settings = settings_of(play, made.version, made.config)
        require_gates(play, settings, clocked=True, groups=True)
        gates = read_gates(settings.feature_gates, release.minor)
        backoff = backoff_of(made.config, release.queueing, pops_early=gates.pops_early)
        if not gates.pod_groups.groups or not names_groups(play):
            return TimedScheduler(name, play.state, made.built, settings, backoff, release)
        groups = groups_of(play, gates.pod_groups, play.objects)
        return TimedGroupScheduler(name, play.state, made.built, settings, backoff, groups)


def names_groups(play: Play) -> bool:
    """Return whether a pod of the play names a pod group, be it one that comes later."""
    specs = (spec for item in play.later for spec in pod_specs(item))
    return any(map(has_group, play.state.present())) or any(map(names_a_group, specs))


def groups_of(play: Play, gates: GroupGates, objects: Iterable[Object]) -> Groups:
    """Return the pod groups among objects, as a scheduler of the play knows them."""
    classes = classes_in(chain(play.objects, play.later))
    return Groups(play.state, groups_in(objects), gates, classes)


def release_of(version: Version) -> Release:
    """Return the release since the framework that a version has; 1.36 for one that is no kube-scheduler's."""
    return version.framework if isinstance(version, FrameworkVersion) else V1_36


def names_of_profiles(config: Config, own: str) -> list[str]:
    """Return the `schedulerName`s of a KubeSchedulerConfiguration, `own` where it has no profile."""
    profiles = (config or {}).get("profiles")
    if not isinstance(profiles, list) or not profiles:
        return [own]
    named = [str(one.get("schedulerName") or "") for one in profiles if isinstance(one, Mapping)]
    return [name or _DEFAULT_SCHEDULER for name in named] or [own]


def settings_of(play: Play, version: Version, config: Config) -> Settings:
    """Return the settings of a kube-scheduler of this version, or of the one that is in this version.

    `config` is its KubeSchedulerConfiguration.
    """
    minor = version.minor if isinstance(version, KubeVersion) else BESIDE_OTHERS
    return Settings(
        engine=f"kube-{minor}",
        release=minor,
        attempt=version.attempt if isinstance(version, KubeVersion) else attempt_pod,
        nomination_of=play.version.nomination_of,
        by_priority=play.by_priority,
        attempt_limit=play.attempt_limit,
        seed=play.seed,
        exchanges=play.exchanges,
        keeping=play.keeping,
        feature_gates=dict((config or {}).get(FIELD) or {}),
    )


def require_gates(play: Play, settings: Settings, *, clocked: bool, groups: bool = False) -> None:
    """Raise BadInput where a gate is not played that would change what comes of a play.

    `groups`: pod groups are played.
    """
    everything = chain(play.objects, play.later)
    require_played(settings.feature_gates, settings.release, everything, clocked=clocked, groups=groups)


def _told(lost: Mapping[str, int]) -> list[str]:
    """Return which fields pods lose, in whole phrases."""
    return [f"{field} of {_pods(number)}" for field, number in sorted(lost.items()) if number]


def _pods(number: int) -> str:
    return f"{number} pod" if number == 1 else f"{number} pods"


KIND = KubeKind()
