"""The available volumes for claims of one shape, so arranged that all nodes find their choice at once.

Volumes with the same reach form a group: of each group only the first ones that are left can be anybody's
choice, whether it is a thousand local volumes or a thousand of one zone.

Source: k8s.io/component-helpers v0.36 storage/volume FindMatchingVolume (its conditions).
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from scheduler_core.objects import storage
from scheduler_core.objects.amounts.quantity import parse_quantity
from scheduler_core.objects.selectors import EVERYTHING, Selector, from_label_selector, matches
from scheduler_core.objects.storage import PersistentVolume, PersistentVolumeClaim
from scheduler_core.predicates.volumes.topology import VolumeTopology
from scheduler_core.state.nodes import BoolArray, IntArray

NO_VOLUME = -1
_AVAILABLE = "Available"
_FILESYSTEM = "Filesystem"


class ClaimShape(NamedTuple):
    """All that a claim asks of a volume. `size` is in units of 10^-9 bytes, `selector` None for nothing.

    listed_under: what the volume's field of its class must say, beside its class, where that matters.
    any_phase: a volume may be taken that isn't available yet, or was used before.
    """

    storage_class: str
    size: int
    mode: str
    attributes_class: str
    access_modes: frozenset[str]
    selector: Selector | None
    listed_under: str | None = None
    any_phase: bool = False

    def is_suited_by(self, volume: PersistentVolume) -> bool:
        """Return whether the volume is large enough, of the right mode and there to stay."""
        spec = volume.spec
        return (
            capacity_of(volume) >= self.size
            and (spec.volume_mode or _FILESYSTEM) == self.mode
            and (spec.volume_attributes_class_name or "") == self.attributes_class
            and volume.metadata.deletion_timestamp is None
            and self.listed_under in (None, spec.storage_class_name)
        )

    def may_take(self, volume: PersistentVolume) -> bool:
        """Return whether the claim may take the volume if nobody else has it."""
        return (
            volume.spec.claim_ref is None
            and (self.any_phase or volume.status.phase == _AVAILABLE)
            and self.access_modes <= set(volume.spec.access_modes or ())
            and self.is_suited_by(volume)
            and matches(self.selector, volume.metadata.labels or {})
        )


def shape_of(claim: PersistentVolumeClaim) -> ClaimShape:
    """Return what a claim asks of a volume."""
    spec = claim.spec
    return ClaimShape(
        storage.class_of_claim(claim),
        parse_quantity(storage.requested_storage(claim)).nanos,
        spec.volume_mode or _FILESYSTEM,
        spec.volume_attributes_class_name or "",
        frozenset(spec.access_modes or ()),
        EVERYTHING if spec.selector is None else from_label_selector(spec.selector),
    )


def capacity_of(volume: PersistentVolume) -> int:
    """Return the size of a volume in units of 10^-9 bytes."""
    return parse_quantity((volume.spec.capacity or {}).get("storage")).nanos


class Shelf:
    """Volumes in the order in which they are chosen: the smallest first.

    `place` is where a volume of a name stands, `group[volume]` which reach it has; the nodes of group g are
    `rows[starts[g]:starts[g + 1]]`.
    """

    def __init__(self, volumes: list[PersistentVolume], reaches: Sequence[IntArray], nodes: int) -> None:
        self.volumes = volumes
        self.place = {volume.metadata.name: place for place, volume in enumerate(volumes)}
        distinct: dict[int, int] = {}
        for reach in reaches:
            distinct.setdefault(id(reach), len(distinct))
        by_group = {distinct[id(reach)]: reach for reach in reaches}
        ordered = [by_group[group] for group in range(len(by_group))]
        self._group = np.array([distinct[id(reach)] for reach in reaches], dtype=np.int64)
        self._starts = np.cumsum([0, *(len(reach) for reach in ordered)], dtype=np.int64)
        self._rows = np.concatenate([*ordered, np.zeros(0, dtype=np.int64)])
        self._nodes = nodes

    def choose(self, unavailable: Iterable[str], taken: Sequence[IntArray]) -> IntArray:
        """Return each node's first choice as a place, NO_VOLUME where there is none, shape (nodes,).

        `unavailable` are the names of volumes that others have; each of `taken` says which place is taken
        on each node.
        """
        left = np.ones(len(self.volumes), dtype=np.bool_)
        left[[self.place[name] for name in unavailable if name in self.place]] = False
        rows, places = self._pairs(self._first_of_groups(left, 1 + len(taken)))
        for others in taken:
            free = others[rows] != places
            rows, places = rows[free], places[free]
        choice = np.full(self._nodes, len(self.volumes), dtype=np.int64)
        np.minimum.at(choice, rows, places)
        choice[choice == len(self.volumes)] = NO_VOLUME
        return choice

    def _first_of_groups(self, left: BoolArray, count: int) -> IntArray:
        """Return the first `count` places of each group among those that are left."""
        places = np.flatnonzero(left)
        order = np.argsort(self._group[places], kind="stable")
        groups = self._group[places][order]
        begins = np.searchsorted(groups, groups)
        rank = np.arange(len(groups)) - begins
        return places[order[rank < count]].astype(np.int64)

    def _pairs(self, places: IntArray) -> tuple[IntArray, IntArray]:
        """Return (rows, places): every node that each of the volumes reaches."""
        groups = self._group[places]
        lengths = self._starts[groups + 1] - self._starts[groups]
        owners = np.repeat(places, lengths)
        ends = np.cumsum(lengths)
        inside = np.arange(len(owners)) - np.repeat(ends - lengths, lengths)
        return self._rows[np.repeat(self._starts[groups], lengths) + inside], owners


def build_shelf(shape: ClaimShape, topology: VolumeTopology) -> Shelf:
    """Put the available volumes that a claim of this shape may take on a shelf."""
    of_class = topology.volumes.by_class.get(shape.storage_class, ())
    volumes = sorted((volume for volume in of_class if shape.may_take(volume)), key=capacity_of)
    return Shelf(volumes, [topology.rows_of(volume) for volume in volumes], len(topology.nodes))
