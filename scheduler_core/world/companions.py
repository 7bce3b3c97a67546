"""Several schedulers in one run: the one that the run is about, and those beside it.

Each schedules the pods that ask for one of its profiles by `schedulerName`; pods that ask for nobody's are
left alone.

Source: docs/semantics.md "Several schedulers".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from scheduler_core.hami.kube_scheduler import KubeWithHami, kube_part
from scheduler_core.objects.conversion import field_and_reason, plain_message
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.volcano.configuration import Configuration
from scheduler_core.volcano.controllers.actor import NAME as CONTROLLERS
from scheduler_core.volcano.opening import SCHEDULER_NAME
from scheduler_core.world.run_input import KINDS, Companion, RunInput
from scheduler_core.world.schedulers import SCHEDULERS, Built, Scheduler
from scheduler_core.world.timed_events import ACTORS

VOLCANO = SCHEDULER_NAME
"""The name of Volcano's scheduler, and whom pods ask for by schedulerName."""
HAMI = "hami-scheduler"
"""What the log calls the kube-scheduler that HAMi's release installs."""
MIXABLE = "kube-1.36"
"""The kube-scheduler that can act beside Volcano and HAMi."""
_MIXING = {"volcano": "Volcano", "hami": "HAMi"}
"""Kinds that act beside others, by name."""
KUBE_SCHEDULER = "kube-scheduler"
"""The name of the scheduler that a run is about."""
MOST = 20
"""So many schedulers at most act beside that one."""
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
    if entry.get("scheduler") == VOLCANO:
        return str(entry.get("name") or VOLCANO)
    if entry.get("scheduler") == "hami":
        config = entry.get("config") or {}
        profiles = (kube_part(config) or {}).get("profiles") or [
            {"schedulerName": config.get("schedulerName")}
        ]
        return str(entry.get("name") or profiles[0].get("schedulerName") or HAMI)
    profiles = (entry.get("config") or {}).get("profiles") or [{}]
    return str(entry.get("name") or profiles[0].get("schedulerName") or "default-scheduler")


def build_all(run_input: RunInput, scheduler: Scheduler) -> dict[str, Built]:
    """Return what all schedulers of a run are built as, by the scheduler's name.

    Raises BadInput where a configuration is wrong, where two schedulers have a name or a profile in common,
    and for a scheduler that cannot act beside the others.
    """
    problems: list[Problem] = []
    built: dict[str, Built] = {}
    first = main_name(scheduler)
    try:
        built[first] = scheduler.build(run_input.config)
    except BadInput as error:
        problems += error.problems
    owner = dict.fromkeys(_served(built[first]), first) if built else {}
    for place, companion in enumerate(run_input.beside):
        faults = _faults(companion, run_input)
        if not faults:
            faults = _join(companion, scheduler, built, owner)
        problems += [Problem(_where(place), fault.field, fault.message) for fault in faults]
    if problems:
        raise BadInput(problems)
    return built


def main_name(scheduler: Scheduler) -> str:
    """Return what the log calls the scheduler that a run is about."""
    return {"hami": HAMI, "volcano": VOLCANO}.get(scheduler.kind, KUBE_SCHEDULER)


def _served(built: Built) -> list[str]:
    """Return the `schedulerName`s whose pods a scheduler decides about."""
    return [VOLCANO] if isinstance(built, Configuration) else list(built)


def configurations_of(run_input: RunInput, names: Mapping[str, Any]) -> dict[str, dict[str, Any] | None]:
    """Return the configuration of each scheduler of a run, by its name; `names` are those that were built."""
    given = [run_input.config, *(companion.config for companion in run_input.beside)]
    return dict(zip(names, given, strict=True))


def _where(place: int) -> str:
    return f"beside[{place}]"


def _faults(companion: Companion, run_input: RunInput) -> list[Problem]:
    """Return why a scheduler cannot act in this run; the problems' objects are the caller's to name."""
    release = _release(run_input.profile)
    if companion.scheduler not in KINDS:
        return [Problem("", "scheduler", f"{companion.scheduler!r} is none of {', '.join(KINDS)}")]
    of_kind = [profile for profile, one in SCHEDULERS.items() if one.kind == companion.scheduler]
    if companion.scheduler in _MIXING or SCHEDULERS[run_input.profile].kind in _MIXING:
        return _faults_of_a_mixture(companion, run_input, of_kind)
    if companion.release is not None and f"kube-{companion.release}" not in SCHEDULERS:
        known = ", ".join(map(_release, SCHEDULERS))
        return [Problem("", "release", f"{companion.release!r} is none of {known}")]
    if companion.release not in (None, release):
        reason = f"{companion.release} can't act beside {release}: each reads the cluster in its own way"
        return [Problem("", "release", reason)]
    if SCHEDULERS[run_input.profile].release:
        reason = f"kube-scheduler {release} has one schedulerName, so that no other can act beside it"
        return [Problem("", "release", reason)]
    return []


def _faults_of_a_mixture(companion: Companion, run_input: RunInput, of_kind: list[str]) -> list[Problem]:
    """Return why Volcano or HAMi and another scheduler cannot act in one run: only the newest of each can."""
    newest = _release(of_kind[0])
    if companion.release not in (None, newest):
        return [Problem("", "release", f"{companion.release!r} is not {newest}")]
    main = SCHEDULERS[run_input.profile]
    if main.kind not in _MIXING and run_input.profile != MIXABLE:
        name = _MIXING[companion.scheduler]
        return [Problem("", "scheduler", f"{name} can't act beside {run_input.profile}, only {MIXABLE}")]
    return []


def _join(
    companion: Companion,
    scheduler: Scheduler,
    built: dict[str, Built],
    owner: dict[str, str],
) -> list[Problem]:
    """Add a scheduler to those that are there; or return why it can't be."""
    if companion.scheduler != scheduler.kind:
        scheduler = next(one for one in SCHEDULERS.values() if one.kind == companion.scheduler)
    try:
        made = scheduler.build(companion.config)
    except BadInput as error:
        return [
            Problem("", f"config.{problem.field}".rstrip("."), problem.message) for problem in error.problems
        ]
    if isinstance(made, KubeWithHami) and any(isinstance(one, KubeWithHami) for one in built.values()):
        return [Problem("", "scheduler", "a cluster has one HAMi, and there is one already")]
    profiles = _served(made)
    name = companion.name or profiles[0]
    if not _NAME.fullmatch(name):
        reason = "must have up to 63 letters, digits, '-', '_' and '.', a letter or digit at both ends"
        return [Problem("", "name", reason)]
    if (
        name in built
        or name in (KUBE_SCHEDULER, CONTROLLERS, *ACTORS)
        or (name == VOLCANO and profiles != [VOLCANO])
    ):
        return [Problem("", "name", f"{name!r} is taken: give it another name")]
    taken = [profile for profile in profiles if profile in owner]
    if taken:
        return [
            Problem("", "config.profiles", f"{owner[profile]} schedules pods of {profile} already")
            for profile in taken
        ]
    built[name] = made
    owner.update(dict.fromkeys(profiles, name))
    return []


def _release(profile: str) -> str:
    return profile.partition("-")[2]
