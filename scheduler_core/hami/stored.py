"""What of HAMi's may be stored of a cluster: its device configuration, which is one of its settings."""

from scheduler_core.hami.configuration.stored_configuration import (
    is_device_configuration,
    keep_device_configuration,
)
from scheduler_core.objects.kinds import Kind
from scheduler_core.objects.privacy.fields import Fields
from scheduler_core.objects.privacy.own_configuration import OwnConfiguration

KEPT: dict[Kind, Fields] = {}
"""It brings no kinds of objects."""
CONFIGURATIONS = (
    OwnConfiguration("hami", ("resource", "Name"), is_device_configuration, keep_device_configuration),
)
WRITTEN_AT_BIND = (
    "devices-allocated",
    "devices-to-allocate",
    "-allocated",
    "/vgpu-node",
    "/vgpu-time",
    "/bind-phase",
    "/bind-time",
    "/vgpu-mig-allocations",
    "/predicate-node",
    "/predicate-time",
)
"""How the keys of a pod end under which its cards stand: a pod that comes anew has none of them."""
