"""All vendors, in the order in which HAMi sets them up."""

from __future__ import annotations

from collections.abc import Iterable

from scheduler_core.hami.configuration.settings import Configuration
from scheduler_core.hami.devices.amd import Amd
from scheduler_core.hami.devices.ascend import ascend_vendors
from scheduler_core.hami.devices.awsneuron import AwsNeuron
from scheduler_core.hami.devices.biren import Biren
from scheduler_core.hami.devices.cambricon import Cambricon
from scheduler_core.hami.devices.enflame import Enflame
from scheduler_core.hami.devices.gcu import Gcu
from scheduler_core.hami.devices.hygon import Hygon
from scheduler_core.hami.devices.iluvatar import iluvatar_vendors
from scheduler_core.hami.devices.kunlun import Kunlun
from scheduler_core.hami.devices.metax_gpu import MetaxGpu
from scheduler_core.hami.devices.metax_sgpu import MetaxSgpu
from scheduler_core.hami.devices.mthreads import Mthreads
from scheduler_core.hami.devices.nvidia import Nvidia
from scheduler_core.hami.devices.vastai import Vastai
from scheduler_core.hami.devices.vendor import Vendor
from scheduler_core.hami.devices.xpu import Xpu
from scheduler_core.hami.rules.quota import Limited, Quotas
from scheduler_core.hami.rules.vendor_memory import Memory
from scheduler_core.state.journal import Journal

_MOST_SETS = 1024


class Vendors(dict[str, Vendor]):
    """Vendors by key."""

    def __init__(self, vendors: Iterable[Vendor]) -> None:
        super().__init__((vendor.key, vendor) for vendor in vendors)
        self._named: dict[frozenset[str], tuple[Vendor, ...]] = {}

    def named_by(self, resources: frozenset[str]) -> tuple[Vendor, ...]:
        """Return the vendors of which these resources name one, in their order."""
        found = self._named.get(resources)
        if found is None:
            if len(self._named) >= _MOST_SETS:
                self._named.clear()
            found = tuple(vendor for vendor in self.values() if not vendor.names.isdisjoint(resources))
            self._named[resources] = found
        return found


def make_vendors(configuration: Configuration, quotas: Quotas, memory: Memory) -> Vendors:
    """Return the vendors that are configured, by key."""
    settings = configuration.device_config
    vendors: list[Vendor] = [
        Nvidia(settings.nvidia, quotas, memory),
        Cambricon(settings.cambricon, quotas),
        Hygon(settings.hygon),
        Gcu(settings.enflame),
        Enflame(settings.enflame),
        Mthreads(settings.mthreads),
        MetaxGpu(settings.metax),
        MetaxSgpu(settings.metax, memory),
        Kunlun(settings.kunlun),
        Xpu(settings.kunlun),
        AwsNeuron(settings.awsneuron, memory),
        Amd(settings.amd),
        Vastai(settings.vastai),
        Biren(settings.biren),
    ]
    if configuration.enable_ascend:
        vendors += ascend_vendors(settings.vnpus)
    if configuration.enable_iluvatar:
        vendors += iluvatar_vendors(settings.iluvatars)
    for vendor in vendors:
        quotas.know(vendor.key, Limited(vendor.memory_name, vendor.core_name, vendor.units))
    return Vendors(vendors)


def reading_vendors(configuration: Configuration) -> Vendors:
    """Return the configured vendors for who only reads what nodes register and pods ask for.

    No quotas limit them, and what they remember is nobody's.
    """
    journal = Journal()
    return make_vendors(configuration, Quotas(journal), Memory(journal))
