"""Which kinds of schedulers there are: every package of the engine with a module `kind`, and those added.

kube-scheduler, which every cluster has, comes first, the others by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import Any

import scheduler_core
from scheduler_core.objects.kinds import Kind
from scheduler_core.objects.problems import Problem
from scheduler_core.schedulers.card_edits import CardEdits
from scheduler_core.schedulers.kind import SchedulerKind, Version
from scheduler_core.schedulers.names import BASE as BASE
from scheduler_core.schedulers.names import packages


def add(package: str) -> None:
    """Let a package with a module `kind` be one of the schedulers, such as one outside of the engine."""
    if package not in packages:
        packages.append(package)
        _forget()


def remove(package: str) -> None:
    """Undo `add`."""
    packages.remove(package)
    _forget()


@cache
def kinds() -> Mapping[str, SchedulerKind]:
    """Return the kinds by name."""
    own = (f"scheduler_core.{one.name}" for one in iter_modules(scheduler_core.__path__) if one.ispkg)
    own = (name for name in own if name != __package__ and find_spec(f"{name}.kind"))
    found = [import_module(f"{name}.kind").KIND for name in (*own, *packages)]
    found.sort(key=lambda kind: (kind.name != BASE, kind.name))
    return {kind.name: kind for kind in found}


@cache
def versions() -> Mapping[str, Version]:
    """Return the versions of all kinds by profile."""
    return {profile: version for kind in kinds().values() for profile, version in kind.versions.items()}


def kind_of_profile(profile: str) -> SchedulerKind | None:
    """Return the kind that has a profile, None for one that there is not."""
    return next((kind for kind in kinds().values() if profile in kind.versions), None)


def works_in_sessions(profile: str) -> bool:
    """Return whether a profile decides in sessions; false for one that there is not."""
    kind = kind_of_profile(profile)
    return kind is not None and kind.in_sessions


@cache
def own_kinds() -> frozenset[Kind]:
    """Return the kinds of objects that schedulers bring and read."""
    return frozenset(one for kind in kinds().values() for one in kind.own_kinds)


@cache
def pod_makers() -> frozenset[Kind]:
    """Return the kinds of these objects of which controllers make pods in a run."""
    return frozenset(one for kind in kinds().values() for one in kind.pod_makers)


def faults_of(document: dict[str, Any]) -> list[Problem]:
    """Return what is wrong with an object of a kind that a scheduler brings."""
    return [problem for kind in kinds().values() for problem in kind.faults_of(document)]


def tables() -> dict[str, type]:
    """Return the rows of the tables that the log has of schedulers, by the tables' names."""
    return {name: row for kind in kinds().values() for name, row in kind.tables.items()}


def job_name(group: str) -> str:
    """Return how the job of a pod group is called for readers, with or without its namespace."""
    for kind in kinds().values():
        group = kind.job_name(group)
    return group


def cards_by_resource(node: dict[str, Any]) -> dict[str, int]:
    """Return how many cards are behind a node's amounts of resources that count slots of shared cards."""
    found: dict[str, int] = {}
    for kind in kinds().values():
        found |= kind.cards_by_resource(node)
    return found


@cache
def card_wishes() -> frozenset[str]:
    """Return the annotations of pods that say which cards they want."""
    return frozenset(key for kind in kinds().values() for key in kind.card_wishes)


def registered_devices(node: dict[str, Any]) -> int:
    """Return how many devices that schedulers share a node registers."""
    return sum(kind.registered_devices(node) for kind in kinds().values())


def registration(node: dict[str, Any], name: str) -> dict[str, str]:
    """Return the annotations by which a new node like this one registers devices of its own, healthy."""
    found: dict[str, str] = {}
    for kind in kinds().values():
        found |= kind.registration(node, name)
    return found


def card_edits() -> list[CardEdits]:
    """Return what schedulers know of single cards: of those that share cards."""
    return [kind.card_edits for kind in kinds().values() if kind.card_edits is not None]


def _forget() -> None:
    for known in (kinds, versions, own_kinds, pod_makers, card_wishes):
        known.cache_clear()
