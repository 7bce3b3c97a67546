"""Workloads that want pods and have none: the picture was made of manifests, or of a part of a cluster.

Such a picture plays as if these pods didn't exist, since no run makes them by itself.
"""

from typing import Any

from scheduler_core.objects.checks.cluster_checks import object_name
from scheduler_core.objects.identity import controller_of, labels_of, name_in, namespace_of, spec_of
from scheduler_core.objects.kinds import (
    CRON_JOB,
    DAEMON_SET,
    DEPLOYMENT,
    JOB,
    POD,
    REPLICA_SET,
    REPLICATION_CONTROLLER,
    WORKLOAD_KINDS,
    Kind,
    kind_of,
)
from scheduler_core.objects.workloads.workload_pods import wanted_replicas

Object = dict[str, Any]
Identity = tuple[Kind, str, str]
"""Kind, namespace (empty where it has none) and name."""
_MAKERS = frozenset(WORKLOAD_KINDS) - {CRON_JOB}
"""A CronJob wants pods at its times only."""


class WorkloadsAndPods:
    """The workloads of a cluster that want pods, and whose the pods are."""

    def __init__(self) -> None:
        self._wanting: list[Object] = []
        self._owning: set[Identity] = set()
        self._makers: dict[Identity, Identity] = {}
        self._labels_of_others: set[tuple[str, str, str]] = set()

    def take(self, kind: Kind, document: Object, owner: Identity | None) -> None:
        """Note an object if it is a workload or a pod, and its owner; pods that have ended count, too."""
        if kind == POD:
            if owner is not None:
                self._owning.add(owner)
            else:
                namespace = namespace_of(document)
                self._labels_of_others.update((namespace, *pair) for pair in labels_of(document).items())
        elif kind in _MAKERS:
            if kind == REPLICA_SET and owner is not None:
                self._makers[name_in(document)] = owner
            if _wants_pods(document):
                self._wanting.append(document)

    def without_pods(self) -> list[str]:
        """Return the full names of workloads that want pods and of which no pod is."""
        owning = self._owning | {self._maker(one) for one in self._owning if one[0] == REPLICA_SET}
        others = owning | {name_in(document) for document in self._wanting}
        return [
            object_name(document)
            for document in self._wanting
            if (identity := name_in(document)) not in owning
            and self._makers.get(identity) not in others
            and not self._may_adopt(document)
        ]

    def _maker(self, replica_set: Identity) -> Identity:
        """Return the Deployment of a ReplicaSet; of one that isn't there the name says it."""
        _, namespace, name = replica_set
        return self._makers.get(replica_set) or (DEPLOYMENT, namespace, name.rpartition("-")[0])

    def _may_adopt(self, workload: Object) -> bool:
        """Tell whether pods that are nobody's may have the labels that a workload selects."""
        namespace = namespace_of(workload)
        labels = _selected_labels(workload)
        return all((namespace, *pair) in self._labels_of_others for pair in labels.items())


def owner_of(document: Object) -> Identity | None:
    """Return the controller of an object, which is of the same namespace."""
    owner = controller_of(document)
    return None if owner is None else (kind_of(owner), namespace_of(document), str(owner.get("name")))


def _wants_pods(workload: Object) -> bool:
    status = workload.get("status") or {}
    if kind_of(workload) == DAEMON_SET:
        return bool(status.get("desiredNumberScheduled"))
    if kind_of(workload) == JOB and status and not status.get("active"):
        return False
    return wanted_replicas(workload) > 0


def _selected_labels(workload: Object) -> dict[str, str]:
    """Return the labels that a workload's pods have in any case."""
    selector = spec_of(workload).get("selector") or {}
    if kind_of(workload) != REPLICATION_CONTROLLER:
        selector = selector.get("matchLabels") or {}
    return selector or labels_of(spec_of(workload).get("template") or {})
