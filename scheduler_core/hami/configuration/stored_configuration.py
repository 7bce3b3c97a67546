"""What stays of HAMi's device configuration in an entry of a ConfigMap: what its scheduler reads.

These are the fields of its settings. It bears no kind: a document is one if a vendor that HAMi knows names a
resource in it.
Source: HAMi v2.10.0 charts/hami/templates/scheduler/device-configmap.yaml.
"""

from typing import Any, get_args, get_type_hints

import msgspec

from scheduler_core.hami.configuration.settings import DeviceSettings
from scheduler_core.objects.privacy.dropped import Dropped
from scheduler_core.objects.privacy.fields import Fields


def _fields_of(settings: type[msgspec.Struct]) -> Fields:
    """Return all fields of settings; those that are settings themselves, or lists of them, with their own."""
    plain: list[str] = []
    parts: dict[str, Fields] = {}
    types = get_type_hints(settings)
    for field in msgspec.structs.fields(settings):
        inner = next(iter(get_args(types[field.name])), types[field.name])
        if isinstance(inner, type) and issubclass(inner, msgspec.Struct):
            parts[field.encode_name] = _fields_of(inner)
        else:
            plain.append(field.encode_name)
    return Fields(" ".join(plain), **parts)


DEVICE_CONFIGURATION = _fields_of(DeviceSettings)


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
