"""Of which release of Kubernetes a snapshot's cluster is, and where that is taken from."""

from typing import NamedTuple

from django.db.models import Q, QuerySet
from django.db.models.fields.json import KT

from dashboard.models import Node, Snapshot
from scheduler_core.world.reporting.kubelets import Release, release_of, written

_CONTROL_PLANE = Q(**{"object__metadata__labels__node-role.kubernetes.io/control-plane__isnull": False}) | Q(
    **{"object__metadata__labels__node-role.kubernetes.io/master__isnull": False}
)
"""Has one of the labels; PostgreSQL's `json`, as which objects are kept, is not asked for keys (`?|`)."""


class ClusterRelease(NamedTuple):
    """The release of the control plane, and the beginning of a sentence that says where it is from."""

    release: Release
    source: str


def cluster_release(snapshot: Snapshot) -> ClusterRelease | None:
    """Return the release of the control plane's nodes, else the highest of all nodes; None if none tells."""
    rows = Node.objects.filter(snapshot=snapshot).order_by()
    of_control_plane = _releases(rows.filter(_CONTROL_PLANE))
    if of_control_plane:
        release = max(of_control_plane)
        return ClusterRelease(release, f"The control plane's kubelets are of {written(release)}")
    releases = _releases(rows)
    if not releases:
        return None
    newest = "newest " if len(releases) > 1 else ""
    return ClusterRelease(max(releases), f"The nodes' {newest}kubelets are of {written(max(releases))}")


def _releases(rows: QuerySet[Node]) -> set[Release]:
    texts = rows.values_list(KT("object__status__nodeInfo__kubeletVersion"), flat=True).distinct()
    return {release for text in texts if (release := release_of(text)) is not None}
