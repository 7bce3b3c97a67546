"""Volcano's settings of vGPUs: how their resources are called, and by which geometries MIG divides cards.

They stand in a ConfigMap that deviceshare names; without it, or if it can't be read, its defaults hold.
A ConfigMap replaces all of them: what it leaves out is empty.

Source: volcano v1.16 pkg/scheduler/api/devices/config/config.go, vgpu.go.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import msgspec

from scheduler_core.objects.privacy.configurations import configurations_in
from scheduler_core.volcano.configuration.vgpu_config_map import USUAL_PLACE, Place, place_of
from scheduler_core.volcano.devices.mig import Geometry, Profile

NUMBER, MEMORY, CORES = "volcano.sh/vgpu-number", "volcano.sh/vgpu-memory", "volcano.sh/vgpu-cores"
_ENTRY = "device-config.yaml"

Object = Mapping[str, Any]


class KnownGeometries(NamedTuple):
    """The geometries of cards whose type has one of these models in it."""

    models: tuple[str, ...]
    geometries: tuple[Geometry, ...]


@dataclass(frozen=True)
class VgpuSettings:
    """The names of resources, empty for one that nobody can ask for.

    memory_factor: so many units of a geometry's memory are one of a card's.
    """

    number: str = NUMBER
    memory: str = MEMORY
    percentage: str = ""
    cores: str = CORES
    memory_factor: int = 1
    known: tuple[KnownGeometries, ...] = ()

    @cached_property
    def asking(self) -> frozenset[str]:
        """The resources by one of which a container asks for cards."""
        return frozenset({self.number, self.memory})

    def geometries_of(self, card_type: str) -> tuple[Geometry, ...] | None:
        """Return the geometries that cards of a type may have, None if no model is in the type."""
        found = (one for one in self.known if any(model in card_type for model in one.models))
        return next((one.geometries for one in found), None)


def vgpu_settings(config_maps: Iterable[Object], place: Place = USUAL_PLACE) -> VgpuSettings:
    """Return what the ConfigMap at a place (namespace, name) says, the defaults where there is none."""
    found = (item for item in config_maps if place_of(item) == place)
    return next((_settings_in((item.get("data") or {}).get(_ENTRY)) for item in found), VgpuSettings())


@lru_cache(maxsize=16)
def _settings_in(text: Any) -> VgpuSettings:
    documents = [document for _, document in configurations_in(text)]
    try:
        read = msgspec.convert(documents[0], _Document) if documents else None
    except msgspec.ValidationError:
        read = None
    return VgpuSettings() if read is None else read.nvidia.settings()


class _Profile(msgspec.Struct):
    name: str = ""
    memory: int = 0
    count: int = 0


class _Geometry(msgspec.Struct):
    group: str = ""
    geometries: list[_Profile] | None = None


class _Known(msgspec.Struct):
    models: list[str] | None = None
    allowed: list[_Geometry] | None = msgspec.field(default=None, name="allowedGeometries")


class _Nvidia(msgspec.Struct, rename="camel"):
    resource_count_name: str = ""
    resource_memory_name: str = ""
    resource_memory_percentage_name: str = ""
    resource_core_name: str = ""
    gpu_memory_factor: int = 0
    known: list[_Known] | None = msgspec.field(default=None, name="knownMigGeometries")

    def settings(self) -> VgpuSettings:
        return VgpuSettings(
            self.resource_count_name,
            self.resource_memory_name,
            self.resource_memory_percentage_name,
            self.resource_core_name,
            max(1, self.gpu_memory_factor),
            tuple(KnownGeometries(tuple(one.models or ()), _geometries(one)) for one in self.known or ()),
        )


class _Document(msgspec.Struct):
    nvidia: _Nvidia = msgspec.field(default_factory=_Nvidia)


def _geometries(known: _Known) -> tuple[Geometry, ...]:
    return tuple(
        Geometry(one.group, tuple(Profile(p.name, p.memory, p.count) for p in one.geometries or ()))
        for one in known.allowed or ()
    )
