"""The storage side of a cluster: claims, volumes, classes, and what a volume binder decided about them.

`Volumes` is built from a snapshot's objects, which it never changes. What the volume binder of a profile
decides when a pod is scheduled stands in its `BinderView`: no API object shows it yet, and the other
profiles and plugins do not see it.

Source: kubernetes v1.36 plugins/volumebinding passive_assume_cache.go (the view).
"""

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import msgspec

from scheduler_core.objects import storage
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.objects.quantity import QuantityError, parse_quantity
from scheduler_core.objects.storage import (
    ClaimReference,
    CSIDriver,
    CSINode,
    CSIStorageCapacity,
    PersistentVolume,
    PersistentVolumeClaim,
    StorageClass,
    VolumeAttachment,
)
from scheduler_core.objects.types import T, convert
from scheduler_core.state.journal import Journal, Set, Table

ClaimKey = tuple[str, str]
"""Namespace and name."""

BIND_COMPLETED = "pv.kubernetes.io/bind-completed"
SELECTED_NODE = "volume.kubernetes.io/selected-node"


def key_of_claim(claim: PersistentVolumeClaim) -> ClaimKey:
    """Return the namespace and the name of a claim."""
    return claim.metadata.namespace or "default", claim.metadata.name


def reference_to(claim: PersistentVolumeClaim) -> ClaimReference:
    """Return how a volume names the claim that it belongs to."""
    namespace, name = key_of_claim(claim)
    return ClaimReference(namespace, name, claim.metadata.uid or "")


class BinderView(Table):
    """What one profile's volume binder has decided: `references` by volume, `selected_nodes` by claim."""

    def __init__(self) -> None:
        self.references: dict[str, ClaimReference] = {}
        self.selected_nodes: dict[ClaimReference, str] = {}

    def write(self, key: Any, field: str, value: Any) -> None:
        _write(self.references if field == "reference" else self.selected_nodes, key, value)

    def reference(self, volume: PersistentVolume) -> ClaimReference | None:
        """Return the claim that the volume is kept for, None for a free one."""
        return self.references.get(volume.metadata.name, volume.spec.claim_ref)

    def selected_node(self, claim: PersistentVolumeClaim) -> str | None:
        """Return the node that the claim is to be provisioned for, None before there is one."""
        annotated = (claim.metadata.annotations or {}).get(SELECTED_NODE)
        return self.selected_nodes.get(reference_to(claim), annotated)

    def keep_for(self, volume: PersistentVolume, claim: PersistentVolumeClaim, journal: Journal) -> None:
        """Keep a matched volume for a claim."""
        reference, name = reference_to(claim), volume.metadata.name
        if self.reference(volume) != reference:
            journal.do(Set(self, name, "reference", self.references.get(name), reference))

    def select_node(self, claim: PersistentVolumeClaim, node_name: str, journal: Journal) -> None:
        """Have a claim provisioned for a node."""
        key = reference_to(claim)
        if self.selected_node(claim) != node_name:
            journal.do(Set(self, key, "node", self.selected_nodes.get(key), node_name))

    # -- checkpoints ---------------------------------------------------------------------------------

    def dump(self) -> dict[str, Any]:
        """Return all that was decided as plain data."""
        return {
            "references": [
                [volume, claim.namespace, claim.name, claim.uid] for volume, claim in self.references.items()
            ],
            "selected_nodes": [
                [claim.namespace, claim.name, claim.uid, node] for claim, node in self.selected_nodes.items()
            ],
        }

    def load(self, data: Mapping[str, Any]) -> None:
        """Restore what `dump` returned, in place of all that was decided."""
        self.references = {
            volume: ClaimReference(namespace, name, uid)
            for volume, namespace, name, uid in data["references"]
        }
        self.selected_nodes = {
            ClaimReference(namespace, name, uid): node
            for namespace, name, uid, node in data["selected_nodes"]
        }


def _write(table: dict[Any, Any], key: Any, value: Any) -> None:
    """Set a value; None takes it out."""
    if value is None:
        del table[key]
    else:
        table[key] = value


