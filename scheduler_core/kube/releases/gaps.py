"""What 1.8 to 1.13 decided by and these profiles do not model: claims, and how many disks a node may attach.

Pods on nodes that are not there counted for pod affinity; they do not here.

Nor are two faults of that time played. In 1.8 and 1.9 a pod's ephemeral-storage went on counting after the
pod had left; in 1.11.0 a dry run of preemption forgot the host ports of pods that it only tried to take away.

Source: kubernetes v1.8 to v1.13 algorithm/predicates NoVolumeZoneConflict, NoVolumeNodeConflict,
CheckVolumeBinding, MaxPDVolumeCountPredicate; v1.8, v1.9 schedulercache NodeInfo.RemovePod; v1.11.0
pkg/scheduler/cache NodeInfo.Clone.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from scheduler_core.objects.identity import spec_of
from scheduler_core.objects.kinds import NODE, POD, kind_of

Document = dict[str, Any]

_CLAIMS = ("persistentVolumeClaim", "ephemeral")
_KEEP_EPHEMERAL_STORAGE = ("1.8", "1.9")
_FORGETS_HOST_PORTS = "1.11"
_COUNTED_DISKS = ("awsElasticBlockStore", "gcePersistentDisk", "azureDisk")


def release_gaps(objects: Sequence[Document], release: str) -> list[str]:
    """Return whole phrases about the pods that a release would have judged by more than is modelled."""
    pods = [
        document for document in objects if kind_of(document) == POD and not spec_of(document).get("nodeName")
    ]
    claims, disks = _with_volumes(pods, _CLAIMS), _with_volumes(pods, _COUNTED_DISKS)
    phrases = []
    if claims:
        phrases.append(f"volume claims in {release} ({_waiting(claims)}: an error instead of a guess)")
    if disks:
        phrases.append(f"how many disks a node may attach in {release} ({_waiting(disks)} with disks)")
    if stranded := _stranded(objects):
        phrases.append(f"pods on nodes that are not there, for pod affinity in {release} ({stranded})")
    containers = [container for document in objects for container in _containers(document)]
    if release in _KEEP_EPHEMERAL_STORAGE and any(map(_asks_for_ephemeral_storage, containers)):
        phrases.append(f"ephemeral-storage that {release} never took back from a pod that had left")
    if release == _FORGETS_HOST_PORTS and any(map(_has_host_port, containers)):
        phrases.append(f"host ports that {release}.0 forgot when it looked for victims")
    return phrases


def _stranded(objects: Sequence[Document]) -> str:
    """Return how many pods are bound to a node that is not there, in words; nothing for none."""
    nodes = {document["metadata"]["name"] for document in objects if kind_of(document) == NODE}
    bound = [spec_of(document).get("nodeName") for document in objects if kind_of(document) == POD]
    number = sum(bool(name) and name not in nodes for name in bound)
    return "" if number == 0 else "1 pod" if number == 1 else f"{number} pods"


def _containers(document: Document) -> Iterable[Document]:
    return spec_of(document).get("containers") or () if kind_of(document) == POD else ()


def _asks_for_ephemeral_storage(container: Document) -> bool:
    return "ephemeral-storage" in ((container.get("resources") or {}).get("requests") or {})


def _has_host_port(container: Document) -> bool:
    return any(port.get("hostPort") for port in container.get("ports") or ())


def _waiting(number: int) -> str:
    return "1 waiting pod" if number == 1 else f"{number} waiting pods"


def _with_volumes(pods: Iterable[Document], kinds: tuple[str, ...]) -> int:
    return sum(
        any(kind in volume for volume in spec_of(pod).get("volumes") or () for kind in kinds) for pod in pods
    )
