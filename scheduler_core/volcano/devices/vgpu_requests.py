"""What a pod asks of Volcano's vGPUs: so many cards with so much memory and cores, for each container.

Source: volcano v1.16 pkg/scheduler/api/devices/util.go ExtractResourceRequest,
api/devices/nvidia/vgpu/utils.go, type.go, api/devices/config/vgpu.go, config.go (the defaults).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from scheduler_core.go.arithmetic import int32
from scheduler_core.objects.amounts.go_quantity import as_int64
from scheduler_core.objects.types import Container
from scheduler_core.volcano.devices.vgpu_settings import VgpuSettings
from scheduler_core.volcano.model.custom_resources import GROUP_NAME
from scheduler_core.volcano.model.tasks import Task

CARD_TYPE = "NVIDIA"
MODE = "volcano.sh/vgpu-mode"
_USE_TYPE, _NO_USE_TYPE = "nvidia.com/use-gputype", "nvidia.com/nouse-gputype"
USE_UUID, NO_USE_UUID = "volcano.sh/vgpu-use-gpuuuid", "volcano.sh/vgpu-nouse-gpuuuid"
_GROUP_POLICY = "volcano.sh/vgpu-podgroup-policy"
_VOLCANO_GROUP_NAME = "scheduling.volcano.sh/group-name"
_WHOLE, NO_PERCENTAGE = 100, 101
_READ = (MODE, _USE_TYPE, _NO_USE_TYPE, USE_UUID, NO_USE_UUID)
WISHES = frozenset((*_READ, _GROUP_POLICY))
"""The annotations by which pods say which cards they want."""


class ContainerRequest(NamedTuple):
    """`number` of cards; memory in MiB, or in percent of the card unless that is 101; cores in percent."""

    number: int
    memory: int
    percentage: int
    cores: int

    def memory_on(self, size: int) -> int:
        """Return what is asked of a card of this size, in MiB."""
        if self.percentage == NO_PERCENTAGE:
            return self.memory
        return int(size * self.percentage / 100)


class Wish(NamedTuple):
    """A pod's request, and which cards it lets be taken."""

    containers: tuple[ContainerRequest, ...]
    mode: str | None
    use_types: tuple[str, ...] | None
    no_use_types: tuple[str, ...]
    use_uuids: frozenset[str]
    no_use_uuids: frozenset[str]
    apart_from: str
    """The pod group no pod of which may be on the same card, empty for none."""

    def likes_type(self, card_type: str) -> bool:
        """Return whether a card's type is wanted: any part of it counts, in upper or lower case."""
        if CARD_TYPE not in card_type:
            return False
        upper = card_type.upper()
        if self.use_types is not None:
            return any(part in upper for part in self.use_types)
        return not any(part in upper for part in self.no_use_types)

    def likes_uuid(self, uuid: str) -> bool:
        """Return whether a card may be taken by its id."""
        if not uuid and (self.use_uuids or self.no_use_uuids):
            return False
        return (not self.use_uuids or uuid in self.use_uuids) and uuid not in self.no_use_uuids


class Wishes:
    """What pods ask for by the resources of some settings. The nodes of a session share it."""

    def __init__(self, settings: VgpuSettings | None = None) -> None:
        self.settings = settings or VgpuSettings()
        self._known: dict[str, Wish] = {}

    def asks(self, task: Task) -> bool:
        """Return whether a container has a limit of vGPUs or of their memory."""
        return next(self._asking(task), None) is not None

    def asking_containers(self, task: Task) -> list[str]:
        """Return the names of the containers that ask for cards."""
        return [one.name or "" for one in self._asking(task)]

    def of(self, task: Task) -> Wish:
        """Return what a pod asks for. Raises QuantityError for an amount that can't be read."""
        if task.uid not in self._known:
            asked = tuple(request_of(one, self.settings) for one in self._asking(task))
            self._known[task.uid] = _wish(task, asked)
        return self._known[task.uid]

    def _asking(self, task: Task) -> Iterator[Container]:
        asking = self.settings.asking
        for one in task.pod.spec.containers or ():
            if not _limits(one).keys().isdisjoint(asking):
                yield one


def _wish(task: Task, containers: tuple[ContainerRequest, ...]) -> Wish:
    use_types = task.annotation(_USE_TYPE)
    apart = group_of(task) if task.annotation(_GROUP_POLICY) == "spread" else ""
    return Wish(
        containers,
        task.annotation(MODE),
        None if use_types is None else _upper_parts(use_types),
        _upper_parts(task.annotation(_NO_USE_TYPE)),
        _uuids(task.annotation(USE_UUID)),
        _uuids(task.annotation(NO_USE_UUID)),
        apart,
    )


def told_apart_by(task: Task) -> list[str | None]:
    """Return what a card's verdict reads of a pod beside its containers."""
    apart = group_of(task) if task.annotation(_GROUP_POLICY) == "spread" else None
    return [*map(task.annotation, _READ), apart]


def group_of(task: Task) -> str:
    """Return the pod group that a card remembers of a pod, as `namespace/name`; empty where there is none."""
    name = task.annotation(GROUP_NAME) or task.annotation(_VOLCANO_GROUP_NAME)
    return f"{task.namespace}/{name}" if name else ""


def _upper_parts(text: str | None) -> tuple[str, ...]:
    return () if text is None else tuple(part.upper() for part in text.split(","))


def _uuids(text: str | None) -> frozenset[str]:
    return frozenset(part.strip() for part in (text or "").split(",") if part.strip())


def request_of(container: Container, settings: VgpuSettings) -> ContainerRequest:
    """Return what a container asks for. Raises QuantityError for an amount that can't be read."""
    limits = _limits(container)
    number = as_int64(limits[settings.number]) or 0 if settings.number in limits else 1
    memory = _amount(container, settings.memory) or 0
    percentage = _amount(container, settings.percentage)
    if percentage in (None, NO_PERCENTAGE):
        percentage = NO_PERCENTAGE if memory else _WHOLE
    return ContainerRequest(int32(number), memory, percentage, _amount(container, settings.cores) or 0)


def _amount(container: Container, name: str) -> int | None:
    """Return a limit, or else a request; None for none, and for a number that is too large to be read."""
    for amounts in (_limits(container), _requests(container)):
        if name in amounts:
            number = as_int64(amounts[name])
            return None if number is None else int32(number)
    return None


def _limits(container: Container) -> Mapping[str, str | int | float]:
    return (container.resources.limits if container.resources else None) or {}


def _requests(container: Container) -> Mapping[str, str | int | float]:
    return (container.resources.requests if container.resources else None) or {}
