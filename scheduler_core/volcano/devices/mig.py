"""Cards that Volcano divides into MIG instances, by geometries that a ConfigMap lists for their model.

A card has the first geometry in which an instance is large enough, and keeps it. Of a geometry in use only
those profiles are given of which an instance is in use already, the one with the least memory first. An
instance is known by its geometry and its place there, as `GPU-1[group1-3]`.

What a session gives out counts as an instance only in the next one. So two of its pods may get the same one.

Source: volcano v1.16 pkg/scheduler/api/devices/nvidia/vgpu/mig.go, config/vgpu.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from scheduler_core.go.parse import parse_int
from scheduler_core.go.sort import go_sort

MIG = "mig"


class Profile(NamedTuple):
    """So many instances with so much memory, in the unit of the ConfigMap."""

    name: str
    memory: int
    instances: int


class Geometry(NamedTuple):
    """One way to divide a card; the places of its instances run through its profiles."""

    group: str
    profiles: tuple[Profile, ...]

    def start_of(self, profile: int) -> int:
        """Return the place of a profile's first instance."""
        return sum(one.instances for one in self.profiles[:profile])

    def profile_at(self, place: int) -> tuple[Profile, int] | None:
        """Return whose instance is at a place, and its number within the profile; None beyond them."""
        start = 0
        for profile in self.profiles:
            if place < start + profile.instances:
                return profile, place - start
            start += profile.instances
        return None

    def by_memory(self) -> list[tuple[int, Profile]]:
        """Return the profiles with their numbers, in the order in which they are tried."""
        found = list(enumerate(self.profiles))
        go_sort(found, lambda one, other: one[1].memory < other[1].memory)
        return found


class Instance(NamedTuple):
    """An instance of a card: its geometry's group, its place there, its profile and its memory."""

    group: str
    place: int
    profile: str
    memory: int

    def id_on(self, uuid: str) -> str:
        """Return how a pod's annotation names it."""
        return f"{uuid}[{self.group}-{self.place}]"


@dataclass
class ProfileUse:
    """Which instances of a profile are in use, by their numbers in it."""

    name: str
    memory: int
    numbers: list[int] = field(default_factory=list)


@dataclass
class MigCard:
    """The geometries that a card may have, which of them it has (-1: none yet), and what of it is in use."""

    geometries: tuple[Geometry, ...] = ()
    chosen: int = -1
    in_use: list[ProfileUse] = field(default_factory=list)

    def pick(self, memory: int) -> Instance | None:
        """Return the instance that a container with so much memory would get, None where there is none."""
        if self.chosen >= 0:
            return _pick(self.geometries[self.chosen], self.in_use, memory)
        found = (_pick(geometry, [], memory) for geometry in self.geometries)
        return next((one for one in found if one is not None), None)

    def take(self, group: str, place: int) -> int:
        """Count an instance that a pod's annotation names, also one that is in use; return its memory.

        0 for one of an unknown geometry. The real process ends at a place that the geometry doesn't have.
        """
        found = self._find(group, place)
        if found is None:
            return 0
        profile, number = found
        use = next((one for one in self.in_use if one.name == profile.name), None)
        if use is None:
            use = ProfileUse(profile.name, profile.memory)
            self.in_use.append(use)
        if number not in use.numbers:
            use.numbers = sorted([*use.numbers, number])
        return use.memory

    def give_back(self, group: str, place: int) -> int:
        """Count it no more; return its memory, 0 where none of its profile was in use. The geometry stays."""
        found = self._find(group, place)
        use = next((one for one in self.in_use if found is not None and one.name == found[0].name), None)
        if found is None or use is None:
            return 0
        if found[1] in use.numbers:
            use.numbers.remove(found[1])
        if not use.numbers:
            self.in_use.remove(use)
        return use.memory

    def at(self, group: str, place: int) -> Instance | None:
        """Return an instance by its geometry and place, None for one that is not known."""
        geometry = next((one for one in self.geometries if one.group == group), None)
        found = None if geometry is None else geometry.profile_at(place)
        return None if found is None else Instance(group, place, found[0].name, found[0].memory)

    def memory_of(self, group: str, place: int) -> int:
        """Return the memory of an instance, 0 for one that is not known."""
        found = self.at(group, place)
        return 0 if found is None else found.memory

    def used(self) -> Iterator[Instance]:
        """Yield the instances in use, by their places."""
        if self.chosen < 0:
            return
        geometry = self.geometries[self.chosen]
        uses = {one.name: one.numbers for one in self.in_use}
        for at, profile in enumerate(geometry.profiles):
            start = geometry.start_of(at)
            for number in uses.get(profile.name, ()):
                yield Instance(geometry.group, start + number, profile.name, profile.memory)

    def large_enough(self, memory: int) -> list[str]:
        """Return the names of the profiles with so much memory, in the order in which they are tried.

        Of a geometry that is chosen not all of them can be had (`pick`).
        """
        of = self.geometries if self.chosen < 0 else self.geometries[self.chosen :][:1]
        return [profile.name for one in of for _, profile in one.by_memory() if profile.memory >= memory]

    def copied(self) -> MigCard:
        return MigCard(self.geometries, self.chosen, [replace(one) for one in self.in_use])

    def _find(self, group: str, place: int) -> tuple[Profile, int] | None:
        for at, geometry in enumerate(self.geometries):
            if geometry.group == group:
                found = geometry.profile_at(place)
                if found is not None:
                    self.chosen = at
                return found
        return None


def instance_named(name: str) -> tuple[str, int] | None:
    """Return group and place of `GPU-1[group1-3]`, None for a name of another form."""
    start, end = name.find("["), name.find("]")
    if start == -1 or end == -1 or start > end:
        return None
    parts = name[start + 1 : end].split("-")
    place = parse_int(parts[1]) if len(parts) == 2 else None
    return None if place is None else (parts[0], place)


def _pick(geometry: Geometry, in_use: list[ProfileUse], memory: int) -> Instance | None:
    for at, profile in geometry.by_memory():
        if profile.memory < memory:
            continue
        if not in_use:
            return _instance(geometry, at, [])
        for use in in_use:
            if use.name == profile.name and profile.instances > len(use.numbers):
                return _instance(geometry, at, use.numbers)
    return None


def _instance(geometry: Geometry, at: int, taken: list[int]) -> Instance:
    profile = geometry.profiles[at]
    free = (number for number in range(profile.instances) if number not in taken)
    return Instance(geometry.group, geometry.start_of(at) + next(free, 0), profile.name, profile.memory)
