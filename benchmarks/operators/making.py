"""Objects with what an API server adds to each of them: a uid, a version, times, defaults.

Amounts are milli-CPU, MiB and whole numbers of all else; `quantities` writes them.
"""

import uuid
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

Object = dict[str, Any]
Amounts = Mapping[str, int]

NOW = datetime(2026, 5, 4, 9, 12, 31, tzinfo=UTC)
"""When the clusters were asked for."""
MINUTE, HOUR, DAY = 60, 3600, 86400
_LETTERS = "bcdfghjklmnpqrstvwxz2456789"
"""What the API server makes the ends of names of."""
_ORDER = (
    *(
        "Node",
        "Pod",
        "Namespace",
        "PriorityClass",
        "PodDisruptionBudget",
        "Service",
        "ReplicaSet",
        "StatefulSet",
    ),
    *(
        "Deployment",
        "DaemonSet",
        "Job",
        "CronJob",
        "PersistentVolume",
        "PersistentVolumeClaim",
        "StorageClass",
    ),
    *("CSINode", "CSIDriver", "LimitRange", "ResourceQuota", "ConfigMap", "Queue", "PodGroup"),
)


class Maker:
    """Makes the objects of one cluster, by one seed."""

    def __init__(self, seed: str) -> None:
        self.random = Random(seed)
        self.objects: list[Object] = []
        self.priorities: dict[str, int] = {}
        self._tokens: set[str] = set()
        self._version = 1_000_000
        self._addresses = 0

    def new(
        self,
        kind: str,
        name: str,
        namespace: str = "",
        *,
        version: str = "v1",
        age: int = 30 * DAY,
        owner: Object | None = None,
        labels: Mapping[str, str] | None = None,
        annotations: Mapping[str, str] | None = None,
        **fields: Any,
    ) -> Object:
        """Add an object that was made `age` seconds ago, and return it."""
        self._version += self.random.randrange(1, 90)
        metadata: Object = {
            "creationTimestamp": stamp(age),
            "name": name,
            "resourceVersion": str(self._version),
            "uid": str(uuid.UUID(int=self.random.getrandbits(128), version=4)),
        }
        parts = {"namespace": namespace, "labels": labels, "annotations": annotations}
        metadata |= {field: value for field, value in parts.items() if value}
        if owner is not None:
            metadata["ownerReferences"] = [controlled_by(owner)]
        made = {"apiVersion": version, "kind": kind, "metadata": metadata, **fields}
        self.objects.append(made)
        return made

    def token(self, length: int = 5) -> str:
        """Return the end of a name, another each time."""
        made = "".join(self.random.choices(_LETTERS, k=length))
        if made in self._tokens:
            return self.token(length)
        self._tokens.add(made)
        return made

    def address(self) -> str:
        """Return an address that nothing else of the cluster has."""
        self._addresses += 1
        return f"100.{64 + (self._addresses >> 16)}.{self._addresses >> 8 & 255}.{self._addresses & 255}"

    def namespaces(self, names: Iterable[str]) -> None:
        """Add namespaces."""
        for name in names:
            labels = {"kubernetes.io/metadata.name": name}
            spec, status = {"finalizers": ["kubernetes"]}, {"phase": "Active"}
            self.new("Namespace", name, age=300 * DAY, labels=labels, spec=spec, status=status)

    def priority_classes(self, values: Amounts) -> None:
        """Add the classes that every cluster has, and others."""
        own = {"system-cluster-critical": 2_000_000_000, "system-node-critical": 2_000_001_000}
        for name, value in {**own, **values}.items():
            self.priorities[name] = value
            fields = {"value": value, "preemptionPolicy": "PreemptLowerPriority"}
            self.new("PriorityClass", name, version="scheduling.k8s.io/v1", age=300 * DAY, **fields)

    def config_map(self, namespace: str, name: str, **data: str) -> None:
        """Add a ConfigMap."""
        self.new("ConfigMap", name, namespace, age=200 * DAY, data=data)

    def listing(self) -> Object:
        """Return the objects as the List that kubectl prints: kind by kind, each by namespace and name."""
        place = {kind: number for number, kind in enumerate(_ORDER)}

        def key(item: Object) -> tuple[int, str, str, str, str]:
            metadata, kind = item["metadata"], item["kind"]
            # Volcano's Jobs stand after Kubernetes' own.
            where = (metadata.get("namespace", ""), metadata["name"])
            return place.get(kind, len(place)), item["apiVersion"], kind, *where

        items = sorted(self.objects, key=key)
        return {"apiVersion": "v1", "items": items, "kind": "List", "metadata": {"resourceVersion": ""}}


def stamp(age: float) -> str:
    """Return the time so many seconds ago as an API server writes it."""
    return f"{NOW - timedelta(seconds=age):%Y-%m-%dT%H:%M:%SZ}"


def controlled_by(owner: Object) -> Object:
    """Return the reference to the owner that controls an object."""
    metadata = owner["metadata"]
    return {
        "apiVersion": owner["apiVersion"],
        "blockOwnerDeletion": True,
        "controller": True,
        "kind": owner["kind"],
        "name": metadata["name"],
        "uid": metadata["uid"],
    }


def quantities(amounts: Amounts) -> dict[str, str]:
    """Return amounts as an API server writes them: whole cores and GiB where they are whole."""
    return {name: _quantity(name, amount) for name, amount in amounts.items() if amount}


def _quantity(name: str, amount: int) -> str:
    if name == "cpu":
        return f"{amount}m" if amount % 1000 else str(amount // 1000)
    if name in ("memory", "ephemeral-storage"):
        return f"{amount}Mi" if amount % 1024 else f"{amount // 1024}Gi"
    return str(amount)
