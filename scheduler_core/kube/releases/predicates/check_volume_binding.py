"""CheckVolumeBinding: a pod goes where its volumes can be reached, found or made.

What is found on each node is what today's binder finds (`predicates/volumes/binder.py`), which knows neither
CSI migration nor storage capacity where the cluster has none of their objects. In 1.13 a claim whose volume
is being made for a node, and one that names a volume without being bound to it, are errors on every node.
1.11 makes no volumes late, takes a named volume for bound, and one of any phase. Where it would bind a
claim it only begins to: the pod is tried again when that is done, maybe elsewhere. That is not modelled.

Source: kubernetes v1.11, v1.13 algorithm/predicates VolumeBindingChecker; controller/volume/persistentvolume
scheduler_binder.go, index.go, pv_controller.go (shouldDelayBinding).
"""

from dataclasses import dataclass

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
from scheduler_core.kube.volume_keeping import VolumeKeeper
from scheduler_core.objects.storage import PersistentVolumeClaim
from scheduler_core.predicates.filter_state import FilterState
from scheduler_core.predicates.volumes.binder import (
    BIND_CONFLICT,
    NO_SUCH_VOLUME,
    NODE_CONFLICT,
    Claims,
    NoBindingMode,
    PodVolumes,
    find_volumes,
    is_bound,
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


class _WithoutSelection(BinderView):
    """The view of 1.11, for which it counts for nothing that a claim's volume is made for a node."""

    def selected_node(self, claim: PersistentVolumeClaim) -> str | None:
        return None


class CheckVolumeBinding(VolumeKeeper, Predicate):
    """Skipped for pods without claims. Choosing a node keeps the volumes that were found there.

    early: as in 1.11.
    """

    name = "CheckVolumeBinding"

    def __init__(self, wording: Wording, *, early: bool = False) -> None:
        super().__init__(wording)
        self._early = early
        self.binder = _WithoutSelection() if early else BinderView()
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
        if self._early:
            return self._find_early(cycle, claims)
        if claims.immediate or any(map(self.binder.selected_node, claims.late)):
            return _Fault("pod has unbound immediate PersistentVolumeClaims")
        return find_volumes(claims, self.binder, self._matcher_of(cycle))

    def _find_early(self, cycle: Cycle, claims: Claims) -> FilterState:
        if not all(claim.spec.volume_name for claim in claims.immediate):
            return _Fault("pod has unbound PersistentVolumeClaims")
        volumes, namespace = cycle.state.volumes, cycle.pod.namespace
        named = [volumes.claims[namespace, name] for name in named_claims(cycle.pod.pod)]
        taken = Claims(bound=[claim for claim in named if claim.spec.volume_name], late=claims.late)
        found = find_volumes(taken, self.binder, self._matcher_of(cycle))
        for provision in found.provisions:
            found.codes[provision.on_nodes] |= BIND_CONFLICT
        found.provisions = []
        return found

    def check_modelled(self, cycle: Cycle) -> None:
        """Raise NotModelled where choosing a node would only begin to bind a claim."""
        volumes, namespace = cycle.state.volumes, cycle.pod.namespace
        claims = [volumes.claim(namespace, name) for name in named_claims(cycle.pod.pod)]
        if self._early and not all(claim is not None and is_bound(claim) for claim in claims):
            raise NotModelled("claims that are bound late in kube-scheduler 1.11")

    def _matcher_of(self, cycle: Cycle) -> VolumeMatcher:
        """Return the matcher of this cluster, a new one for another cluster."""
        topology = self._topologies.of(cycle.state.nodes, cycle.state.volumes)
        if self._matcher is None or self._matcher.topology is not topology:
            self._matcher = VolumeMatcher(topology, self._shape_of, go_quick_sort)
        return self._matcher

    def _shape_of(self, claim: PersistentVolumeClaim) -> ClaimShape:
        """Volumes are looked for by the field that names the claim's class, not by the old annotation."""
        listed_under = claim.spec.storage_class_name or ""
        return shape_of(claim)._replace(listed_under=listed_under, any_phase=self._early)

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
