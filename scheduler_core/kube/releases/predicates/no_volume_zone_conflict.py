"""NoVolumeZoneConflict: the zone and region of bound volumes must be the node's, if it has any.

Source: kubernetes v1.8 to v1.13 algorithm/predicates VolumeZoneChecker.
"""

from dataclasses import dataclass, field

import numpy as np

from scheduler_core.events.decisions import Status
from scheduler_core.kube import wording as words
from scheduler_core.kube.framework import ERROR, SKIP, Cycle, PreFilterAnswer, View
from scheduler_core.kube.releases.predicates.predicate import Predicate
from scheduler_core.kube.releases.predicates.wording import Wording
from scheduler_core.objects.storage import PersistentVolume
from scheduler_core.predicates.filter_state import FilterState
from scheduler_core.predicates.volumes.binder import NoBindingMode, waits
from scheduler_core.predicates.volumes.claims import named_claims
from scheduler_core.predicates.volumes.migration import BETA_REGION, BETA_ZONE
from scheduler_core.predicates.volumes.zones import has_topology, labelled, topologies_of
from scheduler_core.state.nodes import IntArray
from scheduler_core.state.volumes import Volumes

_KEYS = (BETA_ZONE, BETA_REGION)
_CONFLICT, _FIRST_FAULT = 1, 2


class _Unusable(Exception):
    """The claim's zone cannot be known; the text says why."""


@dataclass
class _Zones(FilterState):
    """A code for each node, shape (nodes,): 0 fits, from _FIRST_FAULT on it is a fault's place."""

    codes: IntArray
    faults: list[str] = field(default_factory=list)


class NoVolumeZoneConflict(Predicate):
    """Skipped for pods without claims. `waits`: claims of a class that binds late have no zone yet."""

    name = "NoVolumeZoneConflict"

    def __init__(self, wording: Wording, *, waits: bool = False) -> None:
        super().__init__(wording)
        self._waits = waits

    def pre_filter(self, cycle: Cycle) -> PreFilterAnswer:
        names = named_claims(cycle.pod.pod)
        return self._look_at(cycle, names) if names else SKIP

    def _look_at(self, cycle: Cycle, names: list[str]) -> _Zones:
        nodes = cycle.state.nodes
        found, undecided = _Zones(np.zeros(len(nodes), dtype=np.int64)), labelled(nodes, _KEYS)
        for name in names:
            try:
                volume = self._volume_of(cycle.state.volumes, cycle.pod.namespace, name)
            except _Unusable as fault:
                found.codes[undecided] = _FIRST_FAULT + len(found.faults)
                found.faults.append(str(fault))
                break
            for topology in topologies_of(volume, _KEYS) if volume is not None else ():
                here = has_topology(nodes, topology, {})
                found.codes[undecided & ~here] = _CONFLICT
                undecided &= here
        return found

    def _volume_of(self, volumes: Volumes, namespace: str, name: str) -> PersistentVolume | None:
        """Return the volume that a claim is bound to, None while it waits for its first consumer."""
        claim = volumes.claim(namespace, name)
        if claim is None:
            raise _Unusable(words.not_found(words.CLAIM, name))
        if not claim.spec.volume_name:
            try:
                if self._waits and waits(claim, volumes):
                    return None
            except NoBindingMode as fault:
                raise _Unusable(f'VolumeBindingMode not set for StorageClass "{fault}"') from fault
            raise _Unusable(f'PersistentVolumeClaim is not bound: "{name}"')
        volume = volumes.volumes.get(claim.spec.volume_name)
        if volume is None:
            raise _Unusable(words.not_found(words.VOLUME, claim.spec.volume_name))
        return volume

    def filter(self, view: View, nodes: IntArray) -> IntArray:
        zones = view.states[self.name]
        assert isinstance(zones, _Zones)
        return zones.codes[nodes]

    def status(self, state: FilterState | None, code: int) -> Status:
        assert isinstance(state, _Zones)
        if code >= _FIRST_FAULT:
            return Status(self.name, ERROR, [state.faults[code - _FIRST_FAULT]])
        return super().status(state, code)
