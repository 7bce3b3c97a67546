"""What is stored of Volcano's settings of vGPUs in an entry of a ConfigMap: what its scheduler reads of them.

HAMi's device configuration has the same form. Volcano's names resources of its domain, or lists geometries
in groups.

Source: volcano v1.16 pkg/scheduler/api/devices/config/vgpu.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scheduler_core.objects.privacy.dropped import Dropped
from scheduler_core.objects.privacy.fields import Fields

OWNER = "volcano-vgpus"
"""How these settings are told apart from a scheduler's configuration."""
_ENTRY = "device-config.yaml"
_OWN_RESOURCES = "volcano.sh/"
_KEPT = Fields(
    nvidia=Fields(
        "resourceCountName resourceMemoryName resourceMemoryPercentageName resourceCoreName gpuMemoryFactor",
        knownMigGeometries=Fields(
            "models", allowedGeometries=Fields("group", geometries=Fields("name memory count"))
        ),
    )
)


def is_vgpu_settings(document: Any) -> bool:
    """Tell whether a document is Volcano's settings of vGPUs."""
    if not isinstance(document, dict) or "kind" in document:
        return False
    nvidia = document.get("nvidia")
    if not isinstance(nvidia, dict):
        return False
    names = (name for key, name in nvidia.items() if key.startswith("resource") and isinstance(name, str))
    own = any(name.startswith(_OWN_RESOURCES) for name in names)
    return own or any("geometries" in one for one in _groups(nvidia.get("knownMigGeometries")))


def keep_vgpu_settings(document: dict[str, Any], dropped: Dropped) -> dict[str, Any]:
    """Return the settings as they may be stored."""
    kept: dict[str, Any] = _KEPT(document, _ENTRY, dropped)
    return kept


def _groups(known: Any) -> Iterator[dict[str, Any]]:
    for of_models in known if isinstance(known, list) else ():
        allowed = of_models.get("allowedGeometries") if isinstance(of_models, dict) else None
        yield from (one for one in allowed or () if isinstance(one, dict))
