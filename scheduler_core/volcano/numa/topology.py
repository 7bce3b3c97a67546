"""What a Numatopology says of its node: policies, which cpus are free, and where each cpu lies.

Source: volcano v1.16 pkg/scheduler/cache/event_handlers.go getNumaInfo, api/numa_info.go;
k8s.io/utils/cpuset Parse.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from scheduler_core.go.parse import parse_int
from scheduler_core.objects import types
from scheduler_core.objects.amounts.go_quantity import go_quantity
from scheduler_core.objects.types import KubernetesObject, ObjectMeta, ResourceList

Cpus = frozenset[int]
_MILLI = -3


class Cpu(NamedTuple):
    """Where a cpu lies."""

    numa: int
    socket: int
    core: int


class NumaResource(KubernetesObject, frozen=True):
    allocatable: str = ""
    capacity: int = 0


class NumaCpu(KubernetesObject, frozen=True):
    numa: int = 0
    socket: int = 0
    core: int = 0


class NumatopologySpec(KubernetesObject, rename="camel", frozen=True):
    policies: dict[str, str] | None = None
    numares: dict[str, NumaResource] | None = None
    cpu_detail: dict[str, NumaCpu] | None = None
    res_reserved: ResourceList | None = None


class Numatopology(KubernetesObject, frozen=True):
    metadata: ObjectMeta
    spec: NumatopologySpec = NumatopologySpec()


@dataclass(frozen=True)
class NodeTopology:
    """`free` are the cpus that a kubelet may hand out; `reserved` how many of all cpus it keeps for itself.

    manager: the kubelet's topology manager policy; is_static: whether its cpu manager hands out whole cpus.
    """

    manager: str
    is_static: bool
    free: Cpus
    reserved: int
    cpus: Mapping[int, Cpu]

    @property
    def numa_nodes(self) -> list[int]:
        """The numbers of the NUMA nodes."""
        return sorted({cpu.numa for cpu in self.cpus.values()})


def topologies_of(objects: Iterable[Mapping[str, Any]]) -> dict[str, NodeTopology]:
    """Return what Numatopologies say, by node."""
    found = (types.convert(dict(item), Numatopology) for item in objects)
    return {one.metadata.name: topology_of(one) for one in found}


def topology_of(item: Numatopology) -> NodeTopology:
    """Return what a Numatopology says."""
    spec = item.spec
    policies, resources = spec.policies or {}, spec.numares or {}
    cpus = {
        parse_int(number) or 0: Cpu(one.numa, one.socket, one.core)
        for number, one in (spec.cpu_detail or {}).items()
    }
    reserved = (spec.res_reserved or {}).get("cpu")
    return NodeTopology(
        policies.get("TopologyManagerPolicy", ""),
        policies.get("CPUManagerPolicy") == "static",
        _cpu_set(resources["cpu"].allocatable) if "cpu" in resources else frozenset(),
        0 if reserved is None else math.ceil(go_quantity(reserved).in_units_of(_MILLI) / 1000),
        cpus,
    )


def _cpu_set(text: str) -> Cpus:
    """Read `0,2-4`; a list with anything else in it is as good as empty."""
    found: set[int] = set()
    for part in text.split(",") if text else ():
        first, _, last = part.partition("-")
        start, end = parse_int(first), parse_int(last or first)
        if start is None or end is None or start > end:
            return frozenset()
        found.update(range(start, end + 1))
    return frozenset(found)
