"""Before an upgrade: the same question put to the cluster's release of Kubernetes and to a newer one.

Both become scenarios of their own with the same edits, settings and driver, so that nothing but the release
differs between their runs.
"""

from dataclasses import dataclass
from typing import Any

from django.db import transaction

from dashboard.errors import NotPossibleNow
from dashboard.models import Run, Scenario, Snapshot
from dashboard.queries.cluster_release import cluster_release
from dashboard.services.workspace.scenarios import FIELDS, draft_scenario
from dashboard.services.workspace.schedulers import WITH_CLOCK, scheduler_problems
from dashboard.services.workspace.suggesting import nearest_profile
from dashboard.services.workspace.variants import run_under
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.schedulers import registry
from scheduler_core.schedulers.names import BASE
from scheduler_core.world.reporting.cluster_release import Release, release_of

Data = dict[str, Any]


@dataclass(frozen=True)
class Choices:
    """From which release to which ones an upgrade can be tried, as 1.36, the next one first."""

    older: str
    newer: list[str]


@dataclass(frozen=True)
class Upgrade:
    """The runs under both releases, and in sentences what both had to do without."""

    older: Run
    newer: Run
    notes: list[str]


def upgrade_choices(snapshot: Snapshot, profile: str) -> Choices | None:
    """Return the choices for a cluster and a scenario's profile; None for a profile of another scheduler.

    The older release is the cluster's, or the nearest that is played; the profile's where none is known.
    """
    known = registry.kinds()[BASE].versions
    if profile not in known:
        return None
    found = cluster_release(snapshot)
    older = nearest_profile(found.release) if found is not None else profile
    newer = [name for name in map(_minor, known) if _number(name) > _number(_minor(older))]
    return Choices(_minor(older), sorted(newer, key=_number))


def run_upgrade(user: Any, original: Snapshot | Scenario, release: str | None = None) -> Upgrade:
    """Run a cluster, or a scenario, under its release and a newer one. Raises BadInput, NotPossibleNow.

    `release` is the newer one, as 1.36; by default the next.
    """
    scenario = original if isinstance(original, Scenario) else _of_snapshot(original)
    choices = upgrade_choices(scenario.snapshot, scenario.profile)
    if choices is None:
        raise NotPossibleNow(f"{scenario.profile} is no release of kube-scheduler: nothing is upgraded.")
    if not choices.newer:
        raise NotPossibleNow(f"{choices.older} is the newest release that is played.")
    newer = release or choices.newer[0]
    if newer not in choices.newer:
        message = f"must be a release that is played and newer than {choices.older}"
        raise BadInput([Problem("upgrade", "release", message)])
    profiles = (f"kube-{choices.older}", f"kube-{newer}")
    fields, notes = _playable_by_both(scenario, profiles)
    draft = draft_scenario(fields)
    with transaction.atomic():
        older, after = (run_under(user, draft, profile) for profile in profiles)
    return Upgrade(older, after, notes)


def _of_snapshot(snapshot: Snapshot) -> Scenario:
    """Return the scenario that a snapshot would be given, unsaved."""
    return draft_scenario({"name": snapshot.name[:180], "snapshot": snapshot})


def _playable_by_both(scenario: Scenario, profiles: tuple[str, str]) -> tuple[Data, list[str]]:
    """Return the scenario's fields without what one of the releases lacks, and what was left out."""
    fields: Data = {name: getattr(scenario, name) for name in FIELDS}
    fields["profile"] = profiles[0]
    notes = []
    lacking = [name for name in profiles if scenario.driver not in registry.versions()[name].drivers]
    if lacking:
        fields["driver"] = "instant"
        notes.append(
            f"{' and '.join(lacking)} {'has' if len(lacking) == 1 else 'have'} no driver {scenario.driver}: "
            "both were run with instant."
        )
    if fields["driver"] not in WITH_CLOCK:
        del fields["until"], fields["attempt_seconds"], fields["ready_seconds"]
    for name, nothing, words in (("config", None, "configuration"), ("beside", [], "schedulers beside it")):
        beside = fields["beside"] if name == "beside" else []
        refusing = [
            profile
            for profile in profiles
            if fields[name] and scheduler_problems(profile, fields["config"], fields["driver"], beside=beside)
        ]
        if refusing:
            fields[name] = nothing
            notes.append(f"{' and '.join(refusing)} can't take the {words}: both were run without.")
    return fields, notes


def _minor(profile: str) -> str:
    return profile.removeprefix("kube-")


def _number(minor: str) -> Release:
    return release_of(minor) or (0, 0)
