"""What edits ask of a cluster's objects, one by one: for whoever looks whether the cluster has it by now.

The edits are applied as for a run, without a run: controllers that act later, and schedulers, do nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from scheduler_core.objects.api_server.admission import Webhook
from scheduler_core.objects.checks.cluster_checks import Limits
from scheduler_core.objects.identity import controller_of, has_ended, uid_of
from scheduler_core.objects.kinds import POD, WORKLOAD_KINDS, kind_of
from scheduler_core.objects.reading.texts import read_manifest
from scheduler_core.schedulers.object_admission import Refused
from scheduler_core.world.edits.additions import with_wanted_replicas
from scheduler_core.world.edits.edited_cluster import EditedCluster
from scheduler_core.world.edits.operations import read_edit
from scheduler_core.world.edits.operations.add import Add
from scheduler_core.world.edits.operations.base import Edit
from scheduler_core.world.edits.operations.delete import Delete
from scheduler_core.world.edits.operations.drain import Drain, reason_to_skip
from scheduler_core.world.edits.operations.evict import Evict
from scheduler_core.world.edits.places import Identity, identity_of
from scheduler_core.world.edits.results import EditResult, EvictionRequest

Object = dict[str, Any]


class Wanted(NamedTuple):
    """An object that an edit changes: as it was, as the edit makes it, and as all edits leave it.

    before is None of an object that is new, after and last of one that is gone. uid: of a pod that was there.
    """

    identity: Identity
    before: Object | None
    after: Object | None
    last: Object | None
    uid: str = ""


@dataclass(frozen=True)
class AskedOfObjects:
    """What one edit asks.

    wanted: the objects that it changes, those aside that controllers make or change because of it. leaving:
    the uids of the pods that it asks to go, by node. nodes: those that it was done to, or that it adds.
    refused: why the edit could not be applied, else empty.
    """

    index: int
    edit: Edit | None
    wanted: Sequence[Wanted] = ()
    leaving: Mapping[str, Sequence[str]] = field(default_factory=dict)
    nodes: Sequence[str] = ()
    refused: str = ""


def asked_of_objects(
    objects: Iterable[Object],
    edits: Sequence[Object],
    *,
    driver: str,
    controllers: str,
    webhook: Webhook | None = None,
) -> list[AskedOfObjects]:
    """Apply edits to a snapshot's admitted objects, and return what each asks, by its index.

    driver and controllers are those of the run. An edit that is refused now is told, and no other suffers.
    """
    cluster = EditedCluster(objects, Limits(), webhook)
    cluster.has_clock, cluster.recreates = driver == "timed", controllers == "recreate"
    found: list[AskedOfObjects] = []
    for index in sorted(range(len(edits)), key=lambda index: edits[index].get("at") or 0.0):
        try:
            found.append(_asked(cluster, index, read_edit(edits[index], driver)))
        except Refused as refused:
            found.append(
                AskedOfObjects(index, None, refused="; ".join(reason for _, reason in refused.faults))
            )
    return [_as_all_leave_it(cluster, one) for one in sorted(found, key=lambda one: one.index)]


def _asked(cluster: EditedCluster, index: int, edit: Edit) -> AskedOfObjects:
    cluster.begin_edit(edit.at or 0.0)
    result = EditResult(index, edit.__class__.__name__)
    requests = edit.apply(cluster, result) or []
    written = _written(edit)
    wanted = [
        Wanted(
            identity_of(one),
            before,
            written.get(identity_of(one), after) if before is None else after,
            after,
            uid_of(before) if before is not None else "",
        )
        for before, after in cluster.differences()
        if (one := before if after is None else after) is not None and _is_asked(edit, one, after)
    ]
    return AskedOfObjects(index, edit, wanted, _leaving(cluster, edit, result, requests), result.nodes)


def _written(edit: Edit) -> dict[Identity, Object]:
    """Return the objects of a manifest as somebody wrote them: nobody asked for what is filled in."""
    if not isinstance(edit, Add):
        return {}
    return {identity_of(one): _sized(one, edit.replicas) for one in read_manifest(edit.manifest)}


def _sized(document: Object, replicas: int | None) -> Object:
    return with_wanted_replicas(document, replicas) if kind_of(document) in WORKLOAD_KINDS else document


def _is_asked(edit: Edit, one: Object, after: Object | None) -> bool:
    """Tell what an edit asks itself from what controllers make of it, under names that nobody chose."""
    if controller_of(one) is None:
        return True
    return kind_of(one) == POD and isinstance(edit, Delete) and after is None and _names_pods(edit)


def _names_pods(edit: Delete) -> bool:
    return edit.kind.lower() == "pod"


def _leaving(
    cluster: EditedCluster, edit: Edit, result: EditResult, requests: Iterable[EvictionRequest]
) -> dict[str, list[str]]:
    """Return the pods that are asked to go, as far as the snapshot has them."""
    if isinstance(edit, Drain):
        return {
            name: [
                uid_of(pod)
                for pod in cluster.pods_on(name)
                if not has_ended(pod) and reason_to_skip(pod) is None
            ]
            for name in result.nodes
        }
    if isinstance(edit, Evict):
        return {"": [request.uid for request in requests if request.skipped is None]}
    return {}


def _as_all_leave_it(cluster: EditedCluster, asked: AskedOfObjects) -> AskedOfObjects:
    """Say of each object how it is after the last edit: a later one may have changed it again."""
    wanted = []
    for one in asked.wanted:
        kind, namespace, name = one.identity
        last = next(iter(cluster.find(kind, namespace or None, name)), None)
        wanted.append(one._replace(last=last))
    return replace(asked, wanted=wanted)
