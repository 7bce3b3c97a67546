"""Which devices are taken, and how much of those that several claims share.

Source: kubernetes v1.36 plugins/dynamicresources allocateddevices.go.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from scheduler_core.objects.amounts.quantity import parse_quantity
from scheduler_core.objects.dynamic_resources import Document, results_of
from scheduler_core.predicates.devices.identity import DeviceId


@dataclass
class InUse:
    """`devices` belong to somebody; of `shared` ones so much is consumed, in units of 10^-9."""

    devices: set[DeviceId] = field(default_factory=set)
    shared: dict[DeviceId, dict[str, int]] = field(default_factory=dict)


def in_use(allocations: Iterable[Document | None]) -> InUse:
    """Return what these allocations take together; a device with admin access belongs to nobody."""
    found = InUse()
    for allocation in allocations:
        for result in results_of(allocation):
            if result.get("adminAccess"):
                continue
            device = DeviceId(result["driver"], result["pool"], result["device"])
            if result.get("shareID") is None:
                found.devices.add(device)
            elif result.get("consumedCapacity") is not None:
                taken = found.shared.setdefault(device, {})
                for name, amount in result["consumedCapacity"].items():
                    taken[name] = taken.get(name, 0) + parse_quantity(amount).nanos
    return found
