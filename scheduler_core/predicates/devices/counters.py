"""Counters that the devices of a pool share: partitions of one card can't be had together.

Source: kubernetes v1.36 dynamic-resource-allocation structured/internal/incubating checkAvailableCounters.
"""

from __future__ import annotations

from collections.abc import Iterable

from scheduler_core.objects.amounts.quantity import parse_quantity
from scheduler_core.objects.dynamic_resources import Counter, CounterConsumption, Device, DeviceId
from scheduler_core.predicates.devices.pools import Pool
from scheduler_core.state.devices_in_use import DevicesInUse

Counts = dict[str, dict[str, int]]
"""By counter set and counter, in units of 10^-9."""


class AvailableCounters:
    """What is left of counters beside devices in use, counted once an attempt, by the pool's name alone."""

    def __init__(self, taken: DevicesInUse) -> None:
        self._taken = taken
        self._left: dict[str, Counts] = {}

    def of(self, pool: Pool) -> Counts:
        """Return what is left of a pool's counters; of two drivers' pools with one name the first asked."""
        if pool.id.pool not in self._left:
            self._left[pool.id.pool] = self._counted(pool)
        return self._left[pool.id.pool]

    def _counted(self, pool: Pool) -> Counts:
        left = {name: _amounts(counters.counters) for name, counters in pool.counter_sets.items()}
        for one in [*pool.slices, *pool.elsewhere]:
            for device in one.spec.devices or ():
                if DeviceId(*pool.id, device.name) in self._taken.devices:
                    _subtract(left, device.consumes_counters or ())
        return left


class ConsumedCounters:
    """What the devices chosen in one search consume, by the pool's name."""

    def __init__(self, available: AvailableCounters) -> None:
        self._available = available
        self._consumed: dict[str, Counts] = {}

    def take(self, pool: Pool, device: Device) -> str | None:
        """Consume what a device does, unless a counter of the pool is then overdrawn: return that, or None.

        It is named `set/counter`.
        """
        left = self._available.of(pool)
        consumed = self._consumed.setdefault(pool.id.pool, {})
        for one in device.consumes_counters or ():
            counts = consumed.setdefault(one.counter_set, {})
            for name, amount in _amounts(one.counters).items():
                counts[name] = counts.get(name, 0) + amount
        for counter_set, counts in left.items():
            for name, amount in counts.items():
                if amount < consumed.get(counter_set, {}).get(name, 0):
                    self.give_back(pool, device)
                    return f"{counter_set}/{name}"
        return None

    def give_back(self, pool: Pool, device: Device) -> None:
        """Take back what a device consumed."""
        consumed = self._consumed[pool.id.pool]
        for one in device.consumes_counters or ():
            for name, amount in _amounts(one.counters).items():
                consumed[one.counter_set][name] -= amount


def _amounts(counters: dict[str, Counter]) -> dict[str, int]:
    return {name: parse_quantity(counter.value).nanos for name, counter in counters.items()}


def _subtract(left: Counts, consumption: Iterable[CounterConsumption]) -> None:
    for one in consumption:
        counts = left.get(one.counter_set, {})
        for name, amount in _amounts(one.counters).items():
            if name in counts:
                counts[name] -= amount
