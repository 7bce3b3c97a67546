"""What an edit of an instant leaves to the run: the pods of workloads whose controllers act there.

An edit is worked out on a cluster in which controllers have done their work at once, so that later edits find
its pods. In the run the controllers do it in their own time, and perhaps otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scheduler_core.objects.identity import controller_of, namespace_of
from scheduler_core.objects.kinds import JOB, POD, STATEFUL_SET, kind_named, kind_of
from scheduler_core.world.edits.edited_cluster import Difference, EditedCluster
from scheduler_core.world.edits.places import uid_of
from scheduler_core.world.edits.shapes import AnyEdit, Delete

Object = dict[str, Any]

PLAYED = (STATEFUL_SET, JOB)
"""Kinds whose pods come and go in the run alone. Deployments and DaemonSets are played once they roll out."""


def of_the_run(
    edit: AnyEdit, differences: Sequence[Difference], cluster: EditedCluster
) -> tuple[list[Difference], list[Object]]:
    """Return the differences that the edit makes itself, and the objects that controllers may make."""
    if not cluster.plays_controllers or (isinstance(edit, Delete) and kind_named(edit.kind) == POD):
        return list(differences), []
    left = [one for one in differences if _is_left(one[0] or one[1], cluster)]
    kept = [one for one in differences if one not in left]
    return kept, [after for before, after in left if before is None and after is not None]


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
