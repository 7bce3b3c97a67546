"""What `kubectl drain` and the eviction API say of a node's pods before anybody moves.

Source: kubernetes v1.36 staging/src/k8s.io/kubectl/pkg/drain/filters.go daemonSetFilter, mirrorPodFilter,
localStorageFilter, unreplicatedFilter; pkg/registry/core/pod/storage/eviction.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scheduler_core.objects.identity import comes_back, controller_of, has_ended
from scheduler_core.objects.node_groups import is_control_plane
from scheduler_core.world.consolidation.results import KeptNode, Obstacle
from scheduler_core.world.controllers.covering import covering
from scheduler_core.world.controllers.evictions import is_ready, lets_go, name_of, never_asks
from scheduler_core.world.controllers.lasting_refusals import LastingRefusals
from scheduler_core.world.edits.operations.drain import reason_to_skip
from scheduler_core.world.simulation import Simulation


class Leaving:
    """Asks about the pods of nodes as a simulation has them; changes nothing."""

    def __init__(self, simulation: Simulation, *, local_storage: bool) -> None:
        self._simulation, self._state = simulation, simulation.cluster
        self._local_storage = local_storage
        self._lasting = LastingRefusals(simulation.cluster)
        self._pods: dict[str, list[int]] = {}

    def pods_of(self, node: str) -> list[int]:
        """Return the rows of the pods that have to leave: DaemonSets', static and ending ones do not."""
        if node not in self._pods:
            rows = self._state.placement.members(node)
            self._pods[node] = [row for row in rows if self._would_go(row)]
        return self._pods[node]

    def budgets_of(self, node: str) -> set[tuple[str, str]]:
        """Return namespace and name of the budgets that cover pods which have to leave a node."""
        infos = self._state.pods.infos
        some = (covering(self._state, infos[row]) for row in self.pods_of(node))
        return {(budget.namespace, budget.name) for budgets in some for budget in budgets}

    def obstacle(self, node: str, zone: str, pool: str) -> KeptNode | None:
        """Return what keeps a node though all its pods fit elsewhere; None where nothing does."""
        row = self._state.nodes.index[node]
        labels = self._state.nodes.objects[row].metadata.labels or {}
        if is_control_plane(labels):
            return KeptNode(node, zone, pool, "control_plane")
        found = list(self._obstacles(node))
        if not found:
            return None
        kind, pod, budgets, lasts = found[0]
        others = sum(one[0] == kind for one in found) - 1
        info = self._state.pods.infos[pod]
        workload = self._simulation.workload_of(info.uid)
        return KeptNode(node, zone, pool, kind, info.key, workload, budgets, lasts, others=others)

    def _obstacles(self, node: str) -> Iterator[tuple[Obstacle, int, list[str], str]]:
        for row in self._ending(node):
            yield "ending", row, [], ""
        for row in self.pods_of(node):
            document, info = self._document(row), self._state.pods.infos[row]
            budgets = [] if never_asks(info.pod) else covering(self._state, info)
            if controller_of(document) is None:
                yield "no_controller", row, [], ""
            elif not self._local_storage and has_local_storage(document):
                yield "local_storage", row, [], ""
            elif len(budgets) > 1:
                yield "budgets", row, [name_of(one) for one in budgets], "ever"
            elif budgets and not lets_go(budgets[0], ready=is_ready(info.pod)):
                yield "budget", row, [name_of(budgets[0])], self._lasting.lasts(budgets)

    def _ending(self, node: str) -> Iterator[int]:
        """Yield the pods in deletion: a StatefulSet makes the next one, or others find room, after them."""
        for row in self._state.placement.members(node):
            if self._state.pods.is_terminating(row) and not comes_back(self._document(row)):
                yield row

    def _would_go(self, row: int) -> bool:
        document = self._document(row)
        skipped = reason_to_skip(document) is not None or self._state.pods.is_terminating(row)
        return not skipped and not has_ended(document)

    def _document(self, row: int) -> dict[str, Any]:
        return self._simulation.document(self._state.pods.infos[row].uid)


def has_local_storage(pod: dict[str, Any]) -> bool:
    """Return whether a pod has an emptyDir volume, whose data a drain deletes."""
    return any("emptyDir" in volume for volume in (pod.get("spec") or {}).get("volumes") or ())