class Volumes(Table):
    """The storage objects by name, each kind in the order of import.

    Of them, a run changes claims only: those of ephemeral volumes come with the copies of evicted pods.
    """

    def __init__(self, documents: Iterable[Mapping[str, Any]] = ()) -> None:
        """Read the storage objects among the documents. Raises BadInput where one cannot be read."""
        by_kind: dict[str, list[dict[str, Any]]] = {}
        for document in documents:
            by_kind.setdefault(document.get("kind", ""), []).append(dict(document))
        self.claims: dict[ClaimKey, PersistentVolumeClaim] = {
            key_of_claim(claim): claim for claim in _read(by_kind, PersistentVolumeClaim)
        }
        self.volumes = {item.metadata.name: item for item in _read(by_kind, PersistentVolume)}
        self.classes = {item.metadata.name: item for item in _read(by_kind, StorageClass)}
        self.csi_nodes = {item.metadata.name: item for item in _read(by_kind, CSINode)}
        self.csi_drivers = {item.metadata.name: item for item in _read(by_kind, CSIDriver)}
        self.capacities = list(_read(by_kind, CSIStorageCapacity))
        self.attachments = list(_read(by_kind, VolumeAttachment))
        self._imported = dict(self.claims)
        self._changed: set[ClaimKey] = set()
        self._check_quantities()

    def _check_quantities(self) -> None:
        for claim in self.claims.values():
            _check(
                f"PersistentVolumeClaim {'/'.join(key_of_claim(claim))}",
                "spec.resources.requests.storage",
                storage.requested_storage(claim),
            )
        for volume in self.volumes.values():
            _check(
                f"PersistentVolume {volume.metadata.name}",
                "spec.capacity.storage",
                (volume.spec.capacity or {}).get("storage"),
            )
        for capacity in self.capacities:
            owner = f"CSIStorageCapacity {capacity.metadata.namespace or 'default'}/{capacity.metadata.name}"
            _check(owner, "capacity", capacity.capacity)
            _check(owner, "maximumVolumeSize", capacity.maximum_volume_size)

    def add_claim(self, document: dict[str, Any], journal: Journal) -> None:
        """Add a claim that a run brings about, in place of one of its name."""
        claim = convert(document, PersistentVolumeClaim)
        key = key_of_claim(claim)
        journal.do(Set(self, key, "claim", self.claims.get(key), claim))

    def write(self, key: Any, field: str, value: Any) -> None:
        self._changed.add(key)
        _write(self.claims, key, value)

    def dump(self) -> list[PersistentVolumeClaim]:
        """Return the claims that a run has brought about."""
        return [self.claims[key] for key in sorted(self._changed) if key in self.claims]

    def load(self, data: Iterable[dict[str, Any]]) -> None:
        """Restore what `dump` returned."""
        self.claims.clear()
        self.claims.update(self._imported)
        claims = [convert(document, PersistentVolumeClaim) for document in data]
        self._changed = {key_of_claim(claim) for claim in claims}
        self.claims.update((key_of_claim(claim), claim) for claim in claims)

    def claim(self, namespace: str, name: str) -> PersistentVolumeClaim | None:
        """Return a claim, None where there is none of that name."""
        return self.claims.get((namespace, name))

    @cached_property
    def reserved(self) -> dict[ClaimKey, list[PersistentVolume]]:
        """The volumes that name a claim, by that claim."""
        table: dict[ClaimKey, list[PersistentVolume]] = {}
        for volume in self.volumes.values():
            owner = volume.spec.claim_ref
            if owner is not None:
                table.setdefault((owner.namespace, owner.name), []).append(volume)
        return table

    @cached_property
    def by_class(self) -> dict[str, list[PersistentVolume]]:
        """The volumes of each class."""
        table: dict[str, list[PersistentVolume]] = {}
        for volume in self.volumes.values():
            table.setdefault(storage.class_of_volume(volume), []).append(volume)
        return table


def _read(by_kind: Mapping[str, list[dict[str, Any]]], kind: type[T]) -> list[T]:
    items = []
    for document in by_kind.get(kind.__name__, ()):
        try:
            items.append(convert(document, kind))
        except msgspec.ValidationError as error:
            reason, _, path = str(error).partition(" - at `$")
            name = (document.get("metadata") or {}).get("name") or "(no name)"
            raise BadInput([Problem(f"{kind.__name__} {name}", path.strip("`."), reason)]) from error
    return items


def _check(owner: str, field: str, quantity: str | int | float | None) -> None:
    try:
        parse_quantity(quantity)
    except QuantityError as error:
        raise BadInput([Problem(owner, field, str(error))]) from error
