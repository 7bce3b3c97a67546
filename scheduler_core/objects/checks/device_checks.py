"""What must be right in claims for devices, their templates and classes, and in what drivers offer.

The form is that of resource.k8s.io/v1, which v1beta2 has, too. In v1beta1 requests and devices were written
otherwise: read as v1 they would ask for nothing, and offer nothing. A selector may lack its expression: in
clusters under other names it is left out, and the pods that need it are not decided.

Source: kubernetes v1.36 resource.k8s.io/v1; pkg/apis/resource/validation.
"""

from __future__ import annotations

from collections.abc import Iterable

from scheduler_core.objects.checks.field_rules import MAX_INT64, Findings
from scheduler_core.objects.checks.pod_checks import TAINT_EFFECTS, check_node_selector
from scheduler_core.objects.dynamic_resources import (
    Allocation,
    CounterConsumption,
    CounterSet,
    Device,
    DeviceClaim,
    DeviceRequest,
    DeviceStatus,
    Document,
    ExactRequest,
    ResourceClaim,
    ResourceClaimTemplate,
    ResourceSlice,
)

_MODES = ("ExactCount", "All")
_DEVICE_EFFECTS = ("None", *TAINT_EFFECTS)
_OLD_FORM = "{} in the form of resource.k8s.io/v1: print the objects by `kubectl get {}.v1.resource.k8s.io`"


def check_resource_claim(findings: Findings, claim: ResourceClaim) -> None:
    """Note what is wrong with a claim."""
    _check_devices(findings, "spec.devices", claim.spec.devices, "resourceclaims")
    if claim.status.allocation:
        _check_allocation(findings, "status.allocation", claim.status.allocation)
    for index, said in enumerate(claim.status.devices or ()):
        path = f"status.devices[{index}]"
        status = findings.view(path, said, DeviceStatus)
        for place, condition in enumerate((status and status.conditions) or ()):
            if not condition.type:
                findings.add(f"{path}.conditions[{place}].type", "must not be empty")


def _check_allocation(findings: Findings, path: str, document: Document) -> None:
    """Note what is wrong with what a claim was given."""
    allocation = findings.view(path, document, Allocation)
    if allocation is None:
        return
    findings.timestamp(f"{path}.allocationTimestamp", allocation.allocation_timestamp)
    if allocation.node_selector is not None:
        check_node_selector(findings, f"{path}.nodeSelector", allocation.node_selector)
    for index, given in enumerate(allocation.devices.results or ()):
        place = f"{path}.devices.results[{index}]"
        for field, value in (("driver", given.driver), ("pool", given.pool), ("device", given.device)):
            if not value:
                findings.add(f"{place}.{field}", "must not be empty")
        findings.amounts(f"{place}.consumedCapacity", given.consumed_capacity)


def check_claim_template(findings: Findings, template: ResourceClaimTemplate) -> None:
    """Note what is wrong with the claims that a template makes."""
    _check_devices(findings, "spec.spec.devices", template.spec.spec.devices, "resourceclaimtemplates")


def _check_devices(findings: Findings, path: str, devices: DeviceClaim, plural: str) -> None:
    for index, request in enumerate(devices.requests or ()):
        _check_request(findings, f"{path}.requests[{index}]", request, plural)


def _check_request(findings: Findings, path: str, request: DeviceRequest, plural: str) -> None:
    if request.exactly is None and not request.first_available:
        findings.add(path, _OLD_FORM.format("must have exactly or firstAvailable,", plural))
    if request.exactly is not None:
        _check_exact(findings, f"{path}.exactly", request.exactly)
    for index, alternative in enumerate(request.first_available or ()):
        _check_exact(findings, f"{path}.firstAvailable[{index}]", alternative)


def _check_exact(findings: Findings, path: str, asked: ExactRequest) -> None:
    if not asked.device_class_name:
        findings.add(f"{path}.deviceClassName", "must not be empty")
    findings.choice(f"{path}.allocationMode", asked.allocation_mode, _MODES)
    findings.within(f"{path}.count", asked.count, 0, MAX_INT64)
    if asked.capacity is not None:
        findings.amounts(f"{path}.capacity.requests", asked.capacity.requests)


def check_resource_slice(findings: Findings, offered: ResourceSlice) -> None:
    """Note what is wrong with a slice and its devices."""
    spec = offered.spec
    for field, value in (("driver", spec.driver), ("pool.name", spec.pool.name)):
        if not value:
            findings.add(f"spec.{field}", "must not be empty")
    for field, number in (
        ("generation", spec.pool.generation),
        ("resourceSliceCount", spec.pool.resource_slice_count),
    ):
        findings.within(f"spec.pool.{field}", number, -MAX_INT64 - 1, MAX_INT64)
    if spec.node_selector is not None:
        check_node_selector(findings, "spec.nodeSelector", spec.node_selector)
    _check_counters(findings, "spec.sharedCounters", spec.shared_counters)
    for index, device in enumerate(spec.devices or ()):
        _check_device(findings, f"spec.devices[{index}]", device)


def _check_device(findings: Findings, path: str, device: Device) -> None:
    if device.basic is not None:
        findings.add(f"{path}.basic", _OLD_FORM.format("must be", "resourceslices"))
    if not device.name:
        findings.add(f"{path}.name", "must not be empty")
    for name, attribute in (device.attributes or {}).items():
        findings.within(f"{path}.attributes.{name}.int", attribute.int_, -MAX_INT64 - 1, MAX_INT64)
    for name, capacity in (device.capacity or {}).items():
        findings.amount(f"{path}.capacity.{name}.value", capacity.value)
    if device.node_selector is not None:
        check_node_selector(findings, f"{path}.nodeSelector", device.node_selector)
    _check_counters(findings, f"{path}.consumesCounters", device.consumes_counters)
    for index, taint in enumerate(device.taints or ()):
        findings.choice(f"{path}.taints[{index}].effect", taint.effect, _DEVICE_EFFECTS)


def _check_counters(
    findings: Findings, path: str, sets: Iterable[CounterSet | CounterConsumption] | None
) -> None:
    for index, one in enumerate(sets or ()):
        for name, counter in one.counters.items():
            findings.amount(f"{path}[{index}].counters.{name}.value", counter.value)
