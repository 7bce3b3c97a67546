"""What of devices and claims came after the first stable release, behind feature gates that are off.

An API server with these gates off drops the fields, so that a cluster of its release has none of them.

Source: kubernetes v1.35 pkg/features, pkg/registry/resource strategies dropDisabledFields;
dynamic-resource-allocation structured/internal/incubating allocateOne, validateDeviceRequest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scheduler_core.objects.dynamic_resources import (
    Device,
    Document,
    ExactRequest,
    ResourceClaim,
    ResourceSlice,
)
from scheduler_core.objects.identity import spec_of
from scheduler_core.objects.kinds import RESOURCE_SLICE, kind_of
from scheduler_core.predicates.devices.requests import alternatives_of


def binding_gaps(objects: Iterable[Document]) -> list[str]:
    """Return in whole phrases that devices with binding conditions are ready at once, where there are some.

    kube-scheduler asks every 5 s whether a driver has met them, for 600 s at most. How long a driver takes
    stands nowhere.
    """
    slices = (one for one in objects if kind_of(one) == RESOURCE_SLICE)
    devices = (device for one in slices for device in spec_of(one).get("devices") or ())
    number = sum(bool(device.get("bindingConditions")) for device in devices)
    said = "1 device takes" if number == 1 else f"{number:,} devices take"
    return [f"the time that {said} to meet binding conditions"] if number else []


def newer_in_slices(slices: Iterable[ResourceSlice]) -> str:
    """Return the first such thing that a slice has, in words; empty where none has any."""
    return next((said for one in slices for said in _of_slice(one)), "")


def newer_in_claim(claim: ResourceClaim) -> str:
    """Return the first such thing that a claim has, in words; empty for none.

    So are alternatives that ask for all devices: the search takes one of them for another.
    """
    return next(_of_claim(claim), "")


def _of_slice(one: ResourceSlice) -> Iterator[str]:
    if one.spec.shared_counters:
        yield "shared counters"
    if one.spec.per_device_node_selection:
        yield "nodes by device"
    for device in one.spec.devices or ():
        yield from _of_device(device)


def _of_device(device: Device) -> Iterator[str]:
    if device.taints:
        yield "taints of devices"
    if device.consumes_counters:
        yield "shared counters"
    if device.binds_to_node or device.binding_conditions or device.binding_failure_conditions:
        yield "binding conditions"
    if device.allow_multiple_allocations:
        yield "devices that are shared by capacity"


def _of_claim(claim: ResourceClaim) -> Iterator[str]:
    if any(one.distinct_attribute is not None for one in claim.spec.devices.constraints or ()):
        yield "distinctAttribute"
    for _, has_alternatives, asked in alternatives_of(claim):
        for one in asked:
            yield from _of_request(one, has_alternatives=has_alternatives)


def _of_request(asked: ExactRequest, *, has_alternatives: bool) -> Iterator[str]:
    if asked.tolerations:
        yield "tolerations of taints of devices"
    if asked.capacity is not None:
        yield "requests for capacity"
    if has_alternatives and asked.allocation_mode == "All":
        yield "alternatives that ask for all devices"
