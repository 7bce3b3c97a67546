"""The arguments that Volcano's plugins and actions read: it passes over all others in silence.

Source: volcano v1.16 pkg/scheduler/plugins, pkg/scheduler/actions, pkg/scheduler/conf/constants.go.
"""

from __future__ import annotations

from collections.abc import Iterable

_OF_RESOURCES = "binpack.resources."
_PREDICATES = (
    "NodeAffinity NodePorts TaintToleration PodAffinity NodeVolumeLimits VolumeZone PodTopologySpread"
    " VolumeBinding DynamicResourceAllocation Cache"
)
_SCORES = (
    "nodeaffinity podaffinity leastrequested mostrequested balancedresource tainttoleration imagelocality"
    " podtopologyspread"
)
_SHARING = "VGPUEnable GPUSharingEnable GPUNumberEnable SchedulePolicy ScheduleWeight GPUExclusiveRules"
_BY_OWNER = {
    "binpack": {"binpack.weight", "binpack.cpu", "binpack.memory", "binpack.resources"},
    "capacity": {
        "ancestorReclaimLevel",
        "capacity.DynamicResourceAllocationEnable",
        "capacity.DRAConsumableCapacityEnable",
    },
    "deviceshare": {f"deviceshare.{name}" for name in _SHARING.split()},
    "nodeorder": {f"{score}.weight" for score in _SCORES.split()},
    "overcommit": {"overcommit-factor"},
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
    """Return the arguments that a plugin or an action reads, but for those that name a resource."""
    return sorted(_BY_OWNER.get(owner, ()))


def unread_arguments(owner: str, keys: Iterable[object]) -> list[str]:
    """Return those of the arguments that a plugin or an action does not read."""
    known = _BY_OWNER.get(owner, set())
    names = map(str, keys)
    return [key for key in names if key not in known and not (owner == "binpack" and _names_a_resource(key))]


def _names_a_resource(key: str) -> bool:
    return key.startswith(_OF_RESOURCES) and key != _OF_RESOURCES
