"""Objects of dynamic resource allocation: claims, device classes and the slices that offer devices.

Typed views like those of `scheduler_core.objects.types`, made by its `convert`. What is only handed on, such
as opaque configuration or what a claim was given, stays as it came. Amounts stay as written.

Source: kubernetes v1.36 resource.k8s.io/v1.
"""

from typing import Any, NamedTuple

import msgspec

from scheduler_core.objects.types import KubernetesObject, NodeSelector, ObjectMeta, Toleration

Amount = str | int | float
Document = dict[str, Any]


# -- what there is ---------------------------------------------------------------------------------------


class DeviceAttribute(KubernetesObject, rename="camel", frozen=True):
    """One of its fields says the value."""

    string: str | None = None
    int_: int | None = msgspec.field(default=None, name="int")
    bool_: bool | None = msgspec.field(default=None, name="bool")
    version: str | None = None


class CapacityRange(KubernetesObject, rename="camel", frozen=True):
    min: Amount | None = None
    max: Amount | None = None
    step: Amount | None = None


class CapacityRequestPolicy(KubernetesObject, rename="camel", frozen=True):
    default: Amount | None = None
    valid_values: list[Amount] | None = None
    valid_range: CapacityRange | None = None


class DeviceCapacity(KubernetesObject, rename="camel", frozen=True):
    value: Amount = "0"
    request_policy: CapacityRequestPolicy | None = None


class Counter(KubernetesObject, rename="camel", frozen=True):
    value: Amount = "0"


class CounterSet(KubernetesObject, rename="camel", frozen=True):
    name: str = ""
    counters: dict[str, Counter] = {}


class CounterConsumption(KubernetesObject, rename="camel", frozen=True):
    counter_set: str = ""
    counters: dict[str, Counter] = {}


class DeviceTaint(KubernetesObject, rename="camel", frozen=True):
    key: str = ""
    value: str = ""
    effect: str = ""


class Device(KubernetesObject, rename="camel", frozen=True):
    """`basic` is what v1beta1 has all the others in; it is not read."""

    name: str = ""
    attributes: dict[str, DeviceAttribute] | None = None
    capacity: dict[str, DeviceCapacity] | None = None
    consumes_counters: list[CounterConsumption] | None = None
    node_name: str | None = None
    node_selector: NodeSelector | None = None
    all_nodes: bool | None = None
    taints: list[DeviceTaint] | None = None
    binds_to_node: bool | None = None
    binding_conditions: list[str] | None = None
    binding_failure_conditions: list[str] | None = None
    allow_multiple_allocations: bool | None = None
    basic: Document | None = None


class ResourcePool(KubernetesObject, rename="camel", frozen=True):
    name: str = ""
    generation: int = 0
    resource_slice_count: int = 0


class ResourceSliceSpec(KubernetesObject, rename="camel", frozen=True):
    driver: str = ""
    pool: ResourcePool = ResourcePool()
    node_name: str | None = None
    node_selector: NodeSelector | None = None
    all_nodes: bool | None = None
    per_device_node_selection: bool | None = None
    devices: list[Device] | None = None
    shared_counters: list[CounterSet] | None = None


class ResourceSlice(KubernetesObject, rename="camel", frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: ResourceSliceSpec = ResourceSliceSpec()


# -- what is asked for -----------------------------------------------------------------------------------


class CelSelector(KubernetesObject, rename="camel", frozen=True):
    expression: str = ""


class DeviceSelector(KubernetesObject, rename="camel", frozen=True):
    cel: CelSelector | None = None


class DeviceClassSpec(KubernetesObject, rename="camel", frozen=True):
    selectors: list[DeviceSelector] | None = None
    config: list[Document] | None = None
    extended_resource_name: str | None = None


class DeviceClass(KubernetesObject, rename="camel", frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: DeviceClassSpec = DeviceClassSpec()


class CapacityRequirements(KubernetesObject, rename="camel", frozen=True):
    requests: dict[str, Amount] | None = None


class ExactRequest(KubernetesObject, rename="camel", frozen=True):
    """What one request or one of its alternatives asks for; the name is that of an alternative."""

    name: str = ""
    device_class_name: str = ""
    selectors: list[DeviceSelector] | None = None
    allocation_mode: str = "ExactCount"
    count: int = 1
    admin_access: bool | None = None
    tolerations: list[Toleration] | None = None
    capacity: CapacityRequirements | None = None


class DeviceRequest(KubernetesObject, rename="camel", frozen=True):
    name: str = ""
    exactly: ExactRequest | None = None
    first_available: list[ExactRequest] | None = None


class DeviceConstraint(KubernetesObject, rename="camel", frozen=True):
    requests: list[str] | None = None
    match_attribute: str | None = None
    distinct_attribute: str | None = None


class DeviceClaim(KubernetesObject, rename="camel", frozen=True):
    requests: list[DeviceRequest] | None = None
    constraints: list[DeviceConstraint] | None = None
    config: list[Document] | None = None


class ResourceClaimSpec(KubernetesObject, rename="camel", frozen=True):
    devices: DeviceClaim = DeviceClaim()


class ConsumerReference(KubernetesObject, rename="camel", frozen=True):
    resource: str = ""
    name: str = ""
    uid: str = ""


class GivenDevice(KubernetesObject, rename="camel", frozen=True):
    """What is read of a device that a claim has. Binding conditions are read where they are waited for."""

    request: str = ""
    driver: str = ""
    pool: str = ""
    device: str = ""
    admin_access: bool | None = None
    consumed_capacity: dict[str, Amount] | None = None
    binding_conditions: list[str] | None = None
    binding_failure_conditions: list[str] | None = None


class GivenDevices(KubernetesObject, rename="camel", frozen=True):
    results: list[GivenDevice] | None = None


class Allocation(KubernetesObject, rename="camel", frozen=True):
    devices: GivenDevices = GivenDevices()
    node_selector: NodeSelector | None = None
    allocation_timestamp: str | None = None


class DeviceCondition(KubernetesObject, rename="camel", frozen=True):
    type: str = ""
    status: str = ""


class DeviceStatus(KubernetesObject, rename="camel", frozen=True):
    """What a driver says of a device that a claim has."""

    driver: str = ""
    pool: str = ""
    device: str = ""
    conditions: list[DeviceCondition] | None = None


class ResourceClaimStatus(KubernetesObject, rename="camel", frozen=True):
    """`allocation` and `devices` are as kubectl prints them."""

    allocation: Document | None = None
    reserved_for: list[ConsumerReference] | None = None
    devices: list[Document] | None = None


class ResourceClaim(KubernetesObject, rename="camel", frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: ResourceClaimSpec = ResourceClaimSpec()
    status: ResourceClaimStatus = ResourceClaimStatus()


class ResourceClaimTemplateSpec(KubernetesObject, rename="camel", frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: ResourceClaimSpec = ResourceClaimSpec()


class ResourceClaimTemplate(KubernetesObject, rename="camel", frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: ResourceClaimTemplateSpec = ResourceClaimTemplateSpec()


class DeviceId(NamedTuple):
    """A device of a driver's pool."""

    driver: str
    pool: str
    device: str

    def __str__(self) -> str:
        """Return the device as messages name it."""
        return f"{self.driver}/{self.pool}/{self.device}"


def results_of(allocation: Document | None) -> list[Document]:
    """Return which devices an allocation gives, each with its request."""
    return list(((allocation or {}).get("devices") or {}).get("results") or ())
