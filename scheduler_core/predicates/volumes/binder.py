"""What a volume binder finds for a pod on each node: volumes that are reached, found, or to be made.

Bound claims' volumes are looked at first, then unbound claims of classes that wait for their first consumer:
each is matched with an existing volume or, if there is none, provisioned.

Source: kubernetes v1.36 plugins/volumebinding binder.go GetPodVolumeClaims, FindPodVolumes.
"""

from dataclasses import dataclass, field

import numpy as np

from scheduler_core.objects import storage
from scheduler_core.objects.storage import PersistentVolumeClaim
from scheduler_core.predicates.filter_state import FilterState
from scheduler_core.predicates.volumes.faults import MigrationFault
from scheduler_core.predicates.volumes.matching import ClaimMatch, VolumeMatcher
from scheduler_core.predicates.volumes.provisioning import Provision
from scheduler_core.predicates.volumes.shelf import NO_VOLUME
from scheduler_core.predicates.volumes.topology import VolumeTopology, whole_bytes
from scheduler_core.state.journal import Journal
from scheduler_core.state.nodes import IntArray
from scheduler_core.state.volumes import BIND_COMPLETED, BinderView, Volumes

# A code is a sum of these, in the order of the reasons; from FIRST_FAULT on it is a fault's place.
NODE_CONFLICT, BIND_CONFLICT, NOT_ENOUGH_SPACE, NO_SUCH_VOLUME = 1, 2, 4, 8
FIRST_FAULT = 16


class NoBindingMode(Exception):
    """The claims cannot be sorted out: the class of this name does not say when it binds."""


@dataclass
class Claims:
    """A pod's claims: bound, to be bound late, and those that should have been bound already."""

    bound: list[PersistentVolumeClaim] = field(default_factory=list)
    late: list[PersistentVolumeClaim] = field(default_factory=list)
    immediate: list[PersistentVolumeClaim] = field(default_factory=list)


def sort_out(claims: list[PersistentVolumeClaim], volumes: Volumes) -> Claims:
    """Part the claims by how they are bound. A claim that names a volume is never bound late.

    Raises NoBindingMode.
    """
    parted = Claims()
    for claim in claims:
        if is_bound(claim):
            parted.bound.append(claim)
        elif waits(claim, volumes) and not claim.spec.volume_name:
            parted.late.append(claim)
        else:
            parted.immediate.append(claim)
    return parted


def is_bound(claim: PersistentVolumeClaim) -> bool:
    """Return whether the claim has a volume, and its binding is complete."""
    return bool(claim.spec.volume_name) and BIND_COMPLETED in (claim.metadata.annotations or {})


def waits(claim: PersistentVolumeClaim, volumes: Volumes) -> bool:
    """Return whether the claim's class binds late. Raises NoBindingMode for a class that doesn't say."""
    name = storage.class_of_claim(claim)
    storage_class = volumes.classes.get(name) if name else None
    if storage_class is None:
        return False
    if storage_class.volume_binding_mode is None:
        raise NoBindingMode(name)
    return storage_class.volume_binding_mode == storage.WAIT_FOR_FIRST_CONSUMER


