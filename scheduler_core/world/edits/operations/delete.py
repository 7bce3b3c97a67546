"""The edit delete: an object goes, with what it owns or holds; several of a kind at once."""

from collections.abc import Iterator
from itertools import count
from typing import Annotated, Any

from scheduler_core.objects.identity import (
    controller_of,
    is_active,
    is_recreated,
    keeps_name,
    name_of,
    namespace_of,
    uid_of,
)
from scheduler_core.objects.kinds import (
    NAMESPACE,
    NODE,
    PERSISTENT_VOLUME_CLAIM,
    POD,
    PRIORITY_CLASS,
    WORKLOAD_KINDS,
    Kind,
    kind_of,
)
from scheduler_core.objects.selectors import matches
from scheduler_core.objects.workloads.ephemeral_volumes import ephemeral_claims
from scheduler_core.objects.workloads.workload_pods import recreated_copy
from scheduler_core.schedulers.object_admission import Refused
from scheduler_core.world.edits import webhooks
from scheduler_core.world.edits.additions import count_of, insert_claims
from scheduler_core.world.edits.edited_cluster import EditedCluster
from scheduler_core.world.edits.new_template import make_again
from scheduler_core.world.edits.operations.base import (
    OBJECT,
    Edit,
    KindName,
    Namespace,
    Words,
    listed,
    said,
)
from scheduler_core.world.edits.operations.of_nodes import SelectorText, labels_of, read_selector
from scheduler_core.world.edits.places import full_name, is_namespaced
from scheduler_core.world.edits.results import EditResult

Object = dict[str, Any]
_FAILURES = ("node", "pod")
"""Kinds whose deletion is a failure: their pods come back elsewhere."""


class Delete(Edit, kw_only=True, tag="delete", frozen=True):
    """Takes objects away, with what they own or hold: a workload's pods, all that is in a namespace."""

    moves_pods = True
    words = Words(
        "Delete objects",
        "Delete",
        "Delete {object}",
        OBJECT,
        {"kind": "Pod", "namespace": "", "name": ""},
    )

    ways = ("name", "names", "selector")

    kind: KindName
    name: str | None = None
    names: Annotated[list[str] | None, said("The names of several objects of this kind and namespace.")] = (
        None
    )
    selector: SelectorText = None
    namespace: Namespace = None

    def check(self) -> None:
        super().check()
        if self.selector is not None:
            read_selector(self.selector)

    @property
    def is_one(self) -> bool:
        """Whether a single object is named."""
        return self.name is not None

    def because_of_time(self) -> Iterator[str]:
        yield from super().because_of_time()
        kind = self.kind.lower()
        if kind in _FAILURES:
            yield f"the {kind} {self.name} is deleted" if self.name else f"{kind}s are deleted"

    def apply(self, cluster: EditedCluster, result: EditResult) -> None:
        kind = cluster.kind_named(self.kind)
        if self.name is not None:
            found = [cluster.get(kind, self.namespace, self.name)]
        else:
            found = self._find(cluster, kind)
        for document in found:
            _delete(cluster, document, result)
        if kind == NODE:
            _tell_of_stranded(cluster, [name_of(one) for one in found], result)
        if self.name is not None:
            return
        result.sentence = f"delete {count_of(len(found), kind.name)}"
        result.note(f"deleted: {listed([full_name(one).partition(' ')[2] for one in found])}")

    def _find(self, cluster: EditedCluster, kind: Kind) -> list[Object]:
        if self.names is not None:
            return [cluster.get(kind, self.namespace, name) for name in dict.fromkeys(self.names)]
        selector = read_selector(str(self.selector))
        found = [
            one
            for one in cluster.of_kind(kind)
            if matches(selector, labels_of(one))
            and (not is_namespaced(one) or namespace_of(one) == (self.namespace or "default"))
        ]
        if not found:
            raise Refused("selector", f"no {kind.name} has the labels {self.selector}")
        return sorted(found, key=name_of)


