"""Exports of other tools that hold the objects of a cluster by their kinds: they are opened.

Sources: kube-scheduler-simulator simulator/snapshot (ResourcesForSnap, ResourcesForLoad); KAI-Scheduler v0.9
pkg/scheduler/plugins/snapshot (Snapshot, RawKubernetesObjects).
"""

from typing import Any

Object = dict[str, Any]

_SIMULATOR = {
    "namespaces": ("v1", "Namespace"),
    "priorityClasses": ("scheduling.k8s.io/v1", "PriorityClass"),
    "storageClasses": ("storage.k8s.io/v1", "StorageClass"),
    "pvs": ("v1", "PersistentVolume"),
    "pvcs": ("v1", "PersistentVolumeClaim"),
    "nodes": ("v1", "Node"),
    "pods": ("v1", "Pod"),
}
_SIMULATOR_CONFIGURATION = "schedulerConfig"
_KAI_OBJECTS = "rawObjects"
_KAI = frozenset(("config", "schedulerParams", _KAI_OBJECTS))
"""The former two are KAI's own configuration."""
_OF_KAI = {
    "nodes": ("v1", "Node"),
    "pods": ("v1", "Pod"),
    "configMaps": ("v1", "ConfigMap"),
    "persistentVolumes": ("v1", "PersistentVolume"),
    "persistentVolumeClaims": ("v1", "PersistentVolumeClaim"),
    "priorityClasses": ("scheduling.k8s.io/v1", "PriorityClass"),
    "podDisruptionBudgets": ("policy/v1", "PodDisruptionBudget"),
    "storageClasses": ("storage.k8s.io/v1", "StorageClass"),
    "csiDrivers": ("storage.k8s.io/v1", "CSIDriver"),
    "csiStorageCapacities": ("storage.k8s.io/v1", "CSIStorageCapacity"),
    "resourceClaims": ("resource.k8s.io/v1beta1", "ResourceClaim"),
    "resourceSlices": ("resource.k8s.io/v1beta1", "ResourceSlice"),
    "deviceClasses": ("resource.k8s.io/v1beta1", "DeviceClass"),
    "queues": ("scheduling.run.ai/v2", "Queue"),
    "podGroups": ("scheduling.run.ai/v2alpha2", "PodGroup"),
    "bindRequests": ("scheduling.run.ai/v1alpha2", "BindRequest"),
    "topologies": ("kai.scheduler/v1alpha1", "Topology"),
}
"""Kinds of lists that are not here are left unread."""


def exported_objects(document: Object) -> list[tuple[Any, str]] | None:
    """Return the objects of an export with their places; None if the document is none."""
    if _is_simulators(document):
        objects = _typed(document, _SIMULATOR, "")
        configuration = document.get(_SIMULATOR_CONFIGURATION)
        if isinstance(configuration, dict) and configuration.get("kind"):
            objects.append((configuration, _SIMULATOR_CONFIGURATION))
        return objects
    if _is_kais(document):
        return _typed(document[_KAI_OBJECTS], _OF_KAI, f"{_KAI_OBJECTS} ")
    return None


def _typed(lists: Object, kinds: dict[str, tuple[str, str]], place: str) -> list[tuple[Any, str]]:
    objects = []
    for key, (version, kind) in kinds.items():
        for index, item in enumerate(lists.get(key) or ()):
            typed = {**item, "apiVersion": version, "kind": kind} if isinstance(item, dict) else item
            objects.append((typed, f"{place}{key}[{index}]"))
    return objects


def _is_simulators(document: Object) -> bool:
    """Tell whether a document has the keys of an export and no others, nodes or pods among them."""
    known = document.keys() <= {*_SIMULATOR, _SIMULATOR_CONFIGURATION}
    return known and _holds_lists(document, _SIMULATOR)


def _is_kais(document: Object) -> bool:
    objects = document.get(_KAI_OBJECTS)
    return document.keys() <= _KAI and isinstance(objects, dict) and _holds_lists(objects, _OF_KAI)


def _holds_lists(lists: Object, kinds: dict[str, tuple[str, str]]) -> bool:
    are_lists = all(isinstance(lists.get(key) or [], list) for key in kinds)
    return are_lists and any(lists.get(key) for key in ("nodes", "pods"))
