"""Which devices are taken, and how much of those that several claims share.

Source: kubernetes v1.36 plugins/dynamicresources allocateddevices.go.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scheduler_core.objects.amounts.quantity import parse_quantity
from scheduler_core.objects.dynamic_resources import DeviceId, Document, results_of


class DevicesInUse:
    """`devices` belong to somebody, by how many allocations have them.

    Of `shared` ones so much is consumed, in units of 10^-9. `version` grows with each change.
    """

    def __init__(self, allocations: Iterable[Document | None] = ()) -> None:
        self.devices: dict[DeviceId, int] = {}
        self.shared: dict[DeviceId, dict[str, int]] = {}
        self.version = 0
        self._shares: dict[DeviceId, int] = {}
        self._changed: dict[str, int] = {}
        """The version in which a device of a pool changed last, by the pool's name; the last come last."""
        for allocation in allocations:
            self.count(allocation, 1)

    def count(self, allocation: Document | None, sign: int) -> None:
        """Count what an allocation takes in (1) or out (-1); admin access takes nothing."""
        for result in results_of(allocation):
            if result.get("adminAccess"):
                continue
            device = DeviceId(result["driver"], result["pool"], result["device"])
            if result.get("shareID") is None:
                _count(self.devices, device, sign)
            elif result.get("consumedCapacity") is not None:
                self._share(device, result["consumedCapacity"], sign)
            self.version += 1
            self._changed.pop(device.pool, None)
            self._changed[device.pool] = self.version

    def pools_since(self, version: int) -> Iterator[str]:
        """Yield the names of pools of which a device changed after a version."""
        for pool, changed in reversed(self._changed.items()):
            if changed <= version:
                return
            yield pool

    def _share(self, device: DeviceId, consumed: Document, sign: int) -> None:
        _count(self._shares, device, sign)
        if device not in self._shares:
            del self.shared[device]
            return
        taken = self.shared.setdefault(device, {})
        for name, amount in consumed.items():
            taken[name] = taken.get(name, 0) + sign * parse_quantity(amount).nanos


def _count(numbers: dict[DeviceId, int], device: DeviceId, sign: int) -> None:
    number = numbers.get(device, 0) + sign
    if number:
        numbers[device] = number
    else:
        del numbers[device]
