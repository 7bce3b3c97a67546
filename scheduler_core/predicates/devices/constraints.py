"""Constraints between the devices of a claim: an attribute that must be the same, or another, for each.

Source: kubernetes v1.36 dynamic-resource-allocation structured/internal/incubating matchAttributeConstraint,
distinctAttributeConstraint.
"""

from __future__ import annotations

from scheduler_core.objects.dynamic_resources import Device, DeviceAttribute, DeviceConstraint
from scheduler_core.predicates.devices.requests import Request


class Constraint:
    """What the devices chosen so far have of an attribute."""

    kind = ""
    """The field that says it."""

    def __init__(self, said: DeviceConstraint, attribute: str) -> None:
        self.attribute = attribute
        self._requests = frozenset(said.requests or ())
        self._devices = 0

    def add(self, request: Request, driver: str, device: Device) -> bool:
        """Take a device in, unless it contradicts the others; return whether it was taken."""
        if not self._concerns(request):
            return True
        value = self.value_of(driver, device)
        if value is None or not self._accepts(value):
            return False
        self._keep(request, value)
        self._devices += 1
        return True

    def value_of(self, driver: str, device: Device) -> DeviceAttribute | None:
        """Return what a device has of the attribute, None where it has none."""
        return _attribute_of(device, driver, self.attribute)

    def remove(self, request: Request) -> None:
        """Take a request's last device out again."""
        if self._concerns(request):
            self._forget(request)
            self._devices -= 1

    def _concerns(self, request: Request) -> bool:
        return not self._requests or not self._requests.isdisjoint((request.base, request.full_name))

    def _accepts(self, value: DeviceAttribute) -> bool:
        raise NotImplementedError

    def _keep(self, request: Request, value: DeviceAttribute) -> None:
        raise NotImplementedError

    def _forget(self, request: Request) -> None:
        """Let a request have no value any more."""


class MatchAttribute(Constraint):
    """All devices have the first one's value."""

    kind = "matchAttribute"
    _value = DeviceAttribute()

    def _accepts(self, value: DeviceAttribute) -> bool:
        return self._devices == 0 or _same(value, self._value)

    def _keep(self, request: Request, value: DeviceAttribute) -> None:
        if self._devices == 0:
            self._value = value


class DistinctAttribute(Constraint):
    """A device has another value than the last one of each request."""

    kind = "distinctAttribute"

    def __init__(self, said: DeviceConstraint, attribute: str) -> None:
        super().__init__(said, attribute)
        self._values: dict[str, DeviceAttribute] = {}

    def _accepts(self, value: DeviceAttribute) -> bool:
        if self._devices == 0:
            return True
        if not self._values:
            return True
        return _kind(value) != "" and not any(_same(value, one) for one in self._values.values())

    def _keep(self, request: Request, value: DeviceAttribute) -> None:
        self._values[request.base] = value

    def _forget(self, request: Request) -> None:
        self._values.pop(request.base, None)


def constraint_of(said: DeviceConstraint) -> Constraint | None:
    """Return the constraint, None for a kind that is not known."""
    if said.match_attribute is not None:
        return MatchAttribute(said, said.match_attribute)
    if said.distinct_attribute is not None:
        return DistinctAttribute(said, said.distinct_attribute)
    return None


def _attribute_of(device: Device, driver: str, name: str) -> DeviceAttribute | None:
    """Return an attribute by its name as it stands, or without its domain if that is the driver's."""
    attributes = device.attributes or {}
    if name in attributes:
        return attributes[name]
    domain, slash, identifier = name.partition("/")
    return attributes.get(identifier) if slash and domain == driver else None


def _kind(value: DeviceAttribute) -> str:
    for kind in ("string", "int_", "bool_", "version"):
        if getattr(value, kind) is not None:
            return kind
    return ""


def _same(value: DeviceAttribute, other: DeviceAttribute) -> bool:
    kind = _kind(value)
    return kind != "" and getattr(other, kind) is not None and getattr(value, kind) == getattr(other, kind)
