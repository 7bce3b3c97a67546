"""What 1.8 to 1.13 decided by and these profiles do not model: some claims first of all.

Pods on nodes that are not there counted for pod affinity; they do not here.

Nor are two faults of that time played. In 1.8 and 1.9 a pod's ephemeral-storage went on counting after the
pod had left; in 1.11.0 a dry run of preemption forgot the host ports of pods that it only tried to take away.

Source: kubernetes v1.8 to v1.13 algorithm/predicates CheckVolumeBinding, MaxPDVolumeCountPredicate; v1.8,
v1.9 schedulercache NodeInfo.RemovePod; v1.11.0 pkg/scheduler/cache NodeInfo.Clone.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from scheduler_core.objects.identity import namespace_of, spec_of
from scheduler_core.objects.kinds import NODE, PERSISTENT_VOLUME_CLAIM, POD, kind_of

Document = dict[str, Any]

_KEEP_EPHEMERAL_STORAGE = ("1.8", "1.9")
_FORGETS_HOST_PORTS = "1.11"
_UNPLAYED_CLAIMS = {"1.8": "claims without a volume", "1.11": "claims that are bound late"}
_BINDS_LATE = "1.13"
UNPLAYED_VOLUMES = {"ephemeral": "ephemeral volumes"}
"""By which kinds of volumes a pod's attempt ends with an error in every release, each in words."""


def release_gaps(objects: Sequence[Document], release: str) -> list[str]:
    """Return whole phrases about the pods that a release would have judged by more than is modelled."""
    pods = [
        document for document in objects if kind_of(document) == POD and not spec_of(document).get("nodeName")
    ]
    phrases = [
        f"{words} in {release} ({_waiting(number)}: an error instead of a guess)"
        for kind, words in UNPLAYED_VOLUMES.items()
        if (number := with_volume(map(_volumes_of, pods), kind))
    ]
    phrases += _of_claims(objects, pods, release)
    if stranded := _stranded(objects):
        phrases.append(f"pods on nodes that are not there, for pod affinity in {release} ({stranded})")
    containers = [container for document in objects for container in _containers(document)]
    if release in _KEEP_EPHEMERAL_STORAGE and any(map(_asks_for_ephemeral_storage, containers)):
        phrases.append(f"ephemeral-storage that {release} never took back from a pod that had left")
    if release == _FORGETS_HOST_PORTS and any(map(_has_host_port, containers)):
        phrases.append(f"host ports that {release}.0 forgot when it looked for victims")
    return phrases


def with_volume(volumes_of_pods: Iterable[Iterable[Document]], kind: str) -> int:
    """Return how many pods have a volume of a kind; the pods are given by their volumes."""
    return sum(any(kind in volume for volume in volumes) for volumes in volumes_of_pods)


def _of_claims(objects: Sequence[Document], pods: Sequence[Document], release: str) -> Iterator[str]:
    """Yield what is not modelled of the waiting pods' claims that have no volume yet."""
    unbound = {
        (namespace_of(one), one["metadata"]["name"])
        for one in objects
        if kind_of(one) == PERSISTENT_VOLUME_CLAIM and not spec_of(one).get("volumeName")
    }
    named = [_claims_of(pod) & unbound for pod in pods]
    if words := _UNPLAYED_CLAIMS.get(release):
        if number := sum(map(bool, named)):
            yield f"{words} in {release} ({_waiting(number)}: an error instead of a guess)"
    elif release == _BINDS_LATE:
        times = Counter(key for keys in named for key in keys)
        if shared := sum(number > 1 for number in times.values()):
            claims = "1 claim" if shared == 1 else f"{shared} claims"
            yield f"how a volume is made in {release} ({claims} of several waiting pods: after one, an error)"


def _claims_of(pod: Document) -> set[tuple[str, str]]:
    """Return the claims that a pod names, by namespace and name."""
    sources = (volume.get("persistentVolumeClaim") for volume in _volumes_of(pod))
    return {(namespace_of(pod), source.get("claimName") or "") for source in sources if source}


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
