"""What a claim asks for, request by request.

Source: kubernetes v1.36 resource/v1 DeviceRequest; dynamic-resource-allocation structured/internal/incubating
requestAccessor, validateDeviceRequest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scheduler_core.objects.dynamic_resources import DeviceClass, ExactRequest, ResourceClaim


@dataclass(frozen=True, eq=False)
class Request:
    """A request, or one alternative of it; `base` is the request's own name."""

    base: str
    asked: ExactRequest
    is_alternative: bool
    device_class: DeviceClass

    @property
    def name(self) -> str:
        """The name as messages have it: an alternative's own one."""
        return self.asked.name if self.is_alternative else self.base

    @property
    def full_name(self) -> str:
        """The name as results have it: `request` or `request/alternative`."""
        return f"{self.base}/{self.asked.name}" if self.is_alternative else self.base

    @property
    def is_for_all(self) -> bool:
        """Whether all devices that match are asked for."""
        return self.asked.allocation_mode == "All"

    @property
    def admin_access(self) -> bool:
        """Whether devices are asked for beside those that have them."""
        return bool(self.asked.admin_access) and not self.is_alternative


def alternatives_of(claim: ResourceClaim) -> Iterator[tuple[str, bool, list[ExactRequest]]]:
    """Yield each request: its name, whether it has alternatives, and these or itself."""
    for request in claim.spec.devices.requests or ():
        if request.first_available:
            yield request.name, True, request.first_available
        else:
            yield request.name, False, [request.exactly or ExactRequest()]
