"""A manifest's workloads with as many pods as the cluster's autoscalers leave them."""

from collections.abc import Callable, Iterable
from typing import Any

from scheduler_core.objects.identity import spec_of
from scheduler_core.objects.kinds import DAEMON_SET, WORKLOAD_KINDS, kind_of
from scheduler_core.objects.workloads.autoscalers import scaled
from scheduler_core.objects.workloads.workload_pods import wanted_replicas, with_replicas

Object = dict[str, Any]


def within_bounds(
    document: Object,
    present: Object | None,
    autoscalers: Iterable[Object],
    note: Callable[[str], None] = lambda said: None,
) -> Object:
    """Return a workload with as many replicas as it has once an autoscaler has acted; others as they are.

    present: the workload that is there, whose replicas stay where the document says nothing of them.
    """
    if kind_of(document) not in WORKLOAD_KINDS or kind_of(document) == DAEMON_SET:
        return document
    is_silent = spec_of(document).get("replicas") is None
    asks = wanted_replicas(present if present is not None and is_silent else document)
    found = scaled(document, asks, autoscalers)
    if found is None:
        return document
    note(f"{found.why} replicas")
    return with_replicas(document, found.replicas)
