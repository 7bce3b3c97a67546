"""Late binding: which existing volume each unbound claim of a pod would take on each node.

The smaller claims choose first. A volume that is already kept for the claim is the only choice where there
is one; otherwise it is the smallest available volume that fits and that the node reaches, the first in the
order of import among equals (the real scheduler takes any of them).

Source: k8s.io/component-helpers v0.36 storage/volume FindMatchingVolume; kubernetes v1.36
plugins/volumebinding binder.go findMatchingVolumes.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from scheduler_core.go.sort import go_sort
from scheduler_core.objects import storage
from scheduler_core.objects.storage import ClaimReference, PersistentVolume, PersistentVolumeClaim
from scheduler_core.predicates.volumes.shelf import NO_VOLUME, ClaimShape, Shelf, build_shelf, shape_of
from scheduler_core.predicates.volumes.topology import VolumeTopology
from scheduler_core.state.nodes import BoolArray, IntArray
from scheduler_core.state.volumes import BinderView, key_of_claim, reference_to


@dataclass
class ClaimMatch:
    """What one claim would take on each node.

    `choice[node]` is a place among the volumes kept for the claim followed by those of its shelf, NO_VOLUME
    where nothing fits.
    """

    claim: PersistentVolumeClaim
    kept: list[PersistentVolume]
    shelf: Shelf
    choice: IntArray

    def volume_on(self, node: int) -> PersistentVolume | None:
        """Return what the claim would take on a node."""
        place = int(self.choice[node])
        return None if place == NO_VOLUME else self._volume(place)

    def _volume(self, place: int) -> PersistentVolume:
        if place < len(self.kept):
            return self.kept[place]
        return self.shelf.volumes[place - len(self.kept)]

    def taken(self, name: str) -> BoolArray:
        """Return the nodes on which the claim takes the volume of this name."""
        places = [place for place, volume in enumerate(self.kept) if volume.metadata.name == name]
        if name in self.shelf.place:
            places.append(len(self.kept) + self.shelf.place[name])
        return np.isin(self.choice, places)

    def places_on(self, shelf: Shelf) -> IntArray:
        """Return which volume of another claim's shelf this claim takes on each node, NO_VOLUME for none."""
        if shelf is self.shelf:
            return np.maximum(self.choice - len(self.kept), NO_VOLUME)
        # The last entry answers for NO_VOLUME.
        translated = np.full(len(self.kept) + len(self.shelf.volumes) + 1, NO_VOLUME, dtype=np.int64)
        for place in np.unique(self.choice[self.choice != NO_VOLUME]).tolist():
            translated[place] = shelf.place.get(self._volume(place).metadata.name, NO_VOLUME)
        return translated[self.choice]


ShapeOf = Callable[[PersistentVolumeClaim], ClaimShape]
Less = Callable[[PersistentVolumeClaim, PersistentVolumeClaim], bool]
Sort = Callable[[list[PersistentVolumeClaim], Less], None]


class VolumeMatcher:
    """Finds volumes for claims; what is available is put on shelves once for each shape of claim.

    `shape` says what a claim asks of a volume, `sort` brings claims into the order in which they choose.
    """

    def __init__(self, topology: VolumeTopology, shape: ShapeOf = shape_of, sort: Sort = go_sort) -> None:
        self.topology = topology
        self._shape_of, self._sort = shape, sort
        self._shelves: dict[ClaimShape, Shelf] = {}

    def match(self, claims: Iterable[PersistentVolumeClaim], view: BinderView) -> list[ClaimMatch]:
        """Match the claims with volumes on every node; the result is in the order in which they chose."""
        ordered = list(claims)
        self._sort(ordered, lambda left, right: shape_of(left).size < shape_of(right).size)
        found: list[ClaimMatch] = []
        for claim in ordered:
            found.append(self._match_claim(claim, view, found))
        return found

    def _match_claim(
        self, claim: PersistentVolumeClaim, view: BinderView, earlier: Sequence[ClaimMatch]
    ) -> ClaimMatch:
        shape = self._shape_of(claim)
        if shape not in self._shelves:
            self._shelves[shape] = build_shelf(shape, self.topology)
        nothing = np.full(len(self.topology.nodes), NO_VOLUME, dtype=np.int64)
        match = ClaimMatch(claim, self._kept(claim, shape, view), self._shelves[shape], nothing)
        undecided = self._choose_kept(match, earlier)
        if undecided.any():
            others = [other.places_on(match.shelf) for other in earlier]
            choice = match.shelf.choose(view.references, others)
            free = undecided & (choice != NO_VOLUME)
            match.choice[free] = len(match.kept) + choice[free]
        return match

    def _choose_kept(self, match: ClaimMatch, earlier: Sequence[ClaimMatch]) -> BoolArray:
        """Choose among the kept volumes; return the nodes for which none of them is left.

        A node that cannot reach the volume kept for the claim gets no other one.
        """
        undecided = np.ones(len(match.choice), dtype=np.bool_)
        for place, volume in enumerate(match.kept):
            left = undecided.copy()
            for other in earlier:
                left &= ~other.taken(volume.metadata.name)
            rows = self.topology.rows_of(volume)
            match.choice[rows[left[rows]]] = place
            undecided &= ~left
        return undecided

    def _kept(
        self, claim: PersistentVolumeClaim, shape: ClaimShape, view: BinderView
    ) -> list[PersistentVolume]:
        """Return the suitable volumes of the claim's class that are kept for it."""
        volumes, wanted = self.topology.volumes, reference_to(claim)
        kept = list(volumes.reserved.get(key_of_claim(claim), ()))
        kept += [
            volumes.volumes[name]
            for name, reference in view.references.items()
            if reference == wanted and volumes.volumes[name].spec.claim_ref is None
        ]
        return [
            volume
            for volume in kept
            if storage.class_of_volume(volume) == shape.storage_class
            and _is_for(view.reference(volume), wanted)
            and shape.is_suited_by(volume)
        ]


def _is_for(owner: ClaimReference | None, claim: ClaimReference) -> bool:
    """Return whether a volume's reference means the claim; one without uid means any of that name."""
    if owner is None or (owner.namespace, owner.name) != (claim.namespace, claim.name):
        return False
    return owner.uid in ("", claim.uid)
