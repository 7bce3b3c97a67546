"""A release with one part of another: what a trial plays to find out which difference changes a decision.

A release is a value, and so is one that has a plugin, the framework's code or a field of pods as another
release has it. Between two releases that are no neighbours a part may change several times; each step is an
exchange of its own, which has the part as it was after that step.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

from scheduler_core.kube.framework_releases.between import ReleaseChange, changes_between
from scheduler_core.kube.framework_releases.table import FRAMEWORK_RELEASES
from scheduler_core.kube.plugins.default_preemption import DefaultPreemption
from scheduler_core.kube.plugins.node_resources_fit import NodeResourcesFit
from scheduler_core.kube.plugins.node_volume_limits import NodeVolumeLimits
from scheduler_core.kube.plugins.non_csi_limits import AzureDiskLimits, EBSLimits, GCEPDLimits
from scheduler_core.kube.plugins.volume_binding import VolumeBinding
from scheduler_core.kube.registry import Registry
from scheduler_core.kube.release import Area, Release

DECIDING: tuple[Area, ...] = ("scores", "filters", "preemption")
"""The areas of differences that may change an attempt. Those of pods do so by what pods ask for."""


class Exchange(NamedTuple):
    """A release with one part as another one has it, and what that changes, in words."""

    release: Release
    changes: tuple[ReleaseChange, ...]


class _Part(NamedTuple):
    """What is exchanged together: plugins by name, and fields of a release."""

    plugins: tuple[str, ...]
    fields: tuple[str, ...] = ()

    def of(self, release: Release) -> tuple[Any, ...]:
        """Return the part as a release has it."""
        entries = map(release.registry.by_name.get, self.plugins)
        return (*entries, *(getattr(release, name) for name in self.fields))

    def put_into(self, release: Release, giver: Release) -> Release:
        """Return a release with this part of another."""
        registry = _with_plugins(release.registry, giver.registry, self.plugins)
        return replace(release, registry=registry, **{name: getattr(giver, name) for name in self.fields})

    def is_meant(self, change: ReleaseChange) -> bool:
        """Tell whether a change is one of this part."""
        return change.area in DECIDING and not {*change.plugin.split(", ")}.isdisjoint(self.plugins)


class _Fields(_Part):
    """The fields of pods that an API server drops."""

    def is_meant(self, change: ReleaseChange) -> bool:
        return change.area == "pods"


_TOGETHER = (
    _Part((NodeResourcesFit.name,), ("accounting",)),
    _Part((VolumeBinding.name,), ("gates",)),
    _Part((NodeVolumeLimits.name, EBSLimits.name, GCEPDLimits.name, AzureDiskLimits.name)),
    _Part((DefaultPreemption.name, ""), ("profile",)),
    _Fields((), ("drops",)),
)
"""Parts that are more than one plugin, since either is of no use without the other."""


def exchanges(one: str, other: str) -> list[list[Exchange]]:
    """Return for each part in which two minor releases differ the first release with that part of the other.

    The exchanges of a part stand in the order of the steps from the first release to the other. A step that
    says nothing of decisions has no changes. Raises ValueError where either is no release of the framework.
    """
    chain = _chain(one, other)
    found = [list(_steps(part, chain)) for part in _parts(chain)]
    return [steps for steps in found if steps]


def _steps(part: _Part, chain: Sequence[Release]) -> Iterator[Exchange]:
    first = chain[0]
    for before, after in pairwise(chain):
        if part.of(before) != part.of(after):
            changes = filter(part.is_meant, changes_between(before.minor, after.minor))
            yield Exchange(part.put_into(first, after), tuple(changes))


def _chain(one: str, other: str) -> list[Release]:
    """Return the releases from the first to the other, both included."""
    minors = list(FRAMEWORK_RELEASES)
    first, last = minors.index(one), minors.index(other)
    between = minors[min(first, last) : max(first, last) + 1]
    return [FRAMEWORK_RELEASES[minor] for minor in (between if first <= last else reversed(between))]


def _parts(chain: Sequence[Release]) -> list[_Part]:
    names = dict.fromkeys(name for release in chain for name in release.registry.by_name)
    of_several = {name for part in _TOGETHER for name in part.plugins}
    return [*_TOGETHER, *(_Part((name,)) for name in names if name not in of_several)]


def _with_plugins(registry: Registry, giver: Registry, names: Sequence[str]) -> Registry:
    """Return plugins with some of them as the giver has them; those that it lacks are left out."""
    for name in names:
        wanted = giver.by_name.get(name)
        if wanted is None:
            registry = registry.without(name) if name in registry.by_name else registry
        elif name in registry.by_name:
            registry = Registry(*(wanted if each.name == name else each for each in registry.entries))
        else:
            registry = registry.inserted(wanted, before=_next_in(registry, giver, name))
    return registry


def _next_in(registry: Registry, giver: Registry, name: str) -> str:
    """Return before whom a plugin stands; empty where nobody who comes after it is there."""
    order = list(giver.by_name)
    return next((each for each in order[order.index(name) + 1 :] if each in registry.by_name), "")
