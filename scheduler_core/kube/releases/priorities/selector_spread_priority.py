"""SelectorSpreadPriority: away from the pods of the same Services and controllers, by node and zone.

Source: kubernetes v1.8 to v1.13 algorithm/priorities/selector_spreading.go, metadata.go getSelectors;
pkg/util/node GetZoneKey; client-go listers GetPodServices, GetPodControllers, GetPodReplicaSets,
GetPodStatefulSets.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scheduler_core.kube.framework import Cycle, ScorePlugin
from scheduler_core.kube.releases.priorities.resource_priorities import MAX_PRIORITY
from scheduler_core.objects import selectors
from scheduler_core.objects.selectors import Selector
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.nodes import IntArray, NodeTable, Topology
from scheduler_core.state.pods import PodInfo

_ZONE_WEIGHT = 2.0 / 3.0
_REGION_LABEL = "failure-domain.beta.kubernetes.io/region"
_ZONE_LABEL = "failure-domain.beta.kubernetes.io/zone"
_FLOAT_TO_INT_OF_NAN = np.iinfo(np.int64).min
"""What Go on amd64 makes of a NaN."""


class SelectorSpreadPriority(ScorePlugin):
    """A pod counts if any of the selectors matches it.

    `divides_by_zero`: where zones are known and none has a matching pod, the score of every node in a zone is
    what Go makes of 0/0.
    """

    name = "SelectorSpreadPriority"

    def __init__(self, *, divides_by_zero: bool = False) -> None:
        super().__init__()
        self._divides_by_zero = divides_by_zero

    def pre_score(self, cycle: Cycle, nodes: IntArray) -> Any:
        return tuple(selectors_of(cycle.state, cycle.pod))

    def score(self, cycle: Cycle, prepared: Any, nodes: IntArray) -> IntArray:
        state, own = cycle.state, cycle.pod.namespace
        if not prepared:
            return np.zeros(len(nodes), dtype=np.int64)
        matching = state.pods.matching(
            ("selector spread", own, prepared),
            lambda namespace, labels: (
                namespace == own and any(selectors.matches(selector, labels) for selector in prepared)
            ),
        )
        counted = matching & (state.pod_node >= 0) & ~state.pods.terminating
        return np.bincount(state.pod_node[counted], minlength=len(state.nodes)).astype(np.int64)[nodes]

    def normalize(self, cycle: Cycle, prepared: Any, nodes: IntArray, scores: IntArray) -> IntArray:
        result = _share_left(scores, int(scores.max()))
        table = cycle.state.nodes
        zones = table.column("zones of SelectorSpreadPriority", lambda: _zones(table))[nodes]
        zoned = zones >= 0
        if zoned.any() and (prepared or not self._divides_by_zero):
            by_zone = np.zeros(int(zones.max()) + 1, dtype=np.int64)
            np.add.at(by_zone, zones[zoned], scores[zoned])
            highest = int(by_zone.max())
            if highest == 0 and self._divides_by_zero:
                return np.where(zoned, _FLOAT_TO_INT_OF_NAN, result.astype(np.int64))
            of_zone = _share_left(by_zone, highest)[zones]
            result = np.where(zoned, result * (1.0 - _ZONE_WEIGHT) + _ZONE_WEIGHT * of_zone, result)
        return result.astype(np.int64)


def _share_left(counts: IntArray, highest: int) -> NDArray[np.float64]:
    if highest == 0:
        return np.full(len(counts), float(MAX_PRIORITY))
    return float(MAX_PRIORITY) * ((highest - counts) / float(highest))


def selectors_of(state: ClusterState, pod: PodInfo) -> Iterator[Selector]:
    """Yield the selectors of the Services and controllers of the pod's namespace that match the pod.

    An empty selector of a Service matches every pod, one of a controller none; nor does a controller's
    selector match a pod without labels, whatever it says.
    """
    yield from map(selectors.from_labels, state.groups.services_of(pod.namespace, pod.labels))
    if not pod.labels:
        return
    for (_, namespace, _), labels in state.groups.replication_controllers.items():
        if namespace == pod.namespace:
            yield from _matching(selectors.from_labels(labels), pod)
    for (_, namespace, _), of_controller in state.groups.selectors.items():
        if namespace == pod.namespace and of_controller is not None:
            yield from _matching(of_controller, pod)


def _matching(selector: Selector, pod: PodInfo) -> Iterator[Selector]:
    if selector and selectors.matches(selector, pod.labels):
        yield selector


def _zones(nodes: NodeTable) -> IntArray:
    """Return each node's zone, numbered; -1 where it has neither a region nor a zone label."""
    region, zone = (nodes.topology(label) for label in (_REGION_LABEL, _ZONE_LABEL))
    pairs = np.stack([_absent_if_empty(region), _absent_if_empty(zone)])
    _, number = np.unique(pairs, axis=1, return_inverse=True)
    return np.where((pairs >= 0).any(axis=0), number.reshape(-1), -1)


def _absent_if_empty(topology: Topology) -> IntArray:
    return np.where(topology.where(lambda value: value == ""), -1, topology.domain)
