"""ResourceQuotas on cards' memory and cores, and what the pods of a namespace hold.

Source: HAMi v2.10.0 pkg/device/quota.go.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from scheduler_core.hami.rules.cards import Holding
from scheduler_core.hami.rules.pod_request import Object
from scheduler_core.objects.amounts.go_quantity import as_int64
from scheduler_core.state.journal import Journal
from scheduler_core.state.register import Register

_LIMITS = "limits."


class Limited(NamedTuple):
    """The resources of a vendor that a quota can limit, and how many MiB a unit of its memory has."""

    memory: str
    core: str
    units: int


class Quota(NamedTuple):
    """What is used, in MiB or cores, and the limit in the resource's own units; None where there is none."""

    used: int
    limit: int | None = None


_UNLIMITED = Quota(0)


class Quotas(Register[tuple[str, str], Quota]):
    """Quotas by namespace and resource. `version` changes with every change."""

    def __init__(self, journal: Journal) -> None:
        super().__init__(journal, read=lambda value: Quota(*value))
        self._vendors: dict[str, Limited] = {}
        self._names: set[str] = set()
        self.version = 0

    def know(self, vendor: str, limited: Limited) -> None:
        """Let a vendor's resources be limited."""
        self._vendors[vendor] = limited
        self._names.update(name for name in (limited.memory, limited.core) if name)

    def write(self, key: Any, field: str, value: Any) -> None:
        super().write(key, field, value)
        self.version += 1

    def load(self, values: Iterable[Any]) -> None:
        super().load(values)
        self.version += 1

    # -- asking --------------------------------------------------------------------------------------

    def limits(self, namespace: str, vendor: str) -> bool:
        """Tell whether a namespace has a limit on a vendor's memory or cores."""
        limited = self._vendors[vendor]
        return self._is_limited(namespace, limited.memory) or self._is_limited(namespace, limited.core)

    def _is_limited(self, namespace: str, name: str) -> bool:
        quota = self.values.get((namespace, name))
        return quota is not None and quota.limit is not None

    def fits(self, namespace: str, vendor: str, memory: int, cores: int) -> bool:
        """Tell whether a namespace may have so many MiB and cores of a vendor more."""
        limited = self._vendors[vendor]
        return self._has_room(namespace, limited.memory, memory, max(limited.units, 1)) and self._has_room(
            namespace, limited.core, cores, 1
        )

    def _has_room(self, namespace: str, name: str, more: int, units: int) -> bool:
        quota = self.values.get((namespace, name))
        return quota is None or quota.limit is None or quota.used + more <= quota.limit * units

    # -- what pods hold ------------------------------------------------------------------------------

    def add(self, namespace: str, holding: Holding) -> None:
        """Count what a pod holds."""
        for name, amount in self._amounts(holding).items():
            quota = self.values.get((namespace, name), _UNLIMITED)
            self._set(namespace, name, Quota(quota.used + amount, quota.limit))

    def remove(self, namespace: Any, holding: Any) -> None:
        """Count what a pod holds no longer."""
        for name, amount in self._amounts(holding).items():
            quota = self.values.get((namespace, name))
            if quota is not None:
                self._set(namespace, name, Quota(max(quota.used - amount, 0), quota.limit))

    def _amounts(self, holding: Holding) -> dict[str, int]:
        amounts: dict[str, int] = {}
        for vendor, held in holding.items():
            limited = self._vendors.get(vendor)
            if limited is None:
                continue
            for card in held:
                for name, amount in ((limited.memory, card.memory), (limited.core, card.cores)):
                    if name:
                        amounts[name] = amounts.get(name, 0) + amount
        return amounts

    # -- ResourceQuotas ------------------------------------------------------------------------------

    def add_object(self, item: Object) -> None:
        """Set the limits of a ResourceQuota."""
        for key, limit in self._limits_of(item):
            self._set(*key, self.values.get(key, _UNLIMITED)._replace(limit=limit))

    def remove_object(self, item: Object) -> None:
        """Lift the limits of a ResourceQuota."""
        for key, _ in self._limits_of(item):
            if key in self.values:
                self._set(*key, self.values[key]._replace(limit=None))

    def _limits_of(self, item: Object) -> Iterable[tuple[tuple[str, str], int]]:
        namespace = item["metadata"].get("namespace") or "default"
        for name, text in sorted(((item.get("spec") or {}).get("hard") or {}).items()):
            limit, resource = as_int64(text), name.removeprefix(_LIMITS)
            if name.startswith(_LIMITS) and resource in self._names and limit is not None:
                yield (namespace, resource), limit

    def _set(self, namespace: str, name: str, quota: Quota) -> None:
        if self.values.get((namespace, name)) != quota:
            self.put((namespace, name), quota)
