"""Where Volcano's settings of vGPUs stand: the ConfigMap that deviceshare's arguments name, or the usual one.

Source: volcano v1.16 pkg/scheduler/plugins/deviceshare/deviceshare.go enablePredicate.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scheduler_core.volcano.configuration.scheduler_conf import Configuration

Place = tuple[str, str]
"""Namespace and name."""
USUAL_PLACE: Place = ("kube-system", "volcano-vgpu-device-config")
_PLUGIN = "deviceshare"
_NAMESPACE, _NAME = (f"{_PLUGIN}.KnownGeometriesCM{what}" for what in ("Namespace", "Name"))


def config_map_of(configuration: Configuration) -> Place:
    """Return which ConfigMap a configuration makes Volcano read."""
    namespace, name = USUAL_PLACE
    for option in (option for tier in configuration.tiers for option in tier if option.name == _PLUGIN):
        namespace = option.arguments.text(_NAMESPACE) or namespace
        name = option.arguments.text(_NAME) or name
    return namespace, name


def place_of(config_map: Mapping[str, Any]) -> Place:
    """Return where a ConfigMap is."""
    metadata = config_map["metadata"]
    return metadata.get("namespace") or "default", metadata["name"]
