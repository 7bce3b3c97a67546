"""Late binding: which existing volume each unbound claim of a pod would take on each node.

The smaller claims choose first. A volume that is already kept for the claim is the only choice where it
is found; otherwise it is the smallest available volume that fits and that the node reaches, the first in
the order of import among equals (the real scheduler takes any of them).

Source: k8s.io/component-helpers v0.36 storage/volume FindMatchingVolume; kubernetes v1.36
plugins/volumebinding binder.go findMatchingVolumes.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scheduler_core.kube.go_sort import go_sort
from scheduler_core.kube.plugins.volume_topology import VolumeTopology
from scheduler_core.objects import storage
from scheduler_core.objects.quantity import parse_quantity
from scheduler_core.objects.selectors import from_label_selector, matches
from scheduler_core.objects.storage import ClaimReference, PersistentVolume, PersistentVolumeClaim
from scheduler_core.state.nodes import BoolArray, IntArray
from scheduler_core.state.volumes import BinderView, reference_to

NO_VOLUME = -1
_AVAILABLE = "Available"
_FILESYSTEM = "Filesystem"


@dataclass
class ClaimMatch:
    """What one claim would take: `choice[node]` indexes `candidates`, NO_VOLUME where nothing fits."""

    claim: PersistentVolumeClaim
    candidates: list[PersistentVolume]
    choice: IntArray


def match_claims(
    claims: Sequence[PersistentVolumeClaim], view: BinderView, topology: VolumeTopology
) -> list[ClaimMatch]:
    """Match the claims with volumes on every node; the result is in the order in which they chose."""
    ordered = list(claims)
    go_sort(ordered, lambda left, right: _size(left) < _size(right))
    taken: dict[str, BoolArray] = {}
    found = []
    for claim in ordered:
        match = _match_claim(claim, view, topology, taken)
        found.append(match)
        if len(ordered) > 1:
            _note_taken(match, taken)
    return found


def _size(claim: PersistentVolumeClaim) -> int:
    return parse_quantity(storage.requested_storage(claim)).nanos


def _capacity(volume: PersistentVolume) -> int:
    return parse_quantity((volume.spec.capacity or {}).get("storage")).nanos


def _note_taken(match: ClaimMatch, taken: dict[str, BoolArray]) -> None:
    for place in np.unique(match.choice[match.choice != NO_VOLUME]).tolist():
        on_nodes = match.choice == place
        name = match.candidates[place].metadata.name
        taken[name] = taken[name] | on_nodes if name in taken else on_nodes


def _match_claim(
    claim: PersistentVolumeClaim,
    view: BinderView,
    topology: VolumeTopology,
    taken: dict[str, BoolArray],
) -> ClaimMatch:
    kept, available = _candidates(claim, view, topology)
    match = ClaimMatch(claim, kept + available, np.full(len(topology.nodes), NO_VOLUME, dtype=np.int64))
    undecided = np.ones(len(topology.nodes), dtype=np.bool_)
    for place, volume in enumerate(match.candidates):
        rows = topology.rows_of(volume)
        rows = rows[undecided[rows]]
        elsewhere = taken.get(volume.metadata.name)
        if elsewhere is not None:
            rows = rows[~elsewhere[rows]]
        match.choice[rows] = place
        undecided[rows] = False
        if place < len(kept):
            # A node that cannot reach the volume kept for the claim gets no other one.
            undecided &= False if elsewhere is None else elsewhere
        if not undecided.any():
            break
    return match


def _candidates(
    claim: PersistentVolumeClaim, view: BinderView, topology: VolumeTopology
) -> tuple[list[PersistentVolume], list[PersistentVolume]]:
    """Return the volumes kept for the claim, and the available ones that fit it, smallest first."""
    size, reference = _size(claim), reference_to(claim)
    selector = from_label_selector(claim.spec.selector)
    kept, available = [], []
    for volume in topology.volumes.by_class.get(storage.class_of_claim(claim), ()):
        owner = view.reference(volume)
        if owner is not None:
            if _is_for(owner, reference) and _suits(volume, claim, size):
                kept.append(volume)
        elif (
            volume.status.phase == _AVAILABLE
            and _suits(volume, claim, size)
            and (claim.spec.selector is None or matches(selector, volume.metadata.labels or {}))
            and set(claim.spec.access_modes or ()) <= set(volume.spec.access_modes or ())
        ):
            available.append(volume)
    available.sort(key=_capacity)
    return kept, available


def _is_for(owner: ClaimReference, claim: ClaimReference) -> bool:
    """Return whether a volume's reference means the claim; one without uid means any of that name."""
    return (owner.namespace, owner.name) == (claim.namespace, claim.name) and owner.uid in ("", claim.uid)


def _suits(volume: PersistentVolume, claim: PersistentVolumeClaim, size: int) -> bool:
    return (
        _capacity(volume) >= size
        and (volume.spec.volume_mode or _FILESYSTEM) == (claim.spec.volume_mode or _FILESYSTEM)
        and (volume.spec.volume_attributes_class_name or "")
        == (claim.spec.volume_attributes_class_name or "")
        and volume.metadata.deletion_timestamp is None
    )
