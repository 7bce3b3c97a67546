"""Of which release of Kubernetes a snapshot's cluster is, and where that is taken from."""

from typing import NamedTuple

from django.db.models import Q, QuerySet
from django.db.models.fields.json import KT

from dashboard.models import Node, Pod, Snapshot
from scheduler_core.objects.node_groups import CONTROL_PLANE_LABELS
from scheduler_core.world.reporting.cluster_release import (
    SCHEDULER_POD,
    SYSTEM_NAMESPACE,
    Release,
    ToldRelease,
    release_of,
    scheduler_releases,
)


class ClusterRelease(NamedTuple):
    """The release of the control plane, and the beginning of a sentence that says where it is from.

    is_least: the API server may be of a newer one.
    """

    release: Release
    source: str
    is_least: bool = False


def cluster_release(snapshot: Snapshot) -> ClusterRelease | None:
    """Return the cluster's release as a run of it would take it; None if nothing tells it."""
    nodes = Node.objects.filter(snapshot=snapshot).order_by()
    pods = Pod.objects.filter(
        snapshot=snapshot, namespace=SYSTEM_NAMESPACE, name__startswith=SCHEDULER_POD
    ).order_by()
    told = ToldRelease(
        frozenset(snapshot.server_versions),
        frozenset(release for pod in pods for release in scheduler_releases(pod.object)),
        _releases(nodes.filter(_of_control_plane())),
        _releases(nodes),
    )
    release = told.release
    if release is None:
        return None
    return ClusterRelease(release, told.source[:1].upper() + told.source[1:], told.is_least)


def _of_control_plane() -> Q:
    """Return what holds of nodes with a label of it; PostgreSQL's `json` is not asked for keys (`?|`)."""
    has = Q()
    for label in CONTROL_PLANE_LABELS:
        has |= Q(**{f"object__metadata__labels__{label}__isnull": False})
    return has


def _releases(rows: QuerySet[Node]) -> frozenset[Release]:
    texts = rows.values_list(KT("object__status__nodeInfo__kubeletVersion"), flat=True).distinct()
    return frozenset(release for text in texts if (release := release_of(text)) is not None)
