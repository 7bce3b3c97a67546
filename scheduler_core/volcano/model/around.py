"""What a session sees beside jobs, queues and nodes: the time, quotas and budgets.

Source: volcano v1.16 pkg/scheduler/api/namespace_info.go; the listers of the plugins that read the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scheduler_core.objects import types
from scheduler_core.objects.amounts.quantity import parse_quantity
from scheduler_core.objects.types import KubernetesObject, ObjectMeta, ResourceList
from scheduler_core.state.surroundings import Budget
from scheduler_core.volcano.numa.topology import NodeTopology


class QuotaStatus(KubernetesObject, frozen=True):
    """What a ResourceQuota limits, and what of it is used."""

    hard: ResourceList | None = None
    used: ResourceList | None = None

    def limits(self) -> dict[str, int]:
        """Return the limits by name, in billionths."""
        return in_nanos(self.hard)

    def uses(self) -> dict[str, int]:
        """Return what is used by name, in billionths."""
        return in_nanos(self.used)


class ResourceQuota(KubernetesObject, frozen=True):
    metadata: ObjectMeta
    status: QuotaStatus = QuotaStatus()


def quotas_of(objects: Iterable[Mapping[str, Any]]) -> dict[str, list[QuotaStatus]]:
    """Return what ResourceQuotas say of themselves, by namespace."""
    quotas: dict[str, list[QuotaStatus]] = {}
    for item in objects:
        quota = types.convert(dict(item), ResourceQuota)
        quotas.setdefault(quota.metadata.namespace or "default", []).append(quota.status)
    return quotas


def in_nanos(amounts: ResourceList | None) -> dict[str, int]:
    """Return a resource list exactly, in billionths. Raises QuantityError."""
    return {name: parse_quantity(text).nanos for name, text in (amounts or {}).items()}


@dataclass(frozen=True)
class Around:
    """`now` is nanoseconds since 1970; `quotas` are by namespace, `topologies` by node.

    `began` is when the run began: nodes' loads were measured then.
    """

    now: int = 0
    quotas: Mapping[str, Sequence[QuotaStatus]] = field(default_factory=dict)
    budgets: Sequence[Budget] = ()
    topologies: Mapping[str, NodeTopology] = field(default_factory=dict)
    began: int = 0
