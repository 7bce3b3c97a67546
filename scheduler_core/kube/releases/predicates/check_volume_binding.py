"""CheckVolumeBinding: a pod goes where its volumes can be reached, found or made.

What is found on each node is what today's binder finds (`predicates/volumes/binder.py`), which knows neither
CSI migration nor storage capacity where the cluster has none of their objects. A claim whose volume is being
made for a node, and one that names a volume without being bound to it, are errors on every node.

Source: kubernetes v1.11, v1.13 algorithm/predicates VolumeBindingChecker; controller/volume/persistentvolume
scheduler_binder.go, index.go, pv_controller.go (shouldDelayBinding).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from scheduler_core.events.decisions import Status
from scheduler_core.go.quick_sort import go_quick_sort
from scheduler_core.kube.framework import ERROR, SKIP, Cycle, NotModelled, PreFilterAnswer, View
from scheduler_core.kube.releases.predicates.predicate import Predicate
from scheduler_core.kube.releases.predicates.wording import (
    VOLUME_BINDING_NO_MATCH,
    VOLUME_NODE_AFFINITY_CONFLICT,
    Wording,
)
from scheduler_core.objects.storage import PersistentVolumeClaim
from scheduler_core.predicates.filter_state import FilterState
from scheduler_core.predicates.volumes.binder import (
    BIND_CONFLICT,
    NO_SUCH_VOLUME,
    NODE_CONFLICT,
    NoBindingMode,
    PodVolumes,
    find_volumes,
    sort_out,
)
from scheduler_core.predicates.volumes.claims import named_claims
from scheduler_core.predicates.volumes.matching import VolumeMatcher
from scheduler_core.predicates.volumes.shelf import ClaimShape, shape_of
from scheduler_core.predicates.volumes.topology import TopologyCache
from scheduler_core.state.nodes import IntArray
from scheduler_core.state.volumes import BinderView

_FAILURES = {NODE_CONFLICT: VOLUME_NODE_AFFINITY_CONFLICT, BIND_CONFLICT: VOLUME_BINDING_NO_MATCH}


@dataclass
class _Fault(FilterState):
    """The same error on every node."""

    text: str


class CheckVolumeBinding(Predicate):
    """Skipped for pods without claims. Choosing a node keeps the volumes that were found there.

    bound_only_in: the release of which late binding is not modelled; an unbound claim raises NotModelled.
    """

    name = "CheckVolumeBinding"

    def __init__(self, wording: Wording, *, bound_only_in: str = "") -> None:
        super().__init__(wording)
        self._bound_only_in = bound_only_in
        self.binder = BinderView()
        self._topologies = TopologyCache()
        self._matcher: VolumeMatcher | None = None

    def pre_filter(self, cycle: Cycle) -> PreFilterAnswer:
        volumes, names = cycle.state.volumes, named_claims(cycle.pod.pod)
        if not names:
            return SKIP
        for name in names:
            if volumes.claim(cycle.pod.namespace, name) is None:
                key = f'"{cycle.pod.namespace}/{name}"'
                return _Fault(f"error getting PVC {key}: could not find v1.PersistentVolumeClaim {key}")
        try:
            claims = sort_out([volumes.claims[cycle.pod.namespace, name] for name in names], volumes)
        except NoBindingMode as error:
            return _Fault(f'VolumeBindingMode not set for StorageClass "{error}"')
        if self._bound_only_in and (claims.immediate or claims.late):
            raise NotModelled(f"claims that are not bound in kube-scheduler {self._bound_only_in}")
        if claims.immediate or any(map(self.binder.selected_node, claims.late)):
            return _Fault("pod has unbound immediate PersistentVolumeClaims")
        return find_volumes(claims, self.binder, self._matcher_of(cycle))

    def _matcher_of(self, cycle: Cycle) -> VolumeMatcher:
        """Return the matcher of this cluster, a new one for another cluster."""
        topology = self._topologies.of(cycle.state.nodes, cycle.state.volumes)
        if self._matcher is None or self._matcher.topology is not topology:
            self._matcher = VolumeMatcher(topology, _shape_of, go_quick_sort)
        return self._matcher

    def filter(self, view: View, nodes: IntArray) -> IntArray:
        found = view.states[self.name]
        if isinstance(found, _Fault):
            return np.ones(len(nodes), dtype=np.int64)
        assert isinstance(found, PodVolumes)
        return found.codes[nodes]

    def status(self, state: FilterState | None, code: int) -> Status:
        if isinstance(state, _Fault):
            return Status(self.name, ERROR, [state.text])
        if code & NO_SUCH_VOLUME:
            assert isinstance(state, PodVolumes)
            return Status(self.name, ERROR, [f'could not find v1.PersistentVolume "{state.missing}"'])
        return super().status(state, code)

    def failures(self, state: FilterState | None, code: int) -> list[str]:
        return [failure for bit, failure in _FAILURES.items() if code & bit]

    def reserve(self, cycle: Cycle, node: int) -> None:
        """Keep the matched volumes for the pod's claims, and have the others provisioned for the node."""
        found = cycle.states.get(self.name)
        if isinstance(found, PodVolumes):
            found.keep(self.binder, node, cycle.state.journal)

    def dump(self) -> dict[str, Any]:
        """Return what was kept so far as plain data."""
        return self.binder.dump()

    def load(self, data: dict[str, Any]) -> None:
        """Restore what `dump` returned."""
        self.binder.load(data)


def _shape_of(claim: PersistentVolumeClaim) -> ClaimShape:
    """Volumes are looked for by the field that names the claim's class, and not by the old annotation."""
    return shape_of(claim)._replace(listed_under=claim.spec.storage_class_name or "")
