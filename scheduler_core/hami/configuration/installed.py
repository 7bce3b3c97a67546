"""HAMi's settings as its chart has installed them in a cluster, from the ConfigMaps of one namespace.

The flags with the policies stand in a command line, which no import stores: they are the chart's defaults.
Source: HAMi v2.10.0 charts/hami/templates/scheduler/configmapnew.yaml, deployment.yaml.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scheduler_core.hami.configuration.kube_scheduler import INNER, URL_PREFIX
from scheduler_core.hami.configuration.settings import SWITCHES, Configuration

Object = dict[str, Any]


def installed_settings(device_config: Object, configurations: Iterable[Object]) -> Object:
    """Return the settings of a HAMi with this device configuration.

    configurations: the KubeSchedulerConfigurations of its namespace, of which the first with HAMi as an
    extender counts. Addresses of extenders may have been taken out of it: HAMi's is the chart's. It tells
    which switches are on and which are off; without one they are left open.
    """
    names = _resources(device_config)
    for configuration in configurations:
        for place, extender in enumerate(_listed(configuration, "extenders")):
            managed = {str(one.get("name")) for one in _listed(extender, "managedResources")}
            if managed & names and extender.get("bindVerb"):
                return _settings(device_config, configuration, place, managed)
    return {"deviceConfig": device_config}


def _settings(device_config: Object, configuration: Object, place: int, managed: set[str]) -> Object:
    settings: Object = {}
    profiles = _listed(configuration, "profiles")
    name = str(profiles[0].get("schedulerName") or "") if profiles else ""
    if name and name != Configuration().scheduler_name:
        settings["schedulerName"] = name
    for flag, vendors in SWITCHES.items():
        if resources := _resources(device_config.get(vendors)):
            settings[flag] = bool(managed & resources)
    extenders = list(configuration["extenders"])
    extenders[place] = {"urlPrefix": URL_PREFIX, **extenders[place]}
    return {
        **settings,
        "deviceConfig": device_config,
        INNER: {**configuration, "extenders": extenders},
    }


def _listed(value: Mapping[str, Any], field: str) -> Sequence[Object]:
    items = value.get(field)
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []


def _resources(value: Any) -> set[str]:
    """Return the names of resources anywhere in a part of a device configuration."""
    if isinstance(value, list):
        return set().union(*map(_resources, value))
    if not isinstance(value, dict):
        return set()
    inner = set().union(*map(_resources, value.values()))
    return inner | {
        name for key, name in value.items() if key.startswith("resource") and isinstance(name, str)
    }
