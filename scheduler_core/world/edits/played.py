"""What edits leave to the run, where controllers act: the pods of workloads, and what takes its time.

Edits are worked out on a cluster in which controllers have done their work at once, so that later edits find
its pods. In the run the controllers do it in their own time, and perhaps otherwise. So of the edits of the
start those happen in the run, at 0, of which a clock sees more: pods go, or come one after another, or are
refused. All others are there before the first decision, which comes to the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scheduler_core.objects.identity import controller_of, has_ended, is_active, namespace_of, uid_of
from scheduler_core.objects.kinds import (
    DEPLOYMENT,
    JOB,
    POD,
    REPLICA_SET,
    STATEFUL_SET,
    WORKLOAD_KINDS,
    kind_named,
    kind_of,
)
from scheduler_core.world.edits import new_template
from scheduler_core.world.edits.edited_cluster import Difference, EditedCluster
from scheduler_core.world.edits.operations.base import Edit
from scheduler_core.world.edits.operations.delete import Delete
from scheduler_core.world.edits.rollout import is_under_way, says_ended

Object = dict[str, Any]

PLAYED = (STATEFUL_SET, JOB)
"""Kinds whose pods come and go in the run alone. Deployments and DaemonSets are played once they roll out."""


def under_way(cluster: EditedCluster) -> set[str]:
    """Return the Deployments, by uid, whose rollouts have not ended: the run goes on with them."""
    return {
        uid_of(one)
        for one in cluster.of_kind(DEPLOYMENT)
        if not says_ended(one) and is_under_way(one, *_sets_and_pods(one, cluster))
    }


def _sets_and_pods(deployment: Object, cluster: EditedCluster) -> tuple[list[Object], int]:
    sets = [found for found in cluster.controlled(deployment) if kind_of(found) == REPLICA_SET]
    return sets, sum(is_active(pod) for one in sets for pod in cluster.controlled(one))


def at_the_start(edit: Edit, cluster: EditedCluster) -> dict[int, Difference]:
    """Return by place what an edit without an instant does in the run; nothing if all is there before."""
    if not cluster.controllers_act:
        return {}
    found = {place: one for place, one in cluster.differences_by_place().items() if _is_played(*one)}
    _, left = of_the_run(edit, list(found.values()), cluster)
    takes_time = cluster.lacking or left or any(map(_is_seen_by_a_clock, found.values()))
    return found if takes_time or not found.keys().isdisjoint(cluster.at_start) else {}


def _is_played(before: Object | None, after: Object | None) -> bool:
    """Return whether the log can tell of it: workloads, and pods that a run knows."""
    document = before or after
    assert document is not None
    if kind_of(document) == POD:
        return after is not None or not has_ended(document)
    return kind_of(document) in WORKLOAD_KINDS


def _is_seen_by_a_clock(difference: Difference) -> bool:
    """Return whether a pod goes, a template changes, or a workload whose controller acts in the run alone.

    Also where no pod is replaced at once: the run has to tell the template of now from that of before.
    """
    before, after = difference
    document = before or after
    assert document is not None
    if kind_of(document) == POD:
        return after is None
    if kind_of(document) in PLAYED:
        return True
    return before is not None and after is not None and new_template.is_other(before, after)


def of_the_run(
    edit: Edit, differences: Sequence[Difference], cluster: EditedCluster
) -> tuple[list[Difference], list[Object]]:
    """Return the differences that the edit makes itself, and the objects that controllers may make."""
    if not cluster.controllers_act or (isinstance(edit, Delete) and kind_named(edit.kind) == POD):
        return list(differences), []
    kept: list[Difference] = []
    left: list[Object] = []
    for before, after in differences:
        if not _is_left(before or after, cluster):
            kept.append((before, after))
        elif before is None and after is not None:
            left.append(after)
    return kept, left


def _is_left(document: Object | None, cluster: EditedCluster) -> bool:
    """Return whether an object is for a controller to make or delete, whose workload is there."""
    owner = None if document is None else _owner(document, cluster)
    if document is None or owner is None:
        return False
    if kind_of(document) == POD and kind_of(owner) in PLAYED:
        return True
    top = _owner(owner, cluster) or owner
    return uid_of(top) in cluster.rolling


def _owner(document: Object, cluster: EditedCluster) -> Object | None:
    """Return an object's controller; of a ReplicaSet that an edit has replaced, the Deployment itself."""
    reference = controller_of(document)
    if reference is None:
        return None
    owners = cluster.find(kind_of(reference), namespace_of(document), str(reference.get("name")))
    found = next((owner for owner in owners if uid_of(owner) == reference.get("uid")), None)
    return found if found is not None else cluster.replaced.get(str(reference.get("uid")))
