"""The arguments that Volcano's plugins and actions read: it passes over all others in silence.

Source: volcano v1.16 pkg/scheduler/plugins, pkg/scheduler/actions, pkg/scheduler/conf/constants.go.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

_NAMING = {
    "binpack": "binpack.resources.",
    "network-topology-aware": "hypernode.binpack.resources.",
    "tdm": "tdm.revocable-zone.",
}
"""How arguments begin that name a resource or a zone."""

_PREDICATES = (
    "NodeAffinity NodePorts TaintToleration PodAffinity NodeVolumeLimits VolumeZone PodTopologySpread"
    " VolumeBinding DynamicResourceAllocation Cache"
)
_SCORES = (
    "nodeaffinity podaffinity leastrequested mostrequested balancedresource tainttoleration imagelocality"
    " podtopologyspread"
)
_SHARING = (
    "VGPUEnable GPUSharingEnable GPUNumberEnable SchedulePolicy ScheduleWeight GPUExclusiveRules"
    " KnownGeometriesCMName KnownGeometriesCMNamespace"
)
_TOLD_APART = {
    "deviceshare": {
        f"deviceshare.{name}Enable" for name in ("AscendMindClusterVNPU", "AscendHAMiVNPU", "NodeLock")
    }
}
"""Arguments that are told as not played where they are on (`unplayed_parts.py`)."""
_BY_OWNER = {
    "binpack": {"binpack.weight", "binpack.cpu", "binpack.memory", "binpack.resources"},
    "capacity": {
        "ancestorReclaimLevel",
        "capacity.DynamicResourceAllocationEnable",
        "capacity.DRAConsumableCapacityEnable",
    },
    "deviceshare": {f"deviceshare.{name}" for name in _SHARING.split()},
    "network-topology-aware": {
        "weight",
        "hypernode.binpack.cpu",
        "hypernode.binpack.memory",
        "hypernode.binpack.resources",
        "hypernode.binpack.normal-pod.enable",
        "hypernode.binpack.normal-pod.fading",
        "hypernode.gradient.evict.max-hypernodes",
    },
    "nodeorder": {f"{score}.weight" for score in _SCORES.split()},
    "overcommit": {"overcommit-factor"},
    "nodegroup": {"strict", "enablePreferredOrder"},
    "numa-aware": {"weight"},
    "rescheduling": {"interval", "metricsPeriod", "strategies"},
    "resource-strategy-fit": {"resourceStrategyFitWeight", "resources", "sra", "proportional"},
    "sla": {"sla-waiting-time"},
    "task-topology": {"task-topology.weight"},
    "tdm": {"tdm.evict.period"},
    "usage": {"usage.weight", "cpu.weight", "memory.weight", "thresholds", "estimator"},
    "predicates": {
        *(f"predicate.{name}Enable" for name in _PREDICATES.split()),
        "volumebinding.bindTimeoutSeconds",
        "volumebinding.shape",
        "volumebinding.weight",
        "dynamicresources.filterTimeoutSeconds",
    },
    "allocate": {"predicateErrorCacheEnable"},
    "backfill": {"predicateErrorCacheEnable"},
    "reclaim": {"predicateErrorCacheEnable"},
    "gangpreempt": {"maxDomains", "allowWholeBundle"},
    "gangreclaim": {"maxDomains", "allowWholeBundle"},
    "preempt": {
        "predicateErrorCacheEnable",
        "enableTopologyAwarePreemption",
        "topologyAwarePreemptWorkerNum",
        "minCandidateNodesPercentage",
        "minCandidateNodesAbsolute",
        "maxCandidateNodesAbsolute",
    },
}


def known_arguments(owner: str) -> list[str]:
    """Return the arguments that a plugin or an action reads, but for those that name a resource or a zone."""
    return sorted(_BY_OWNER.get(owner, ()))


@cache
def all_known_arguments() -> frozenset[str]:
    """Return the arguments that some plugin or action reads, but for those that name a resource or a zone."""
    return frozenset(key for keys in (*_BY_OWNER.values(), *_TOLD_APART.values()) for key in keys)


def unread_arguments(owner: str, keys: Iterable[object]) -> list[str]:
    """Return those of the arguments that a plugin or an action does not read."""
    known = _BY_OWNER.get(owner, set()) | _TOLD_APART.get(owner, set())
    names = map(str, keys)
    return [key for key in names if key not in known and not _names_something(owner, key)]


def _names_something(owner: str, key: str) -> bool:
    begin = _NAMING.get(owner)
    return begin is not None and key.startswith(begin) and key != begin