def _delete(cluster: EditedCluster, document: Object, result: EditResult) -> None:
    """Delete an object and what belongs to it. Raises Refused."""
    kind = kind_of(document)
    result.sentence = f"delete {full_name(document)}"
    if kind == POD:
        for pod in cluster.find(POD, namespace_of(document), name_of(document)):
            _delete_pod(cluster, pod, result)
    elif kind in WORKLOAD_KINDS:
        _delete_workload(cluster, document, result)
    elif kind == NAMESPACE:
        _delete_namespace(cluster, document, result)
    else:
        webhooks.check_deletion(cluster, document)
        cluster.remove(document)
        if kind == PRIORITY_CLASS:
            result.note("pods that have their priority from it keep it")


def _tell_of_stranded(cluster: EditedCluster, nodes: list[str], result: EditResult) -> None:
    stranded = sum(len(cluster.pods_on(node)) for node in nodes)
    if stranded:
        on = "it" if len(nodes) == 1 else "them"
        pods = f"{count_of(stranded, 'pod')} on {on}"
        is_one = stranded == 1
        result.note(
            f"{pods} {'is' if is_one else 'are'} deleted 40 to 60 seconds later; "
            f"drain {on} first to move {'it' if is_one else 'them'} in time"
            if cluster.controllers_act
            else f"{pods} {'stays' if is_one else 'stay'} bound, unseen by the scheduler; drain {on} first"
        )


def _delete_pod(cluster: EditedCluster, pod: Object, result: EditResult) -> None:
    cluster.remove(pod)
    _remove_claims_of(cluster, pod)
    if not (cluster.recreates and is_recreated(pod) and is_active(pod)):
        return
    if uid_of(pod) in cluster.outdated:
        make_again(cluster, cluster.outdated[uid_of(pod)], pod, result)
    else:
        _insert_copy(cluster, pod, result)


def _insert_copy(cluster: EditedCluster, pod: Object, result: EditResult) -> None:
    numbers = count(1)
    copy = recreated_copy(pod, next(numbers))
    while not keeps_name(pod) and cluster.find(POD, namespace_of(pod), name_of(copy)):
        copy = recreated_copy(pod, next(numbers))
    cluster.insert_new(copy)
    insert_claims(cluster, ephemeral_claims(copy), result)
    result.note(f"its controller makes {full_name(copy)} in its place")


def _remove_claims_of(cluster: EditedCluster, pod: Object) -> None:
    """Take away the claims of its ephemeral volumes, as the garbage collector would."""
    for claim in ephemeral_claims(pod):
        for found in cluster.find(PERSISTENT_VOLUME_CLAIM, namespace_of(claim), name_of(claim)):
            owners = found["metadata"].get("ownerReferences") or ()
            if any(owner.get("uid") == uid_of(pod) for owner in owners):
                cluster.remove(found)


def _delete_workload(cluster: EditedCluster, workload: Object, result: EditResult) -> None:
    reference = controller_of(workload)
    if (
        cluster.recreates
        and reference is not None
        and cluster.find(kind_of(reference), namespace_of(workload), str(reference.get("name")))
    ):
        owner = f"{kind_of(reference)} {namespace_of(workload)}/{reference.get('name')}"
        raise Refused("name", f"{owner} would make it anew; delete that")
    pods = cluster.pods_of(workload)
    for between in cluster.controlled(workload):
        if kind_of(between) != POD:
            cluster.remove(between)
    for pod in pods:
        cluster.remove(pod)
    cluster.remove(workload)
    result.sentence += f" and its {count_of(len(pods), 'pod')}"


def _delete_namespace(cluster: EditedCluster, namespace: Object, result: EditResult) -> None:
    inside = [
        document
        for document in cluster.objects()
        if (document.get("metadata") or {}).get("namespace") == name_of(namespace)
    ]
    for document in inside:
        cluster.remove(document)
    cluster.remove(namespace)
    result.sentence += f" with {count_of(len(inside), 'object')}"
