"""Profiles into which an Enflame card is cut: `2g.12gb` has two slices and 12 GiB.

Source: HAMi v2.10.0 pkg/device/enflame/device.go collectDRSProfiles, selectProfileByRequest, parseProfile.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from scheduler_core.go.parse import parse_int
from scheduler_core.hami.rules.cards import Request
from scheduler_core.hami.rules.encoding import Unreadable, decode_annotation
from scheduler_core.hami.rules.numbers import MAX_INT32


class Profile(NamedTuple):
    """Memory in GiB, cores as a share of a hundred."""

    name: str
    id: str
    slices: int
    memory: int
    cores: int


class SpecCard(msgspec.Struct, frozen=True):
    """A card as the node's capacity lists it."""

    index: str
    minor: str
    slots: int


class Spec(NamedTuple):
    """A node's cards, its profiles' ids by name, and the slices and GiB of the largest of them."""

    cards: tuple[SpecCard, ...]
    profiles: Mapping[str, str]
    slices: int
    memory: int


class _Card(msgspec.Struct):
    index: str = ""
    minor: str = ""
    capacity: int | float | str | None = None


class _Capacity(msgspec.Struct):
    devices: list[_Card] | None = None
    profiles: dict[str, str] | None = None


@lru_cache(maxsize=4096)
def read_spec(text: str) -> Spec | None:
    """Return what a node says of its cards, None where it can't be read or used."""
    try:
        found: _Capacity = decode_annotation(text, _Capacity)
    except Unreadable:
        return None
    sizes = [_size(name) for name in found.profiles or {}]
    slices, memory = max((size[0] for size in sizes), default=0), max((size[1] for size in sizes), default=0)
    slots = [_slots(item.capacity) for item in found.devices or ()]
    if slices <= 0 or any(number <= 0 for number in slots):
        return None
    cards = zip(found.devices or (), slots, strict=True)
    return Spec(
        tuple(SpecCard(item.index, item.minor, number) for item, number in cards),
        found.profiles or {},
        slices,
        memory if memory > 0 else slices,
    )


def choose_profile(customs: Sequence[Mapping[str, Any]], request: Request, by_size: bool) -> Profile | None:
    """Return the profile with just the slices asked for, or the smallest with enough memory and cores."""
    profiles = _profiles(customs)
    if not profiles:
        return None
    if not by_size:
        found = next((profile for profile in profiles if profile.slices == request.memory), None)
    else:
        memory = _gib(request.memory, profiles[-1].memory)
        fitting = (
            profile
            for profile in profiles
            if profile.memory >= memory and (request.cores <= 0 or profile.cores >= request.cores)
        )
        found = next(fitting, None)
    return found if found is not None and found.memory <= MAX_INT32 // 1024 else None


def _profiles(customs: Sequence[Mapping[str, Any]]) -> list[Profile]:
    """Return the profiles of a node's cards, the smallest first."""
    most = max((int(custom.get("maxSlice") or 0) for custom in customs), default=0)
    found: dict[str, Profile] = {}
    for custom in customs:
        for name, number in (custom.get("profiles") or {}).items():
            slices, memory = _size(name)
            if most > 0 and slices > 0 and memory > 0:
                found[name] = Profile(name, number, slices, memory, -(-slices * 100 // most))
    return sorted(found.values(), key=lambda profile: (profile.slices, profile.memory, profile.name))


def _gib(memory: int, largest: int) -> int:
    """Return GiB: a number of more than twice the largest profile counts MiB."""
    if memory <= 0:
        return 0
    return -(-memory // 1024) if largest > 0 and memory > 2 * largest else memory


def _size(name: str) -> tuple[int, int]:
    """Return a profile's slices and GiB, 0 for what can't be read."""
    parts = name.strip().lower().split(".")
    slices = parse_int(parts[0].strip().removesuffix("g")) if len(parts) > 1 else None
    if slices is None:
        return 0, 0
    return slices, parse_int(parts[1].strip().removesuffix("gb")) or 0


def _slots(capacity: int | float | str | None) -> int:
    if isinstance(capacity, str):
        capacity = parse_int(capacity.strip())
    return 0 if capacity is None or not -(2**31) <= capacity <= MAX_INT32 else int(capacity)
