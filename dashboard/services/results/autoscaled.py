"""What autoscalers, of a cluster and of a manifest, make of the workloads of that manifest and of others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from scheduler_core.objects.identity import name_of, namespace_of
from scheduler_core.objects.kinds import kind_of
from scheduler_core.objects.workloads.autoscalers import AUTOSCALER, scaled, target_of
from scheduler_core.objects.workloads.workload_pods import wanted_replicas
from scheduler_core.world.edits.autoscaling import within_bounds
from scheduler_core.world.edits.edited_cluster import EditedCluster
from scheduler_core.world.edits.places import full_name

Object = dict[str, Any]


class Bounded(NamedTuple):
    """A workload with the replicas that it has in the end, and a sentence where these are others."""

    document: Object
    notes: list[str]


class Bounds:
    """The autoscalers that there are once a manifest is applied; those of the manifest take others' place."""

    def __init__(self, cluster: EditedCluster, manifest: Iterable[Object]) -> None:
        self._cluster = cluster
        self._manifest = {(kind_of(one), namespace_of(one), name_of(one)): one for one in manifest}
        given = {key: one for key, one in self._manifest.items() if key[0] == AUTOSCALER}
        there = {(AUTOSCALER, namespace_of(one), name_of(one)): one for one in cluster.of_kind(AUTOSCALER)}
        self._given, self._all = given, list((there | given).values())

    def of(self, document: Object) -> Bounded:
        """Return a workload of the manifest as it is in the end; other objects as they are."""
        found = self._cluster.find(kind_of(document), namespace_of(document), name_of(document))
        notes: list[str] = []
        bounded = within_bounds(document, found[-1] if found else None, self._all, notes.append)
        return Bounded(bounded, notes)

    def of_others(self) -> list[tuple[str, int, str]]:
        """Return whom else these of the manifest scale: its name, its replicas, and why it gets others."""
        found = []
        for autoscaler in self._given.values():
            key = target_of(autoscaler)
            there = [] if key in self._manifest else self._cluster.find(*key)
            for one in there[-1:]:
                replicas = wanted_replicas(one)
                if made := scaled(one, replicas, self._all):
                    found.append((full_name(one), replicas, made.why))
        return found
