"""All vendors, in the order in which HAMi sets them up."""

from __future__ import annotations

from scheduler_core.hami.configuration import Configuration
from scheduler_core.hami.devices.nvidia import Nvidia
from scheduler_core.hami.devices.vendor import Vendor
from scheduler_core.hami.memory import Memory
from scheduler_core.hami.quota import Limited, Quotas


def make_vendors(configuration: Configuration, quotas: Quotas, memory: Memory) -> dict[str, Vendor]:
    """Return the vendors that are configured, by key."""
    settings = configuration.device_config
    vendors: list[Vendor] = [
        Nvidia(settings.nvidia, quotas, memory),
    ]
    for vendor in vendors:
        quotas.know(vendor.key, Limited(vendor.memory_name, vendor.core_name, vendor.units))
    return {vendor.key: vendor for vendor in vendors}
