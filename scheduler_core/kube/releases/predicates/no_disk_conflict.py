"""NoDiskConflict: disks that two pods of a node cannot both mount.

Source: kubernetes v1.8 to v1.13 algorithm/predicates NoDiskConflict.
"""

from dataclasses import dataclass

import numpy as np

from scheduler_core.kube.framework import SKIP, Cycle, PreFilterAnswer, Reads, View
from scheduler_core.kube.releases.predicates.predicate import Predicate
from scheduler_core.predicates.filter_state import FilterState
from scheduler_core.predicates.volumes.disks import disks_of
from scheduler_core.predicates.volumes.users import volume_users
from scheduler_core.state.nodes import BoolArray, IntArray


@dataclass
class _Holders(FilterState):
    """How many pods of each node hold one of the pod's disks; `takes` says of each pod whether it does."""

    count: IntArray
    takes: BoolArray

    def copy(self) -> "_Holders":
        return _Holders(self.count.copy(), self.takes)

    def update(self, nodes: IntArray, pods: IntArray, sign: int) -> None:
        np.add.at(self.count, nodes, sign * self.takes[pods].astype(np.int64))


class NoDiskConflict(Predicate):
    """Skipped for pods without such disks."""

    name = "NoDiskConflict"
    reads = Reads.PODS

    def pre_filter(self, cycle: Cycle) -> PreFilterAnswer:
        disks = disks_of(cycle.pod.pod)
        if not disks:
            return SKIP
        takes = volume_users(cycle.state.pods).takers(disks)
        bound = cycle.state.pod_node[takes & (cycle.state.pod_node >= 0)]
        return _Holders(np.bincount(bound, minlength=len(cycle.state.nodes)).astype(np.int64), takes)

    def filter(self, view: View, nodes: IntArray) -> IntArray:
        holders = view.states[self.name]
        assert isinstance(holders, _Holders)
        return (holders.count[nodes] > 0).astype(np.int64)
