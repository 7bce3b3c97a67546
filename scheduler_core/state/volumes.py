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
from scheduler_core.objects.amounts.quantity import QuantityError, parse_quantity
from scheduler_core.objects.kinds import Kind, kind_of, kind_of_view
from scheduler_core.objects.problems import BadInput, Problem
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
from scheduler_core.objects.types import KubernetesObject, T, convert
from scheduler_core.state.journal import Journal, Set, Table

ClaimKey = tuple[str, str]
"""Namespace and name."""

BIND_COMPLETED = "pv.kubernetes.io/bind-completed"
SELECTED_NODE = "volume.kubernetes.io/selected-node"


_Entry = tuple[int, Any]
"""An object's number among all that came, and the object."""


def key_of(item: Any) -> Any:
    """Return what an object of a storage kind is known by: its name, with the namespace if it has one."""
    if isinstance(item, PersistentVolumeClaim | CSIStorageCapacity):
        return item.metadata.namespace or "default", item.metadata.name
    return item.metadata.name


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
    """The storage objects by name, each kind in the order in which they came.

    `version` grows with every change, back too: who keeps answers about storage asks for it.
    """

    def __init__(self, documents: Iterable[Mapping[str, Any]] = ()) -> None:
        """Read the storage objects among the documents. Raises BadInput where one cannot be read."""
        by_kind: dict[Kind, list[dict[str, Any]]] = {}
        for document in documents:
            by_kind.setdefault(kind_of(document), []).append(dict(document))
        self.version = 0
        self.claims: dict[ClaimKey, PersistentVolumeClaim] = {}
        self.volumes: dict[str, PersistentVolume] = {}
        self.classes: dict[str, StorageClass] = {}
        self.csi_nodes: dict[str, CSINode] = {}
        self.csi_drivers: dict[str, CSIDriver] = {}
        self._capacities: dict[ClaimKey, CSIStorageCapacity] = {}
        self._attachments: dict[str, VolumeAttachment] = {}
        self._tables: dict[type[KubernetesObject], dict[Any, Any]] = {
            PersistentVolumeClaim: self.claims,
            PersistentVolume: self.volumes,
            StorageClass: self.classes,
            CSINode: self.csi_nodes,
            CSIDriver: self.csi_drivers,
            CSIStorageCapacity: self._capacities,
            VolumeAttachment: self._attachments,
        }
        self._numbers: dict[tuple[type[KubernetesObject], Any], int] = {}
        self._highest = 0
        for kind in self._tables:
            for item in _read(by_kind, kind):
                self._keep(kind, key_of(item), (self._highest + 1, item))
        self._imported = self._all()
        self._check_quantities()

    @property
    def capacities(self) -> list[CSIStorageCapacity]:
        """What the drivers say about the space that is left."""
        return list(self._capacities.values())

    @property
    def attachments(self) -> list[VolumeAttachment]:
        """Which volumes are attached where."""
        return list(self._attachments.values())

    # -- changes -------------------------------------------------------------------------------------

    def put(self, item: KubernetesObject, journal: Journal) -> None:
        """Add an object, or put it in the place of one of its name."""
        kind, key = type(item), key_of(item)
        old = self._entry(kind, key)
        number = self._highest + 1 if old is None else old[0]
        journal.do(Set(self, (kind, key), "object", old, (number, item)))

    def drop(self, item: KubernetesObject, journal: Journal) -> None:
        """Take an object out."""
        kind, key = type(item), key_of(item)
        journal.do(Set(self, (kind, key), "object", self._entry(kind, key), None))

    def find(self, kind: type[KubernetesObject], key: Any) -> KubernetesObject | None:
        """Return an object, None where there is none."""
        found: KubernetesObject | None = self._tables[kind].get(key)
        return found

    def write(self, key: Any, field: str, value: Any) -> None:
        kind, name = key
        self._keep(kind, name, value)

    def _entry(self, kind: type[KubernetesObject], key: Any) -> _Entry | None:
        item = self._tables[kind].get(key)
        return None if item is None else (self._numbers[kind, key], item)

    def _keep(self, kind: type[KubernetesObject], key: Any, entry: _Entry | None) -> None:
        self.version += 1
        self.__dict__.pop("reserved", None)
        self.__dict__.pop("by_class", None)
        table = self._tables[kind]
        if entry is None:
            del table[key]
            if self._numbers.pop((kind, key)) == self._highest:
                self._highest = max(self._numbers.values(), default=0)
            return
        number, item = entry
        is_last = key in table or number > self._highest
        table[key], self._numbers[kind, key] = item, number
        self._highest = max(self._highest, number)
        if not is_last:
            # A removal is taken back: the object has its old place among its kind again.
            ordered = sorted(table.items(), key=lambda pair: self._numbers[kind, pair[0]])
            table.clear()
            table.update(ordered)

    def _all(self) -> dict[tuple[type[KubernetesObject], Any], _Entry]:
        return {
            (kind, key): (self._numbers[kind, key], item)
            for kind, table in self._tables.items()
            for key, item in table.items()
        }

    # -- checkpoints ---------------------------------------------------------------------------------

    def dump(self) -> list[Any]:
        """Return what a run has changed: kind, key, and the number and the object where there is one."""
        now = self._all()
        changed = [
            place
            for place in {**self._imported, **now}
            if place not in now
            or place not in self._imported
            or now[place][1] is not self._imported[place][1]
        ]
        return [
            [kind.__name__, key, [now[kind, key][0], msgspec.to_builtins(now[kind, key][1])]]
            if (kind, key) in now
            else [kind.__name__, key, None]
            for kind, key in changed
        ]

    def load(self, data: Iterable[Any]) -> None:
        """Restore what `dump` returned."""
        kinds = {kind.__name__: kind for kind in self._tables}
        entries = dict(self._imported)
        for name, key, entry in data:
            place = kinds[name], tuple(key) if isinstance(key, list) else key
            entries.pop(place, None)
            if entry is not None:
                entries[place] = entry[0], convert(entry[1], kinds[name])
        for table in self._tables.values():
            table.clear()
        self._numbers.clear()
        self._highest = 0
        for (kind, key), entry in sorted(entries.items(), key=lambda pair: pair[1][0]):
            self._keep(kind, key, entry)

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
        for capacity in self._capacities.values():
            owner = f"CSIStorageCapacity {capacity.metadata.namespace or 'default'}/{capacity.metadata.name}"
            _check(owner, "capacity", capacity.capacity)
            _check(owner, "maximumVolumeSize", capacity.maximum_volume_size)

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


def _read(by_kind: Mapping[Kind, list[dict[str, Any]]], kind: type[T]) -> list[T]:
    items = []
    for document in by_kind.get(kind_of_view(kind), ()):
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
