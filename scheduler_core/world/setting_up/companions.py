"""Several schedulers in one run: the one that the run is about, and those beside it.

Each schedules the pods that ask for one of its profiles by `schedulerName`; pods that ask for nobody's are
left alone.

Source: docs/semantics.md "Several schedulers".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from scheduler_core.objects.conversion import field_and_reason, plain_message
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.schedulers.kind import Config, Made, SchedulerKind, Version
from scheduler_core.schedulers.registry import BASE, kind_of_profile, kinds
from scheduler_core.world.clocked.timed_events import ACTORS
from scheduler_core.world.controllers.registry import NAMES as CONTROLLERS
from scheduler_core.world.run_input import Companion, RunInput

MOST = 20
"""So many schedulers at most act beside that one."""
_NOBODY = object()
_NAME = re.compile(r"[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?", re.ASCII)


def read_companions(entries: list[Any]) -> list[Companion]:
    """Return the typed entries of a scenario's `beside`. Raises BadInput with what each has wrong."""
    if len(entries) > MOST:
        raise BadInput([Problem("beside", "", f"must have at most {MOST} entries")])
    found, problems = [], []
    for place, entry in enumerate(entries):
        try:
            found.append(msgspec.convert(entry, Companion))
        except msgspec.ValidationError as error:
            problems.append(Problem(_where(place), *field_and_reason(plain_message(str(error)), entry)))
    if problems:
        raise BadInput(problems)
    return found


def name_of(entry: Mapping[str, Any]) -> str:
    """Return what the log calls the scheduler of an entry: its name, or its first schedulerName."""
    kind = kinds().get(str(entry.get("scheduler") or BASE), kinds()[BASE])
    return str(entry.get("name") or kind.names_in(entry.get("config"))[0])


def build_all(run_input: RunInput) -> dict[str, Made]:
    """Return what all schedulers of a run are built as, by the scheduler's name.

    Raises BadInput where a configuration is wrong, where two schedulers have a name or a profile in common,
    and for a scheduler that cannot act beside the others; KeyError for a profile that there is not.
    """
    problems: list[Problem] = []
    made: dict[str, Made] = {}
    owner: dict[str, str] = {}
    kind, version = _of_profile(run_input.profile)
    try:
        made[kind.actor] = Made(kind, version, run_input.config, version.build(run_input.config))
        owner = dict.fromkeys(made[kind.actor].serves, kind.actor)
    except BadInput as error:
        problems += error.problems
    for place, companion in enumerate(run_input.beside):
        faults = _faults(companion, run_input.profile, kind)
        if not faults:
            faults = _join(companion, version, made, owner)
        problems += [Problem(_where(place), fault.field, fault.message) for fault in faults]
    if problems:
        raise BadInput(problems)
    return made


def configuration_of(run_input: RunInput, kind: str) -> Config | None:
    """Return the first configuration of a kind in a run; None where none takes part or it is left out."""
    return next(configurations_of(run_input, kind), None)


def takes_part(run_input: RunInput, kind: str) -> bool:
    """Return whether a scheduler of a kind takes part in a run."""
    return next(configurations_of(run_input, kind), _NOBODY) is not _NOBODY


def configurations_of(run_input: RunInput, kind: str) -> Iterator[Any]:
    """Yield the configurations of a kind in a run, None for the defaults."""
    main = kind_of_profile(run_input.profile)
    if main is not None and main.name == kind:
        yield run_input.config
    for companion in run_input.beside:
        if companion.scheduler == kind:
            yield companion.config


def versions_in(run_input: RunInput) -> list[Version]:
    """Return the versions of all schedulers of a run, as far as there are such."""
    main = kind_of_profile(run_input.profile)
    if main is None:
        return []
    own = main.versions[run_input.profile]
    beside = (_version_beside(one, main, own) for one in run_input.beside)
    return [own, *(version for version in beside if version is not None)]


def _version_beside(companion: Companion, main: SchedulerKind, own: Version) -> Version | None:
    kind = kinds().get(companion.scheduler)
    if kind is None or kind is main:
        return None if kind is None else own
    stem = kind.beside_others.rpartition("-")[0]
    return kind.versions.get(f"{stem}-{companion.release}" if companion.release else kind.beside_others)


