"""What pods ask of Volcano's vGPUs as shapes of tasks, to measure how much of the cards they can take.

Of a pod that nobody has at hand the log has the sums of its containers' requests, read as one container.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from scheduler_core.events.state import PodRow
from scheduler_core.objects import types
from scheduler_core.schedulers.paper_fragmentation import Shape
from scheduler_core.volcano.devices.vgpu_requests import (
    CARD_TYPE,
    NO_PERCENTAGE,
    ContainerRequest,
    request_of,
)
from scheduler_core.volcano.devices.vgpu_settings import VgpuSettings
from scheduler_core.volcano.model.custom_resources import SCHEDULER_NAME

_OTHERS = ("cpu", "memory", "ephemeral-storage")
Object = Mapping[str, Any]


class AskedVgpus:
    """Reads what pods ask for under these settings; `pods` are those that are at hand."""

    schedulers = frozenset({SCHEDULER_NAME})

    def __init__(self, settings: VgpuSettings, pods: Iterable[Object] = ()) -> None:
        self._settings = settings
        self._known = {str(pod["metadata"]["uid"]): list(self._requests(pod)) for pod in pods}

    def _requests(self, pod: Object) -> Iterator[ContainerRequest]:
        """Yield what each container asks for; init containers ask for nothing, in Volcano's count."""
        for one in (pod.get("spec") or {}).get("containers") or ():
            limits = ((one.get("resources") or {}).get("limits")) or {}
            if not self._settings.asking.isdisjoint(limits):
                yield request_of(types.convert(one, types.Container), self._settings)

    def parts(self, row: PodRow) -> dict[str, list[Shape]]:
        """Return what each container of a pod asks for, by vendor; nothing of one without cards."""
        asked = self._known.get(row.uid)
        if asked is None:
            asked = list(self._requests({"spec": {"containers": [_as_one_container(row.requests)]}}))
        cpu = row.requests.get("cpu", 0)
        return {CARD_TYPE: [_shape(one, cpu) for one in asked]} if asked else {}

    def shapes(self, row: PodRow) -> dict[str, Shape]:
        """Return the parts put together: all the cards, with as much of each as the first part asks for."""
        return {
            vendor: parts[0]._replace(number=sum(part.number for part in parts))
            for vendor, parts in self.parts(row).items()
        }


def _as_one_container(requests: Mapping[str, int]) -> dict[str, Any]:
    limits = {name: str(amount) for name, amount in requests.items() if name not in _OTHERS}
    return {"name": "", "resources": {"limits": limits}}


def _shape(asked: ContainerRequest, cpu: int) -> Shape:
    by_memory = asked.percentage == NO_PERCENTAGE
    share = 0 if by_memory else asked.percentage
    return Shape(cpu, asked.number, 10 * max(share, asked.cores), asked.memory if by_memory else 0)
