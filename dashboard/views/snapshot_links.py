"""Addresses of what an object of a snapshot is part of; None where the snapshot doesn't have it."""

from django.urls import reverse

from dashboard.kinds import pages
from dashboard.models import Snapshot, Workload


def workload_address(snapshot: Snapshot, workload: str) -> str | None:
    """Return the page of `Kind/namespace/name`, be it a workload or an object that a scheduler brings."""
    if address := pages.workload_address(snapshot, workload):
        return address
    kind, _, rest = workload.partition("/")
    namespace, _, name = rest.partition("/")
    known = Workload.objects.filter(snapshot=snapshot, kind=kind, namespace=namespace, name=name)
    return reverse("snapshot-detail", args=[snapshot.pk, "workloads", workload]) if known.exists() else None
