"""How much of a device's capacity a request consumes, and whether that is left.

Source: kubernetes v1.36 dynamic-resource-allocation structured/internal/incubating consumable_capacity.go.
"""

from __future__ import annotations

from collections.abc import Mapping

from scheduler_core.objects.amounts.quantity import Quantity, parse_quantity
from scheduler_core.objects.dynamic_resources import (
    Amount,
    CapacityRange,
    CapacityRequestPolicy,
    CapacityRequirements,
    Device,
    DeviceCapacity,
)

_NANOS = 10**9
Nanos = Mapping[str, int]
"""Amounts by name, in units of 10^-9."""


def lacking(device: Device, wanted: CapacityRequirements | None, *taken: Nanos) -> str | None:
    """Return a capacity of which a device has too little beside what is taken, None where none is short."""
    capacities = device.capacity or {}
    requests = _requests(wanted)
    missing = next((name for name in requests if name not in capacities), None)
    if missing is not None:
        return missing
    for name, capacity in capacities.items():
        consumed = _consumed(requests.get(name), capacity)
        if _violates(consumed, capacity.request_policy):
            return name
        if consumed.nanos + sum(one.get(name, 0) for one in taken) > parse_quantity(capacity.value).nanos:
            return name
    return None


def consumption(device: Device, wanted: CapacityRequirements | None) -> dict[str, Quantity]:
    """Return what a request takes of each capacity of a device."""
    requests = _requests(wanted)
    return {
        name: _consumed(requests.get(name), capacity) for name, capacity in (device.capacity or {}).items()
    }


def _requests(wanted: CapacityRequirements | None) -> dict[str, Amount]:
    return {} if wanted is None else wanted.requests or {}


def _consumed(asked: Amount | None, capacity: DeviceCapacity) -> Quantity:
    policy = capacity.request_policy
    if asked is None:
        default = capacity.value if policy is None or policy.default is None else policy.default
        return parse_quantity(default)
    amount = parse_quantity(asked)
    if policy is None:
        return amount
    if policy.valid_range is not None and policy.valid_range.min is not None:
        return _rounded_to_range(amount, policy.valid_range)
    if policy.valid_values is not None:
        values = map(parse_quantity, policy.valid_values)
        return next((value for value in values if amount.nanos <= value.nanos), amount)
    return amount


def _rounded_to_range(amount: Quantity, allowed: CapacityRange) -> Quantity:
    least = parse_quantity(allowed.min)
    if amount.nanos < least.nanos:
        return least
    if allowed.step is None:
        return amount
    step, above = parse_quantity(allowed.step).value(), amount.value() - least.value()
    return Quantity((least.value() + step * -(-above // step)) * _NANOS, "BinarySI")


def _violates(amount: Quantity, policy: CapacityRequestPolicy | None) -> bool:
    if policy is None or (policy.default is not None and amount == parse_quantity(policy.default)):
        return False
    if policy.valid_range is not None:
        return _violates_range(amount, policy.valid_range)
    if policy.valid_values:
        return all(amount.nanos != parse_quantity(value).nanos for value in policy.valid_values)
    return False


def _violates_range(amount: Quantity, allowed: CapacityRange) -> bool:
    if allowed.max is not None and amount.nanos > parse_quantity(allowed.max).nanos:
        return True
    if allowed.step is None:
        return False
    above = amount.value() - parse_quantity(allowed.min).value()
    return above % parse_quantity(allowed.step).value() != 0
