"""The edit evict: the evictions of pods are asked for, each once."""

from collections.abc import Iterator
from typing import Annotated, Any

from scheduler_core.objects.identity import is_active, name_of, namespace_of, spec_of, uid_of
from scheduler_core.objects.kinds import POD
from scheduler_core.objects.selectors import matches
from scheduler_core.schedulers.object_admission import Refused
from scheduler_core.world.edits.additions import count_of
from scheduler_core.world.edits.edited_cluster import EditedCluster
from scheduler_core.world.edits.operations.base import Edit, Field, Namespace, Words, listed, said
from scheduler_core.world.edits.operations.of_nodes import SelectorText, labels_of, read_selector
from scheduler_core.world.edits.places import full_name
from scheduler_core.world.edits.results import EditResult, EvictionRequest

Object = dict[str, Any]


class Evict(Edit, kw_only=True, tag="evict", frozen=True):
    """Asks for the eviction of pods: named ones, those with certain labels, or those of a workload."""

    moves_pods = True
    words = Words(
        "Evict pods", "Evict", "Evict {pods}", (Field("pods", "Pods (namespace/name)", "pods"),), {"pod": ""}
    )
    makes_pods = False
    ways = ("pod", "pods", "selector", "workload")

    pod: Annotated[str | None, said("`namespace/name`, or a uid.")] = None
    pods: Annotated[list[str] | None, said("Several, each as `namespace/name` or a uid, in this order.")] = (
        None
    )
    selector: SelectorText = None
    workload: Annotated[str | None, said("`Kind/namespace/name`: all its pods that are on a node.")] = None
    namespace: Annotated[Namespace, said("Where `selector` looks. Null: in all namespaces.")] = None

    def check(self) -> None:
        super().check()
        if self.selector is not None:
            read_selector(self.selector)
        if self.workload is not None and (self.workload.count("/") != 2 or not all(self.workload.split("/"))):
            raise Refused("workload", "must be Kind/namespace/name")
        if self.at is not None and not self.names:
            raise Refused("at", "can't say yet who is evicted at an instant; name the pods")

    @property
    def names(self) -> list[str]:
        """The pods that it names, each once."""
        return [self.pod] if self.pod is not None else list(dict.fromkeys(self.pods or ()))

    def because_of_time(self) -> Iterator[str]:
        yield from super().because_of_time()
        yield f"{self.pod} is evicted" if self.pod else "pods are evicted"

    def say_later(self, result: EditResult) -> None:
        """Say what it does at an instant: whom it meets then is not known before."""
        result.sentence = f"evict {self.pod}" if self.pod is not None else f"evict {len(self.names):,} pods"

    def apply(self, cluster: EditedCluster, result: EditResult) -> list[EvictionRequest]:
        """Return the evictions of the pods. Raises Refused."""
        if self.pod is not None:
            pod = _named_pod(cluster, self.pod, "pod")
            result.sentence = f"evict {full_name(pod)}"
            _check_evictable(pod, "pod")
            return [EvictionRequest(result.index, uid_of(pod))]
        found = self._find(cluster)
        result.sentence = f"evict {count_of(len(found), 'pod')}"
        if self.workload is not None:
            result.sentence += f" of {self.workload}"
        result.note(f"pods: {listed([f'{namespace_of(pod)}/{name_of(pod)}' for pod in found])}")
        return [EvictionRequest(result.index, uid_of(pod)) for pod in found]

    def _find(self, cluster: EditedCluster) -> list[Object]:
        if self.pods is not None:
            named = [_named_pod(cluster, name, "pods") for name in self.names]
            for pod in named:
                _check_evictable(pod, "pods")
            return named
        if self.workload is not None:
            kind, namespace, name = self.workload.split("/")
            owner = cluster.get(cluster.kind_named(kind), namespace, name)
            field, candidates = "workload", list(cluster.pods_of(owner))
        else:
            selector = read_selector(str(self.selector))
            field, candidates = (
                "selector",
                [
                    pod
                    for pod in cluster.of_kind(POD)
                    if matches(selector, labels_of(pod)) and self.namespace in (None, namespace_of(pod))
                ],
            )
        found = [pod for pod in candidates if spec_of(pod).get("nodeName") and is_active(pod)]
        if not found:
            raise Refused(field, f"no pod on a node is of {getattr(self, field)}")
        return sorted(found, key=lambda pod: (namespace_of(pod), name_of(pod)))


def _check_evictable(pod: Object, field: str) -> None:
    if not spec_of(pod).get("nodeName"):
        raise Refused(field, f"{full_name(pod)} is on no node; delete it instead")
    if not is_active(pod):
        raise Refused(field, f"{full_name(pod)} is finished or terminating already")


def _named_pod(cluster: EditedCluster, name: str, field: str) -> Object:
    namespace, slash, short = name.partition("/")
    if slash:
        found = [pod for pod in cluster.find(POD, namespace, short) if is_active(pod)]
        found = found or cluster.find(POD, namespace, short)
    else:
        found = cluster.pods_with_uid(name)
    if not found:
        raise Refused(field, f"there is no pod {name} (namespace/name or uid)")
    return found[-1]