@dataclass
class PodVolumes(FilterState):
    """What was found: a code for each node (int64, by node), and what the pod would take there.

    provisions: of each claim whose volume is made somewhere, the nodes on which it would be.
    missing: the volume that a bound claim names and that does not exist, empty if all do.
    """

    claims: Claims
    topology: VolumeTopology
    codes: IntArray
    faults: list[MigrationFault] = field(default_factory=list)
    matches: list[ClaimMatch] = field(default_factory=list)
    provisions: list[Provision] = field(default_factory=list)
    missing: str = ""

    def keep(self, binder: BinderView, node: int, journal: Journal) -> None:
        """Keep the volumes matched on a node for the pod's claims, and have the others made for it."""
        for match in self.matches:
            volume = match.volume_on(node)
            if volume is not None:
                binder.keep_for(volume, match.claim, journal)
        for claim, on_nodes in self.provisions:
            if on_nodes[node]:
                binder.select_node(claim, self.topology.nodes.names[node], journal)

    def storage_on(self, node: int) -> list[tuple[int, int]]:
        """Return (requested, capacity) in bytes of each class of which the pod would bind volumes on a node.

        Of volumes to be made where none would be bound, if their driver says how much is left.
        """
        return list((self._bound_on(node) or self._made_on(node)).values())

    def _bound_on(self, node: int) -> dict[str, tuple[int, int]]:
        bound: dict[str, tuple[int, int]] = {}
        for match in self.matches:
            if (volume := match.volume_on(node)) is not None:
                requested, capacity = bound.get(name := volume.spec.storage_class_name, (0, 0))
                size = whole_bytes((volume.spec.capacity or {}).get("storage"))
                asked = whole_bytes(storage.requested_storage(match.claim))
                bound[name] = requested + asked, capacity + size
        return bound

    def _made_on(self, node: int) -> dict[str, tuple[int, int]]:
        """Return it of volumes to be made; what is left is what the last claim of a class finds."""
        made: dict[str, tuple[int, int]] = {}
        for provision in self.provisions:
            if (found := provision.storage_on(node, self.topology)) is not None:
                name = storage.class_of_claim(provision.claim)
                made[name] = made.get(name, (0, 0))[0] + found[0], found[1]
        return made


def find_volumes(claims: Claims, binder: BinderView, matcher: VolumeMatcher) -> PodVolumes:
    """Return what is found for these claims in the view of a profile."""
    topology = matcher.topology
    found = PodVolumes(claims, topology, np.zeros(len(topology.nodes), dtype=np.int64))
    _check_bound(found)
    if claims.late:
        _check_late(found, binder, matcher)
    return found


def _check_bound(found: PodVolumes) -> None:
    """Give each node the first fault among the bound claims' volumes."""
    codes, topology = found.codes, found.topology
    undecided = np.ones(len(codes), dtype=np.bool_)
    for claim in found.claims.bound:
        volume = topology.volumes.volumes.get(claim.spec.volume_name)
        if volume is None:
            codes[undecided], found.missing = NO_SUCH_VOLUME, claim.spec.volume_name
            return
        reached, failing, fault = topology.reach(volume)
        if fault is not None:
            codes[undecided & failing] = FIRST_FAULT + len(found.faults)
            found.faults.append(fault)
        codes[undecided & ~failing & ~reached] = NODE_CONFLICT
        undecided &= reached & ~failing


def _check_late(found: PodVolumes, binder: BinderView, matcher: VolumeMatcher) -> None:
    """Match and provision; a claim that waits for another node leaves nothing to find on this one."""
    codes, names = found.codes, found.topology.nodes.index
    open_nodes = codes < FIRST_FAULT
    to_match, to_provision = [], []
    for claim in found.claims.late:
        selected = binder.selected_node(claim)
        if selected is None:
            to_match.append(claim)
            continue
        to_provision.append(claim)
        elsewhere = np.ones(len(codes), dtype=np.bool_)
        if selected in names:
            elsewhere[names[selected]] = False
        codes[open_nodes & elsewhere] |= BIND_CONFLICT
        open_nodes &= ~elsewhere
    found.matches = matcher.match(to_match, binder)
    wanted = [Provision(claim, open_nodes.copy()) for claim in to_provision]
    wanted += [Provision(match.claim, open_nodes & (match.choice == NO_VOLUME)) for match in found.matches]
    found.provisions = [provision for provision in wanted if provision.on_nodes.any()]
    for provision in found.provisions:
        refused, full = provision.refused(provision.on_nodes & open_nodes, found.topology)
        codes[refused] |= BIND_CONFLICT
        codes[full] |= NOT_ENOUGH_SPACE
        open_nodes &= ~(refused | full)
