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
"""Kinds whose pods come and go in the run alone."""


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
    reference = None if document is None else controller_of(document)
    if document is None or reference is None or kind_of(document) != POD:
        return False
    if kind_of(reference) not in PLAYED:
        return False
    owners = cluster.find(kind_of(reference), namespace_of(document), str(reference.get("name")))
    return any(uid_of(owner) == reference.get("uid") for owner in owners)
