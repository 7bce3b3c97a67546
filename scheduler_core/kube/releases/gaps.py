"""What 1.8 to 1.13 decided by and these profiles do not model: volumes first of all, up to 1.11.

Pods on nodes that are not there counted for pod affinity; they do not here.

Nor are two faults of that time played. In 1.8 and 1.9 a pod's ephemeral-storage went on counting after the
pod had left; in 1.11.0 a dry run of preemption forgot the host ports of pods that it only tried to take away.

Source: kubernetes v1.8 to v1.13 algorithm/predicates NoVolumeZoneConflict, NoVolumeNodeConflict,
CheckVolumeBinding, MaxPDVolumeCountPredicate; v1.8, v1.9 schedulercache NodeInfo.RemovePod; v1.11.0
pkg/scheduler/cache NodeInfo.Clone.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from scheduler_core.kube.releases.table import RELEASES
from scheduler_core.objects.identity import namespace_of, spec_of
from scheduler_core.objects.kinds import NODE, PERSISTENT_VOLUME_CLAIM, POD, kind_of

Document = dict[str, Any]

_KEEP_EPHEMERAL_STORAGE = ("1.8", "1.9")
_FORGETS_HOST_PORTS = "1.11"
_COUNTED_DISKS = ("awsElasticBlockStore", "gcePersistentDisk", "azureDisk")


def release_gaps(objects: Sequence[Document], release: str) -> list[str]:
    """Return whole phrases about the pods that a release would have judged by more than is modelled."""
    pods = [
        document for document in objects if kind_of(document) == POD and not spec_of(document).get("nodeName")
    ]
    phrases = [
        f"{words} in {release} ({_waiting(number)}: an error instead of a guess)"
        for kind, words in unplayed_volumes(release).items()
        if (number := with_volumes(map(_volumes_of, pods), (kind,)))
    ]
    if RELEASES[release]().plays_volumes:
        phrases += _of_shared_claims(objects, pods, release)
    elif disks := with_volumes(map(_volumes_of, pods), _COUNTED_DISKS):
        phrases.append(f"how many disks a node may attach in {release} ({_waiting(disks)} with disks)")
    if stranded := _stranded(objects):
        phrases.append(f"pods on nodes that are not there, for pod affinity in {release} ({stranded})")
    containers = [container for document in objects for container in _containers(document)]
    if release in _KEEP_EPHEMERAL_STORAGE and any(map(_asks_for_ephemeral_storage, containers)):
        phrases.append(f"ephemeral-storage that {release} never took back from a pod that had left")
    if release == _FORGETS_HOST_PORTS and any(map(_has_host_port, containers)):
        phrases.append(f"host ports that {release}.0 forgot when it looked for victims")
    return phrases


def unplayed_volumes(release: str) -> dict[str, str]:
    """Return by which kinds of volumes a pod's attempt ends with an error, each in words."""
    claims = {} if RELEASES[release]().plays_volumes else {"persistentVolumeClaim": "volume claims"}
    return claims | {"ephemeral": "ephemeral volumes"}


def with_volumes(volumes_of_pods: Iterable[Iterable[Document]], kinds: Collection[str]) -> int:
    """Return how many pods have a volume of one of the kinds; the pods are given by their volumes."""
    return sum(any(kind in volume for volume in volumes for kind in kinds) for volumes in volumes_of_pods)


def _of_shared_claims(objects: Sequence[Document], pods: Sequence[Document], release: str) -> Iterator[str]:
    """Yield what is not modelled of claims without a volume that several pods wait for."""
    if shared := _shared_before_bound(objects, pods):
        claims = "1 claim" if shared == 1 else f"{shared} claims"
        yield f"how a volume is made in {release} ({claims} of several waiting pods: after one, an error)"


def _shared_before_bound(objects: Sequence[Document], pods: Sequence[Document]) -> int:
    """Return how many claims without a volume several waiting pods name."""
    unbound = {
        (namespace_of(one), one["metadata"]["name"])
        for one in objects
        if kind_of(one) == PERSISTENT_VOLUME_CLAIM and not spec_of(one).get("volumeName")
    }
    named = Counter(
        key
        for pod in pods
        for key in {
            (namespace_of(pod), (volume.get("persistentVolumeClaim") or {}).get("claimName"))
            for volume in _volumes_of(pod)
        }
    )
    return sum(named[key] > 1 for key in unbound)


def _volumes_of(pod: Document) -> Sequence[Document]:
    return spec_of(pod).get("volumes") or ()


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
