"""VolumeRestrictions: disks that cannot be mounted twice, and claims that only one pod may use.

The count of pods that use a ReadWriteOncePod claim is one for the whole cluster; while pods are added or
removed in a trial, a claim is known by its name alone, whatever the namespace, as in the original.

Source: kubernetes v1.36 plugins/volumerestrictions.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from scheduler_core.events.decisions import Status
from scheduler_core.kube.framework import (
    SKIP,
    UNRESOLVABLE,
    UNSCHEDULABLE,
    Cycle,
    FilterPlugin,
    FilterState,
    PreFilterAnswer,
    Rejected,
    View,
)
from scheduler_core.objects.types import Pod, Volume
from scheduler_core.predicates.volumes import claims as volume_claims
from scheduler_core.predicates.volumes.claims import common_start
from scheduler_core.state.nodes import BoolArray, IntArray
from scheduler_core.state.pods import PodInfo, PodTable

_DISK_TAKEN, _CLAIM_IN_USE = 1, 2
_REASONS = {
    _DISK_TAKEN: "node(s) had no available disk",
    _CLAIM_IN_USE: "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode "
    "already in-use by another pod",
}
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
    reads_pods = True

    def pre_filter(self, cycle: Cycle) -> PreFilterAnswer:
        claims: set[str] = set()
        for name in volume_claims.named_claims(cycle.pod.pod):
            claim = cycle.state.volumes.claim(cycle.pod.namespace, name)
            if claim is None:
                reason = volume_claims.not_found("persistentvolumeclaim", name)
                return Rejected(volume_claims.rejection(self.name, UNRESOLVABLE, reason))
            if _ONE_POD_ONLY in (claim.spec.access_modes or ()):
                claims.add(name)
        disks = disks_of(cycle.pod.pod)
        users = _volume_users(cycle.state.pods)
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
        codes = np.where(state.uses[nodes] > 0, _CLAIM_IN_USE, 0)
        return np.where(state.disks[nodes] > 0, _DISK_TAKEN, codes).astype(np.int64)

    def status(self, cycle: Cycle, code: int) -> Status:
        return volume_claims.rejection(self.name, UNSCHEDULABLE, _REASONS[code])


def _claims_in_use(cycle: Cycle, users: "_VolumeUsers", claims: set[str]) -> int:
    """Return how many of the claims some pod on a node uses, in the pod's own namespace."""
    in_use = set()
    for claim in claims:
        for pod in users.of_claim.get(claim, ()):
            namespace = cycle.state.pods.infos[pod].namespace
            if namespace == cycle.pod.namespace and cycle.state.pod_node[pod] >= 0:
                in_use.add(claim)
                break
    return len(in_use)


# -- disks -------------------------------------------------------------------------------------------


def disks_of(pod: Pod) -> list[Volume]:
    """Return the pod's volumes that are disks of which one mount may exclude another."""
    return [
        volume
        for volume in pod.spec.volumes or ()
        if volume.gce_persistent_disk is not None
        or volume.aws_elastic_block_store is not None
        or volume.rbd is not None
        or volume.iscsi is not None
    ]


def same_disk(left: Volume, right: Volume) -> bool:
    """Return whether two volumes are one disk that they cannot both mount.

    Any but EBS disks may be shared as long as both mount them read-only.
    """
    return (
        _both_hold(left.aws_elastic_block_store, right.aws_elastic_block_store, _same_ebs_disk)
        or _both_hold(left.gce_persistent_disk, right.gce_persistent_disk, _same_gce_disk)
        or _both_hold(left.iscsi, right.iscsi, _same_iscsi_disk)
        or _both_hold(left.rbd, right.rbd, _same_image)
    )


_Source = dict[str, Any]


def _both_hold(
    left: _Source | None, right: _Source | None, conflicting: Callable[[_Source, _Source], bool]
) -> bool:
    return left is not None and right is not None and conflicting(left, right)


def _same_ebs_disk(left: _Source, right: _Source) -> bool:
    return bool(left.get("volumeID") == right.get("volumeID"))


def _same_gce_disk(left: _Source, right: _Source) -> bool:
    return left.get("pdName") == right.get("pdName") and _one_writes(left, right)


def _same_iscsi_disk(left: _Source, right: _Source) -> bool:
    return left.get("iqn") == right.get("iqn") and _one_writes(left, right)


def _same_image(left: _Source, right: _Source) -> bool:
    """Return whether two RBD images are one: same pool, same name, and a monitor in common."""
    shared = set(left.get("monitors") or ()) & set(right.get("monitors") or ())
    same = all((left.get(key) or "") == (right.get(key) or "") for key in ("pool", "image"))
    return bool(shared) and same and _one_writes(left, right)


def _one_writes(left: _Source, right: _Source) -> bool:
    return not (left.get("readOnly") and right.get("readOnly"))


def pods_with_disks(pods: PodTable, disks: Sequence[Volume]) -> BoolArray:
    """Return which pods hold one of the disks, shape (pods,)."""
    return _volume_users(pods).takers(disks)


class _VolumeUsers:
    """Which pods have disks, and which name a claim (in whatever namespace, once for each volume)."""

    def __init__(self) -> None:
        self._infos: list[PodInfo] = []
        self._disks: list[tuple[int, list[Volume]]] = []
        self.of_claim: dict[str, list[int]] = {}

    def extend(self, infos: Sequence[PodInfo]) -> None:
        """Take in the pods that came since; forget those that were taken back."""
        known = common_start(self._infos, infos)
        if known < len(self._infos):
            del self._infos[known:]
            self._disks = [entry for entry in self._disks if entry[0] < known]
            self.of_claim = {
                claim: [pod for pod in pods if pod < known] for claim, pods in self.of_claim.items()
            }
        for info in infos[known:]:
            self._infos.append(info)
            self._take_in(info)

    def _take_in(self, info: PodInfo) -> None:
        disks = disks_of(info.pod)
        if disks:
            self._disks.append((info.row, disks))
        for claim in volume_claims.named_claims(info.pod):
            self.of_claim.setdefault(claim, []).append(info.row)

    def takers(self, wanted: Sequence[Volume]) -> BoolArray:
        """Return which pods hold one of the wanted disks."""
        mask = np.zeros(len(self._infos), dtype=np.bool_)
        mask[list(self._takers(wanted))] = True
        return mask

    def _takers(self, wanted: Sequence[Volume]) -> Iterator[int]:
        for pod, disks in self._disks if wanted else ():
            if any(same_disk(mine, theirs) for mine in wanted for theirs in disks):
                yield pod

    def naming(self, claims: set[str]) -> IntArray:
        """Return how many volumes of each pod name one of the claims."""
        counts = np.zeros(len(self._infos), dtype=np.int64)
        for claim in claims:
            np.add.at(counts, np.array(self.of_claim.get(claim, ()), dtype=np.int64), 1)
        return counts


def _volume_users(pods: PodTable) -> _VolumeUsers:
    users = pods.companion(_VolumeUsers)
    users.extend(pods.infos)
    return users
