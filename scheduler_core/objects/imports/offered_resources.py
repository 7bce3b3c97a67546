"""Extended resources that pods ask for under a name that no node offers, where another one was meant.

`nvidia.com/gpus` is a name like any other to an API server; beside nodes that offer `nvidia.com/gpu` it is
most likely misspelt. Only a name that differs a little, in its domain or in what follows, is taken for that,
and never one with other digits: those are sizes.
"""

from collections.abc import Iterable
from typing import Any

from scheduler_core.objects.identity import spec_of
from scheduler_core.objects.imports.pods_with_devices import Devices
from scheduler_core.objects.kinds import DEVICE_CLASS, NODE, kind_of
from scheduler_core.objects.suggestions import VERY_CLOSE, closest

Object = dict[str, Any]


def asked_of_nodes(pod: Object) -> list[str]:
    """Return the resources with a domain that the containers of a pod ask for, in name order."""
    spec = spec_of(pod)
    containers = [*(spec.get("containers") or ()), *(spec.get("initContainers") or ())]
    resources = [container.get("resources") or {} for container in containers]
    names = {name for one in resources for side in ("requests", "limits") for name in one.get(side) or ()}
    return sorted(name for name in names if "/" in name)


class OfferedResources:
    """The resources with a domain that nodes offer, and those that DeviceClasses stand for."""

    def __init__(self) -> None:
        self._names: set[str] = set()
        self._classes: list[Object] = []

    @classmethod
    def of(cls, objects: Iterable[Object]) -> "OfferedResources":
        """Return what these objects offer."""
        offered = cls()
        for document in objects:
            offered.take(document)
        return offered

    def take(self, document: Object) -> None:
        """Take note of what an object offers, if it is a node or a DeviceClass."""
        kind = kind_of(document)
        if kind == NODE:
            status = document.get("status") or {}
            for amounts in (status.get("allocatable"), status.get("capacity")):
                self._names.update(name for name in amounts or () if "/" in name)
        elif kind == DEVICE_CLASS:
            self._classes.append(document)

    def meant_by(self, name: str) -> str | None:
        """Return the resource that is meant by one that is asked for; None where that may be meant."""
        if name in self._names or Devices(self._classes).offer(name):
            return None
        domain, _, short = name.partition("/")
        known = {tuple(one.split("/", 1)) for one in self._names if _digits(one) == _digits(name)}
        shorts = frozenset(other for of, other in known if of == domain)
        if meant := closest(short, shorts, VERY_CLOSE):
            return f"{domain}/{meant}"
        domains = frozenset(of for of, other in known if other == short)
        if meant := closest(domain, domains, VERY_CLOSE):
            return f"{meant}/{short}"
        return None


def _digits(name: str) -> str:
    return "".join(filter(str.isdigit, name))