def _of_profile(profile: str) -> tuple[SchedulerKind, Version]:
    kind = kind_of_profile(profile)
    if kind is None:
        raise KeyError(profile)
    return kind, kind.versions[profile]


def _where(place: int) -> str:
    return f"beside[{place}]"


def _faults(companion: Companion, profile: str, main: SchedulerKind) -> list[Problem]:
    """Return why a scheduler cannot act in this run; the problems' objects are the caller's to name."""
    kind = kinds().get(companion.scheduler)
    if kind is None:
        return [Problem("", "scheduler", f"{companion.scheduler!r} is none of {', '.join(kinds())}")]
    if kind.name != BASE or main.name != BASE:
        return _faults_of_a_mixture(companion, kind, profile, main)
    if companion.release is not None and f"kube-{companion.release}" not in kind.versions:
        known = ", ".join(map(_release, kind.versions))
        return [Problem("", "release", f"{companion.release!r} is none of {known}")]
    release = _release(profile)
    if companion.release not in (None, release):
        reason = f"{companion.release} can't act beside {release}: each reads the cluster in its own way"
        return [Problem("", "release", reason)]
    if main.versions[profile].release:
        reason = f"kube-scheduler {release} has one schedulerName, so that no other can act beside it"
        return [Problem("", "release", reason)]
    return []


def _faults_of_a_mixture(
    companion: Companion, kind: SchedulerKind, profile: str, main: SchedulerKind
) -> list[Problem]:
    """Return why two kinds of schedulers cannot act in one run: versions that read the same objects can."""
    joining = {_release(name): version for name, version in kind.versions.items() if version.reads_all}
    if companion.release is not None and companion.release not in joining:
        return [Problem("", "release", f"{companion.release!r} is none of {', '.join(joining)}")]
    if not main.versions[profile].reads_all:
        able = " and ".join(name for name, version in main.versions.items() if version.reads_all)
        return [Problem("", "scheduler", f"{kind.title} can't act beside {profile}, only beside {able}")]
    return []


def _join(
    companion: Companion, version: Version, made: dict[str, Made], owner: dict[str, str]
) -> list[Problem]:
    """Add a scheduler to those that are there; or return why it can't be."""
    kind = kinds()[companion.scheduler]
    if not any(version is one for one in kind.versions.values()):
        stem = kind.beside_others.rpartition("-")[0]
        version = kind.versions[f"{stem}-{companion.release}" if companion.release else kind.beside_others]
    try:
        joining = Made(kind, version, companion.config, version.build(companion.config))
    except BadInput as error:
        return [
            Problem("", f"config.{problem.field}".rstrip("."), problem.message) for problem in error.problems
        ]
    if kind.unique and any(one.kind is kind for one in made.values()):
        return [Problem("", "scheduler", f"a cluster has one {kind.title}, and there is one already")]
    profiles = joining.serves
    name = companion.name or profiles[0]
    if not _NAME.fullmatch(name):
        reason = "must have up to 63 letters, digits, '-', '_' and '.', a letter or digit at both ends"
        return [Problem("", "name", reason)]
    if name in made or _is_reserved(name, profiles):
        return [Problem("", "name", f"{name!r} is taken: give it another name")]
    taken = [profile for profile in profiles if profile in owner]
    if taken:
        return [
            Problem("", "config.profiles", f"{owner[profile]} schedules pods of {profile} already")
            for profile in taken
        ]
    made[name] = joining
    owner.update(dict.fromkeys(profiles, name))
    return []


def _is_reserved(name: str, profiles: list[str]) -> bool:
    """Return whether an actor has this name that is no scheduler of these profiles alone."""
    if name in (kinds()[BASE].actor, *ACTORS, *CONTROLLERS):
        return True
    owner = next((kind for kind in kinds().values() if name in kind.reserved), None)
    return owner is not None and (name != owner.actor or profiles != [name])


def _release(profile: str) -> str:
    return profile.rpartition("-")[2]
