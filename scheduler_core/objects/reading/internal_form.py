"""Objects with the names of Go's fields, as `kubectl cluster-info dump` wrote them in 2017 to 2019.

It printed the API's internal types, which have no names for JSON but those of their fields: `Items`, `Spec`,
`NodeName`. What they embed has such names, and stands among the rest: metadata, the source of a volume.

Source: kubectl v1.5 to v1.13 pkg/kubectl/cmd/clusterinfo_dump.go; pkg/apis/core/types.go v1.13.
"""

import re
from typing import Any

Object = dict[str, Any]

_METADATA = frozenset(
    (
        "name", "generateName", "namespace", "selfLink", "uid", "resourceVersion", "generation",
        "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "labels", "annotations",
        "ownerReferences", "initializers", "finalizers", "clusterName",
    )
)  # fmt: skip
_LIST_METADATA = ("selfLink", "resourceVersion", "continue")
_WITH_METADATA = ("Template", "VolumeClaimTemplates")
_OF_OTHERS = frozenset(
    ("Allocatable", "Annotations", "Capacity", "Data", "Hard", "Limits", "NodeSelector", "Requests",
     "Selector", "Used")
)  # fmt: skip
"""Fields whose keys are no names of fields."""
_OF_THE_POD = ("HostNetwork", "HostPID", "HostIPC", "ShareProcessNamespace")
"""Stand in a pod's SecurityContext in the internal types, and beside it in those of the API."""
_ABBREVIATION = re.compile(r"^(?:[A-Z]+(?![a-z])|[A-Z])")
_ODD_NAMES = {"CephFS": "cephfs", "StorageOS": "storageos"}


def internal_items(document: Object) -> tuple[list[Any], Object] | None:
    """Return the items of a list with Go's names, each as the API writes it, and the list without them.

    None for anything else. An item that is no object stays as it is.
    """
    items = document.get("Items")
    if "Items" not in document or document.get("kind") or "items" in document:
        return None
    if not isinstance(items or [], list):
        return None
    rest: Object = {"metadata": {key: document[key] for key in _LIST_METADATA if key in document}}
    return [_object(item) if isinstance(item, dict) else item for item in items or []], rest


def _object(document: Object) -> Object:
    """Return an object, or a template of some, with its metadata where the API has it."""
    metadata = {key: value for key, value in document.items() if key in _METADATA}
    rest = {key: value for key, value in document.items() if key not in _METADATA}
    return {"metadata": metadata, **_fields(rest)}


def _fields(document: Object) -> Object:
    """Return the fields under the API's names, those that are not set left out."""
    fields: Object = {}
    for key, value in document.items():
        if key[:1].isupper():
            if value is not None and value != "":
                fields[_ODD_NAMES.get(key) or _name(key)] = _value(key, value)
        else:
            fields[key] = value
    context = document.get("SecurityContext")
    if isinstance(context, dict) and "Containers" in document:
        fields |= {_name(key): context[key] for key in _OF_THE_POD if context.get(key)}
    return fields


def _value(key: str, value: Any) -> Any:
    if key in _OF_OTHERS:
        return value
    if isinstance(value, list):
        return [_value(key, item) for item in value]
    if not isinstance(value, dict):
        return value
    return _object(value) if key in _WITH_METADATA else _fields(value)


def _name(field: str) -> str:
    """Return a field's name in the API: `podCIDR` of PodCIDR, `qosClass` of QOSClass, `nfs` of NFS."""
    return _ABBREVIATION.sub(lambda start: start[0].lower(), field, count=1)
