"""Slices of an NVIDIA card in MIG mode: which profile serves an amount of memory, and where it is placed.

Source: HAMi v2.10.0 pkg/device/nvidia/device.go selectMigCandidate, mig_topology.go.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scheduler_core.hami.rules.cards import MigPlacement, MigProfile
from scheduler_core.schedulers.card_tables import MigSlice

_FROM_ABOVE = ("1g.", "3g.")


def choose_slice(
    profiles: Sequence[MigProfile], taken: Iterable[MigSlice], memory: int
) -> tuple[MigProfile, MigSlice] | None:
    """Return the least profile with so many MiB that has a free place, and that place."""
    occupied = list(taken)
    for profile in large_enough(profiles, memory):
        place = _free_place(profiles, occupied, profile.name)
        if place is not None:
            return profile, MigSlice(profile.name, place.start, place.size)
    return None


def large_enough(profiles: Iterable[MigProfile], memory: int) -> list[MigProfile]:
    """Return the profiles with so many MiB, in the order in which they are tried."""
    least_first = sorted(profiles, key=lambda profile: (profile.memory, profile.slice_count))
    return [profile for profile in least_first if profile.memory >= memory]


def _free_place(
    profiles: Sequence[MigProfile], occupied: Sequence[MigSlice], name: str
) -> MigPlacement | None:
    places = next(profile.placements for profile in profiles if profile.name == name)
    ordered = sorted(places, key=lambda place: -place.start if name.startswith(_FROM_ABOVE) else place.start)
    return next((place for place in ordered if not any(_overlap(place, one) for one in occupied)), None)


def _overlap(place: MigPlacement, taken: MigSlice) -> bool:
    return place.start < taken.start + taken.size and taken.start < place.start + place.size
