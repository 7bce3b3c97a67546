"""Addresses of what an object of a snapshot is part of; None where the snapshot doesn't have it."""

from django.urls import reverse

from dashboard.models import Snapshot, Workload
from dashboard.templatetags.figures import VOLCANO_PAGES
from dashboard.views.volcano_tables import objects_of
from scheduler_core.objects.kinds import Kind
from scheduler_core.volcano.api_kinds import VOLCANO_JOB, VOLCANO_POD_GROUP, VOLCANO_QUEUE

_PAGES = {kind: page for page, (_, kind) in VOLCANO_PAGES.items()}


def workload_address(snapshot: Snapshot, workload: str) -> str | None:
    """Return the page of `Kind/namespace/name`, be it a workload or Volcano's Job."""
    kind, _, rest = workload.partition("/")
    namespace, _, name = rest.partition("/")
    if kind == str(VOLCANO_JOB):
        return _volcano(snapshot, VOLCANO_JOB, namespace, name)
    known = Workload.objects.filter(snapshot=snapshot, kind=kind, namespace=namespace, name=name)
    return reverse("snapshot-detail", args=[snapshot.pk, "workloads", workload]) if known.exists() else None


def group_address(snapshot: Snapshot, group: str) -> str | None:
    """Return the page of the pod group `namespace/name`."""
    namespace, _, name = group.partition("/")
    return _volcano(snapshot, VOLCANO_POD_GROUP, namespace, name)


def queue_address(snapshot: Snapshot, queue: str) -> str | None:
    """Return the page of a queue."""
    return _volcano(snapshot, VOLCANO_QUEUE, "", queue)


def _volcano(snapshot: Snapshot, kind: Kind, namespace: str, name: str) -> str | None:
    row = objects_of(snapshot, kind).filter(namespace=namespace, name=name).first()
    return reverse("snapshot-volcano-detail", args=[snapshot.pk, _PAGES[kind], str(row)]) if row else None
