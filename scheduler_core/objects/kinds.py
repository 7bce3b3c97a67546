"""The API groups of the kinds that the engine knows, and how it keeps others' kinds of these names away.

Other projects have a Node (Longhorn), a Service (Knative) or a Job (Volcano) of their own. Everything behind
the import asks for kinds by name alone, so objects of such groups are left out before anything looks at them.

Source: the groups in k8s.io/api v0.36; extensions and the beta versions are those of old dumps.
"""

from collections import Counter
from typing import Any

Object = dict[str, Any]

_CORE = (
    "Pod", "Node", "Namespace", "Service", "ReplicationController", "LimitRange", "ResourceQuota",
    "PersistentVolume", "PersistentVolumeClaim",
)  # fmt: skip
_STORAGE = ("StorageClass", "CSINode", "CSIDriver", "CSIStorageCapacity", "VolumeAttachment")

KIND_GROUPS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(_CORE, ("",)),
    **dict.fromkeys(("Deployment", "ReplicaSet", "DaemonSet"), ("apps", "extensions")),
    "StatefulSet": ("apps",),
    "Job": ("batch", "extensions"),
    "CronJob": ("batch",),
    "PodDisruptionBudget": ("policy",),
    "PriorityClass": ("scheduling.k8s.io",),
    "RuntimeClass": ("node.k8s.io",),
    "DeviceClass": ("resource.k8s.io",),
    **dict.fromkeys(_STORAGE, ("storage.k8s.io",)),
}
"""Every kind that the engine asks for by name."""


def is_foreign(document: Object) -> bool:
    """Tell whether an object's kind only shares its name with one that the engine knows.

    An apiVersion without a group is never another project's: nobody else can have kinds there.
    """
    kind, version = document.get("kind"), document.get("apiVersion")
    group = version.rpartition("/")[0] if isinstance(version, str) else ""
    return bool(group) and isinstance(kind, str) and group not in KIND_GROUPS.get(kind, (group,))


def leave_out_foreign(objects: list[Object]) -> tuple[list[Object], list[str]]:
    """Return the objects without foreign ones, and for each kind a phrase: `2 Node of other API groups`."""
    left_out = Counter(document["kind"] for document in objects if is_foreign(document))
    if not left_out:
        return objects, []
    kept = [document for document in objects if not is_foreign(document)]
    return kept, [f"{count:,} {kind} of other API groups" for kind, count in sorted(left_out.items())]
