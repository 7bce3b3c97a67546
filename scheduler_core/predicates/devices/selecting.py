"""Which devices the selectors of classes and requests take.

Source: kubernetes v1.36 dynamic-resource-allocation cel DeviceMatches, structured/internal/incubating
selectorsMatch.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from scheduler_core.cel.program import compiled
from scheduler_core.cel.semantic_versions import Version, VersionError, parse_version
from scheduler_core.cel.syntax import CompileError
from scheduler_core.cel.values import EvaluationError, WithDefault
from scheduler_core.objects.amounts.quantity import parse_quantity
from scheduler_core.objects.dynamic_resources import Device, DeviceAttribute, DeviceSelector
from scheduler_core.predicates.devices.identity import AllocationError, UnreadableSelector

Verdict = bool | str
"""What a selector says of a device, or the error that it ends with."""


class Selecting:
    """What selectors said of devices. A device never changes, so that each is asked once."""

    def __init__(self) -> None:
        self._said: dict[tuple[str, str], dict[int, tuple[Device, Verdict]]] = {}
        self._variables: dict[tuple[str, int], tuple[Device, dict[str, Any]]] = {}

    def matches(
        self, selectors: Iterable[DeviceSelector] | None, driver: str, device: Device, owner: str
    ) -> bool:
        """Return whether all selectors take a device; `owner` is how errors name who asks.

        Raises AllocationError and UnreadableSelector.
        """
        return self.refusing(selectors, driver, device, owner) is None

    def refusing(
        self, selectors: Iterable[DeviceSelector] | None, driver: str, device: Device, owner: str
    ) -> int | None:
        """Return the place of the first selector that does not take a device, None where all do.

        Raises as `matches`.
        """
        for number, selector in enumerate(selectors or ()):
            expression = "" if selector.cel is None else selector.cel.expression
            verdict = self._verdict(expression, driver, device)
            if isinstance(verdict, str):
                raise AllocationError(f"{owner}: selector #{number}: {verdict}")
            if not verdict:
                return number
        return None

    def _verdict(self, expression: str, driver: str, device: Device) -> Verdict:
        said = self._said.setdefault((expression, driver), {})
        known = said.get(id(device))
        if known is None:
            known = said[id(device)] = (device, self._asked(expression, driver, device))
        return known[1]

    def _asked(self, expression: str, driver: str, device: Device) -> Verdict:
        try:
            return compiled(expression).matches(self._variables_of(driver, device))
        except CompileError as error:
            raise UnreadableSelector(f"{expression!r}: {error}") from error
        except EvaluationError as error:
            return f"CEL runtime error: {error}"

    def _variables_of(self, driver: str, device: Device) -> dict[str, Any]:
        """Return what an expression sees of a device. Raises EvaluationError."""
        key = (driver, id(device))
        known = self._variables.get(key)
        if known is None:
            known = self._variables[key] = (device, {"device": _seen(driver, device)})
        return known[1]


def _seen(driver: str, device: Device) -> dict[str, Any]:
    attributes: dict[str, dict[str, Any]] = {}
    for name, attribute in (device.attributes or {}).items():
        domain, identifier = _qualified(name, driver)
        attributes.setdefault(domain, {})[identifier] = _value_of(name, attribute)
    capacity: dict[str, dict[str, Any]] = {}
    for name, amount in (device.capacity or {}).items():
        domain, identifier = _qualified(name, driver)
        capacity.setdefault(domain, {})[identifier] = parse_quantity(amount.value)
    return {
        "driver": driver,
        "allowMultipleAllocations": bool(device.allow_multiple_allocations),
        "attributes": WithDefault(attributes),
        "capacity": WithDefault(capacity),
    }


def _qualified(name: str, driver: str) -> tuple[str, str]:
    """Return domain and identifier of a name; without a domain it has the driver's."""
    domain, slash, identifier = name.partition("/")
    return (domain, identifier) if slash else (driver, name)


def _value_of(name: str, attribute: DeviceAttribute) -> Any:
    for value in (attribute.int_, attribute.bool_, attribute.string):
        if value is not None:
            return value
    if attribute.version is None:
        raise EvaluationError(f"attribute {name}: unsupported attribute value")
    return _version(name, attribute.version)


def _version(name: str, text: str) -> Version:
    try:
        return parse_version(text)
    except VersionError as error:
        raise EvaluationError(f"attribute {name}: parse semantic version: {error}") from error
