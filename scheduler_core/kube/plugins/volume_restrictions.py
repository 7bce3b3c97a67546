"""VolumeRestrictions: disks that cannot be mounted twice, and claims that only one pod may use.

The count of pods that use a ReadWriteOncePod claim is one for the whole cluster; while pods are added or
removed in a trial, a claim is known by its name alone, whatever the namespace, as in the original.

Source: kubernetes v1.36 plugins/volumerestrictions.

Hints: plugins/volumerestrictions isSchedulableAfter...
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from scheduler_core.events.decisions import Status
from scheduler_core.kube import wording
from scheduler_core.kube.framework import (
    SKIP,
    UNRESOLVABLE,
    UNSCHEDULABLE,
    Cycle,
    FilterPlugin,
    PreFilterAnswer,
    Reads,
    Rejected,
    View,
)
from scheduler_core.kube.queueing.claim_hints import claims_by_name
from scheduler_core.kube.queueing.cluster_event import NODE, POD, Action, ClusterEvent
from scheduler_core.kube.queueing.hint import ClusterView, Interest
from scheduler_core.kube.queueing.pod_facts import namespace_of
from scheduler_core.objects.types import Pod
from scheduler_core.predicates.filter_state import FilterState
from scheduler_core.predicates.volumes.claims import named_claims
from scheduler_core.predicates.volumes.disks import disks_of, same_disk
from scheduler_core.predicates.volumes.users import VolumeUsers, volume_users
from scheduler_core.state.nodes import BoolArray, IntArray

DISK_TAKEN, CLAIM_IN_USE = 1, 2
_ONE_POD_ONLY = "ReadWriteOncePod"


@dataclass
class _Conflicts(FilterState):
    """What stands against the pod on each node.

    `disks[node]` counts the node's pods that hold one of its disks, `uses[node]` the uses of its claims in
    the whole cluster; `takes_disk[pod]` and `names_claims[pod]` are what each pod adds to them.
    """

    disks: IntArray
    uses: IntArray
    takes_disk: BoolArray
    names_claims: IntArray

    def copy(self) -> "_Conflicts":
        return _Conflicts(self.disks.copy(), self.uses.copy(), self.takes_disk, self.names_claims)

    def update(self, nodes: IntArray, pods: IntArray, sign: int) -> None:
        np.add.at(self.disks, nodes, sign * self.takes_disk[pods].astype(np.int64))
        np.add.at(self.uses, nodes, sign * self.names_claims[pods])


class VolumeRestrictions(FilterPlugin):
    """Filter: the disks first, then the claims. Skipped where the pod has neither disks nor conflicts."""

    name = "VolumeRestrictions"
    reasons: ClassVar[Mapping[int, str]] = {
        DISK_TAKEN: "node(s) had no available disk",
        CLAIM_IN_USE: "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode "
        "already in-use by another pod",
    }
    reads = Reads.PODS
    unprepared = 'cannot read "PreFilterVolumeRestrictions" from cycleState'

    def listens_to(self) -> list[Interest]:
        """Return the events that may help a pod which this plugin rejected."""
        return _interests()

    def pre_filter(self, cycle: Cycle) -> PreFilterAnswer:
        claims: set[str] = set()
        for name in named_claims(cycle.pod.pod):
            claim = cycle.state.volumes.claim(cycle.pod.namespace, name)
            if claim is None:
                reason = wording.not_found(wording.CLAIM, name)
                return Rejected(wording.rejection(self.name, UNRESOLVABLE, reason))
            if _ONE_POD_ONLY in (claim.spec.access_modes or ()):
                claims.add(name)
        disks = disks_of(cycle.pod.pod)
        users = volume_users(cycle.state.pods)
        in_use = _claims_in_use(cycle, users, claims)
        if not disks and in_use == 0:
            return SKIP
        nodes = len(cycle.state.nodes)
        takes_disk = users.takers(disks)
        bound = cycle.state.pod_node[takes_disk & (cycle.state.pod_node >= 0)]
        return _Conflicts(
            np.bincount(bound, minlength=nodes).astype(np.int64),
            np.full(nodes, in_use, dtype=np.int64),
            takes_disk,
            users.naming(claims),
        )

    def filter(self, view: View, nodes: IntArray) -> IntArray:
        state = view.states[self.name]
        assert isinstance(state, _Conflicts)
        codes = np.where(state.uses[nodes] > 0, CLAIM_IN_USE, 0)
        return np.where(state.disks[nodes] > 0, DISK_TAKEN, codes).astype(np.int64)

    def status(self, state: FilterState | None, code: int) -> Status:
        return wording.rejection(self.name, UNSCHEDULABLE, self.reasons[code])


def _claims_in_use(cycle: Cycle, users: VolumeUsers, claims: set[str]) -> int:
    """Return how many of the claims some pod on a node uses, in the pod's own namespace."""
    in_use = set()
    for claim in claims:
        for pod in users.of_claim.get(claim, ()):
            namespace = cycle.state.pods.infos[pod].namespace
            if namespace == cycle.pod.namespace and cycle.state.pod_node[pod] >= 0:
                in_use.add(claim)
                break
    return len(in_use)


# -- queueing hints ------------------------------------------------------------------------------------


def _interests() -> list[Interest]:
    """Pods that go; any new node; new claims."""
    return [
        Interest(
            ClusterEvent(POD, Action.DELETE),
            after_pod_deleted,
            yes="the pod that went had one of the pod's disks or claims",
            no="the pod that went had none of the pod's disks or claims",
        ),
        Interest(ClusterEvent(NODE, Action.ADD)),
        claims_by_name(Action.ADD),
    ]


def after_pod_deleted(pod: Pod, old: Pod, new: None, view: ClusterView) -> bool:
    """Return whether a pod of the namespace went that had one of the disks or claims, even if nowhere."""
    if namespace_of(old) != namespace_of(pod):
        return False
    if set(named_claims(old)) & set(named_claims(pod)):
        return True
    return any(
        same_disk(mine, theirs) for mine in pod.spec.volumes or () for theirs in old.spec.volumes or ()
    )
