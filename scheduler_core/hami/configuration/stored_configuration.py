"""What stays of HAMi's device configuration in an entry of a ConfigMap: what its scheduler reads.

It bears no kind. Told by is that a vendor that HAMi knows names a resource in it.
Source: HAMi v2.10.0 charts/hami/templates/scheduler/device-configmap.yaml.
"""

from typing import Any

from scheduler_core.objects.privacy.dropped import Dropped
from scheduler_core.objects.privacy.fields import Fields

_SHARED = Fields("resourceCountName resourceMemoryName resourceCoreName")
_COUNTED = Fields("resourceCountName")

DEVICE_CONFIGURATION = Fields(
    nvidia=Fields(
        "resourceCountName resourceMemoryName resourceCoreName resourceMemoryPercentageName"
        " resourcePriorityName overwriteEnv defaultMemory defaultCores defaultGPUNum memoryFactor"
        " gpuCorePolicy runtimeClassName"
    ),
    cambricon=_SHARED,
    hygon=Fields("resourceCountName resourceMemoryName resourceCoreName memoryFactor"),
    mthreads=_SHARED,
    amd=_SHARED,
    metax=Fields(
        "resourceCountName resourceVCountName resourceVMemoryName resourceVCoreName sgpuTopologyAware"
    ),
    enflame=Fields(
        "resourceNameGCU resourceNameDRSGCU resourceNameGCUMemory resourceNameGCUCore resourceNameVGCU"
    ),
    kunlun=Fields("resourceCountName resourceVCountName resourceVMemoryName"),
    awsneuron=Fields("resourceCountName resourceCoreName"),
    vastai=_COUNTED,
    biren=_COUNTED,
    iluvatars=Fields("chipName commonWord resourceCountName resourceMemoryName resourceCoreName"),
    vnpus=Fields(
        "hamiVnpuCore",
        configs=Fields(
            "commonWord chipName resourceName resourceMemoryName resourceCoreName memoryAllocatable"
            " memoryCapacity memoryFactor runtimeClassName overwriteEnv superPod",
            templates=Fields("name memory"),
        ),
    ),
)


def keep_device_configuration(document: dict[str, Any], dropped: Dropped) -> dict[str, Any]:
    """Return a device configuration as it may be stored."""
    kept: dict[str, Any] = DEVICE_CONFIGURATION(document, "device-config.yaml", dropped)
    return kept


def is_device_configuration(document: Any) -> bool:
    """Tell whether a document is a device configuration: a vendor of it names a resource."""
    if not isinstance(document, dict) or "kind" in document:
        return False
    return any(_names_resource(document.get(vendor)) for vendor in DEVICE_CONFIGURATION.parts)


def _names_resource(value: Any) -> bool:
    if isinstance(value, list):
        return any(map(_names_resource, value))
    if not isinstance(value, dict):
        return False
    named = any(key.startswith("resource") and _is_name(name) for key, name in value.items())
    return named or _names_resource(value.get("configs"))


def _is_name(name: Any) -> bool:
    return isinstance(name, str) and "/" in name
