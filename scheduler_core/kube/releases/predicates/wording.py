"""How a release words the failures of its predicates, and which of them no eviction can cure.

Predicates name their failures as 1.8 spells them; a release may say a sentence instead.

Source: kubernetes v1.8 plugin/pkg/scheduler and v1.11, v1.13 pkg/scheduler algorithm/predicates/error.go;
core/generic_scheduler.go nodesWherePreemptionMightHelp.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from scheduler_core.events.decisions import Status
from scheduler_core.kube.framework import UNRESOLVABLE, UNSCHEDULABLE

MATCH_INTER_POD_AFFINITY = "MatchInterPodAffinity"
AFFINITY_RULES = "PodAffinityRulesNotMatch"
ANTI_AFFINITY_RULES = "PodAntiAffinityRulesNotMatch"
EXISTING_ANTI_AFFINITY_RULES = "ExistingPodsAntiAffinityRulesNotMatch"
MAX_VOLUME_COUNT = "MaxVolumeCount"
NO_VOLUME_ZONE_CONFLICT = "NoVolumeZoneConflict"
VOLUME_NODE_AFFINITY_CONFLICT = "VolumeNodeAffinityConflict"
VOLUME_BINDING_NO_MATCH = "VolumeBindingNoMatch"

SENTENCES: Mapping[str, str] = {
    "NoDiskConflict": "node(s) had no available disk",
    NO_VOLUME_ZONE_CONFLICT: "node(s) had no available volume zone",
    MAX_VOLUME_COUNT: "node(s) exceed max volume count",
    VOLUME_NODE_AFFINITY_CONFLICT: "node(s) had volume node affinity conflict",
    VOLUME_BINDING_NO_MATCH: "node(s) didn't find available persistent volumes to bind",
    "MatchNodeSelector": "node(s) didn't match node selector",
    MATCH_INTER_POD_AFFINITY: "node(s) didn't match pod affinity/anti-affinity",
    AFFINITY_RULES: "node(s) didn't match pod affinity rules",
    ANTI_AFFINITY_RULES: "node(s) didn't match pod anti-affinity rules",
    EXISTING_ANTI_AFFINITY_RULES: "node(s) didn't satisfy existing pods anti-affinity rules",
    "PodToleratesNodeTaints": "node(s) had taints that the pod didn't tolerate",
    "PodFitsHostPorts": "node(s) didn't have free ports for the requested pod ports",
    "NodeUnderMemoryPressure": "node(s) had memory pressure",
    "NodeUnderDiskPressure": "node(s) had disk pressure",
    "NodeUnderPIDPressure": "node(s) had pid pressure",
    "NodeOutOfDisk": "node(s) were out of disk space",
    "NodeNotReady": "node(s) were not ready",
    "NodeNetworkUnavailable": "node(s) had unavailable network",
    "NodeUnschedulable": "node(s) were unschedulable",
}

UNRESOLVABLE_SINCE_1_8 = frozenset(
    {
        "MatchNodeSelector",
        "PodToleratesNodeTaints",
        "NodeNotReady",
        "NodeNetworkUnavailable",
        "NodeUnschedulable",
    }
)
UNRESOLVABLE_SINCE_1_9 = UNRESOLVABLE_SINCE_1_8 | {
    NO_VOLUME_ZONE_CONFLICT,
    VOLUME_NODE_AFFINITY_CONFLICT,
    VOLUME_BINDING_NO_MATCH,
}
UNRESOLVABLE_SINCE_1_13 = UNRESOLVABLE_SINCE_1_9 | {
    AFFINITY_RULES,
    "NodeOutOfDisk",
    "NodeUnderMemoryPressure",
    "NodeUnderDiskPressure",
    "NodeUnderPIDPressure",
}


@dataclass(frozen=True)
class Wording:
    """`sentences` replace failures' names where they are given; `unresolvable` are names of failures."""

    sentences: Mapping[str, str] = field(default_factory=dict)
    unresolvable: frozenset[str] = UNRESOLVABLE_SINCE_1_8

    def status(self, predicate: str, failures: Sequence[str]) -> Status:
        """Return a predicate's rejection for these failures, named as 1.8 spells them."""
        curable = self.unresolvable.isdisjoint(failures)
        reasons = [self.sentences.get(failure, failure) for failure in failures]
        return Status(predicate, UNSCHEDULABLE if curable else UNRESOLVABLE, reasons)
