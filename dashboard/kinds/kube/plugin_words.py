"""What is said of plugins, failures, criteria and outcomes, by the names that the engine uses.

`scheduler_words.py` puts them together with what the engine's own tables say of a scheduler; a test holds
the names here to those there. The REST answer is the only place from which a page learns them.
"""

from typing import Any, NamedTuple

from scheduler_core.kube.framework import ScorePlugin


class CriterionWords(NamedTuple):
    """A criterion by which a preemption chooses its node.

    label: the column. left: what those that pass it have. before and decisive: the sentence when it decides,
    the second part of which carries the weight. figure: the field of a candidate that is named behind it, and
    noun what it counts, if it needs one.
    """

    label: str
    left: str
    before: str = ""
    decisive: str = ""
    figure: str = ""
    noun: str = ""


CRITERIA: dict[str, CriterionWords] = {
    "pdb_violations": CriterionWords(
        "budget violations",
        "fewest budget violations",
        "it violates the ",
        "fewest budgets",
        "pdb_violations",
    ),
    "highest_priority": CriterionWords(
        "highest victim",
        "lowest highest victim",
        "its highest victim has the ",
        "lowest priority",
        "highest_priority",
    ),
    "priority_sum": CriterionWords(
        "sum of priorities",
        "lowest sum of priorities",
        "its victims' ",
        "priorities weigh least",
        "victim_count",
        "victim",
    ),
    "victim_count": CriterionWords(
        "victims", "fewest victims", "it has the ", "fewest victims", "victim_count"
    ),
    "earliest_start": CriterionWords(
        "earliest start",
        "latest earliest start",
        "its most important victim ",
        "started last",
        "earliest_start",
    ),
    "name": CriterionWords("any of the equal", "one of the equal"),
}

FIRST_VICTIM = CriterionWords(
    "first victim", "lowest first victim", "its first victim has the ", "lowest priority", "highest_priority"
)
"""For `highest_priority` where a release takes the first victim for the highest, and it isn't."""


class OutcomeWords(NamedTuple):
    """How a decision of this outcome is called: beside its pod, and in the pod's life."""

    word: str
    life: str


OUTCOMES: dict[str, dict[str, OutcomeWords]] = {
    "attempt": {
        "scheduled": OutcomeWords("placed", "placed"),
        "nominated": OutcomeWords("preempts", "preempts for room"),
        "unschedulable": OutcomeWords("unschedulable", "fits nowhere"),
        "gated": OutcomeWords("gated", "held at the gate"),
        "error": OutcomeWords("error", "error"),
    },
    "eviction": {
        "evicted": OutcomeWords("evicted", "evicted by an edit"),
        "refused": OutcomeWords("eviction refused", "its eviction is refused"),
        "skipped": OutcomeWords("skipped", "left alone by a drain"),
        "tainted": OutcomeWords("evicted by a taint", "evicted by a NoExecute taint"),
    },
    "completion": {
        "bound": OutcomeWords("bound", "is bound"),
        "returned": OutcomeWords("goes back", "goes back to the queue"),
        "forgotten": OutcomeWords("forgotten", "was deleted while it was tried"),
    },
    "change": {
        "added": OutcomeWords("comes", "comes into the cluster"),
        "updated": OutcomeWords("changed", "is changed"),
        "deleted": OutcomeWords("deleted", "is deleted"),
        "finished": OutcomeWords("ends", "has done its work and ends"),
        "failed": OutcomeWords("fails", "has failed and ends"),
        "gone": OutcomeWords("gone", "is gone"),
        "asked": OutcomeWords("eviction requested", "its eviction is requested"),
        "nothing": OutcomeWords("nothing happens", "isn't there, so nothing happens"),
        "refused": OutcomeWords("refused", "is refused by a quota"),
        "stopped": OutcomeWords("kubelet stops", "its kubelet stops"),
        "started": OutcomeWords("kubelet starts", "its kubelet starts"),
    },
    "flush": {"woken": OutcomeWords("tried again", "is tried again")},
    "workload": {
        "created": OutcomeWords("makes pods", "its controller makes pods"),
        "deleted": OutcomeWords("deletes pods", "its controller deletes pods"),
        "updated": OutcomeWords("changed", "its controller changes it"),
        "refused": OutcomeWords("pods refused", "the API server refuses its pods"),
        "completed": OutcomeWords("complete", "the Job is complete"),
        "failed": OutcomeWords("Job failed", "the Job has failed"),
    },
    "session": {"opened": OutcomeWords("session opens", "a session opens")},
    "idle": {"idle": OutcomeWords("nothing to decide", "sessions have nothing to decide")},
    "enqueue": {
        "entered": OutcomeWords("enters its queue", "enters its queue"),
        "rejected": OutcomeWords("stays outside", "stays outside its queue"),
    },
    "placement": {
        "allocated": OutcomeWords("allocated", "is given a node, for now"),
        "pipelined": OutcomeWords("pipelined", "is promised a node on which room is to be freed"),
        "refused": OutcomeWords("fits nowhere", "fits nowhere"),
        "skipped": OutcomeWords("passed over", "is passed over"),
    },
    "gang": {
        "committed": OutcomeWords("committed", "its gang is committed"),
        "kept": OutcomeWords("kept", "its gang waits in the session"),
        "discarded": OutcomeWords("taken back", "its gang is taken back"),
    },
    "hyper_nodes": {
        "chosen": OutcomeWords("hyper node", "is taken to a hyper node"),
        "nowhere": OutcomeWords("no hyper node", "fits into no hyper node of a tier"),
    },
    "overused": {"overused": OutcomeWords("overused", "its queue has its share")},
    "reconcile": {
        "done": OutcomeWords("reconciled", "its controller has worked"),
        "delayed": OutcomeWords("delayed", "its controller waits"),
        "dropped": OutcomeWords("dropped", "its controller lets it be"),
        "requeued": OutcomeWords("comes again", "its controller tries again"),
        "failed": OutcomeWords("failed", "its controller gives up"),
    },
    "close": {
        "active": OutcomeWords("session closes", "a session closes"),
        "idle": OutcomeWords("session without effect", "a session closes without effect"),
    },
}

STRATEGIES = {
    "LeastAllocated": "nodes with the largest share of their resources free",
    "MostAllocated": "nodes with the largest share of their resources used",
    "RequestedToCapacityRatio": "nodes whose used share the configured curve rates highest",
}

SCORES = {
    "TaintToleration": "nodes with the fewest PreferNoSchedule taints that the pod doesn't tolerate",
    "NodeAffinity": "nodes that match the pod's preferred node affinity",
    "VolumeBinding": "nodes where the pod's volumes fit best (off unless a feature gate is on)",
    "PodTopologySpread": "topology domains with the fewest matching pods",
    "InterPodAffinity": "domains that preferred pod affinity asks for and anti-affinity doesn't shun",
    "DynamicResources": "nodes with devices for an earlier alternative of a ResourceClaim; else 0 everywhere",
    "NodeResourcesBalancedAllocation": "nodes where the pod would even out the used shares of the resources",
    "ImageLocality": "nodes that have the pod's images already",
    "LeastRequestedPriority": "nodes with the largest share of cpu and memory free",
    "BalancedResourceAllocation": "nodes where the used shares of cpu and memory are nearest to each other",
    "InterPodAffinityPriority": "domains that preferred pod affinity asks for and anti-affinity doesn't shun",
    "NodeAffinityPriority": "nodes that match the pod's preferred node affinity",
    "NodePreferAvoidPodsPriority": "nodes whose annotation doesn't ask the pod's controller to stay away",
    "SelectorSpreadPriority": "nodes and zones with the fewest pods of the same Services and controllers",
    "TaintTolerationPriority": "nodes with the fewest PreferNoSchedule taints that the pod doesn't tolerate",
    "ImageLocalityPriority": "nodes that have the pod's images already",
}
"""What a score prefers; NodeResourcesFit's depends on its strategy."""

SUCCESSORS = {
    "LeastRequestedPriority": "NodeResourcesFit",
    "BalancedResourceAllocation": "NodeResourcesBalancedAllocation",
    "SelectorSpreadPriority": "PodTopologySpread",
    "TaintTolerationPriority": "TaintToleration",
    "NodeAffinityPriority": "NodeAffinity",
    "InterPodAffinityPriority": "InterPodAffinity",
    "ImageLocalityPriority": "ImageLocality",
}
"""The plugin that does a priority function's work today."""


def preferred(plugin: ScorePlugin) -> str:
    """Return what a plugin's score prefers."""
    if plugin.name == "NodeResourcesFit":
        strategy: dict[str, Any] = plugin.args.get("scoringStrategy") or {}
        return STRATEGIES[strategy.get("type") or "LeastAllocated"]
    return SCORES[plugin.name]


class FailureWords(NamedTuple):
    """A failure of a predicate: what it stands for, and how it is listed where no eviction cures it."""

    means: str
    incurable: str = ""


FAILURES: dict[str, dict[str, FailureWords]] = {
    "CheckNodeCondition": {
        "NodeNotReady": FailureWords("the node isn't ready", "nodes that aren't ready"),
        "NodeOutOfDisk": FailureWords("the node is out of disk", "nodes out of disk"),
        "NodeNetworkUnavailable": FailureWords("the node has no network", "nodes without network"),
        "NodeUnschedulable": FailureWords("the node is cordoned", "cordoned nodes"),
    },
    "CheckNodeUnschedulable": {
        "NodeUnschedulable": FailureWords("the node is cordoned", "cordoned nodes"),
    },
    "PodFitsHostPorts": {"PodFitsHostPorts": FailureWords("a host port is taken")},
    "MatchNodeSelector": {
        "MatchNodeSelector": FailureWords(
            "the node selector or required node affinity doesn't match", "node selector and node affinity"
        ),
    },
    "NoDiskConflict": {"NoDiskConflict": FailureWords("a disk is in use by another pod")},
    "MaxEBSVolumeCount": {"MaxVolumeCount": FailureWords("no more disks of AWS can be attached")},
    "MaxGCEPDVolumeCount": {"MaxVolumeCount": FailureWords("no more disks of Google can be attached")},
    "MaxCSIVolumeCountPred": {
        "MaxVolumeCount": FailureWords("no more volumes of a CSI driver can be attached"),
    },
    "MaxAzureDiskVolumeCount": {"MaxVolumeCount": FailureWords("no more disks of Azure can be attached")},
    "CheckVolumeBinding": {
        "VolumeNodeAffinityConflict": FailureWords(
            "a bound volume can't be reached from the node", "volumes that can't be reached"
        ),
        "VolumeBindingNoMatch": FailureWords(
            "a claim finds no volume there, and none can be made", "claims without a volume"
        ),
    },
    "NoVolumeZoneConflict": {
        "NoVolumeZoneConflict": FailureWords(
            "a bound volume is in another zone or region", "zones of volumes"
        ),
    },
    "PodToleratesNodeTaints": {"PodToleratesNodeTaints": FailureWords("a taint isn't tolerated", "taints")},
    "CheckNodeMemoryPressure": {
        "NodeUnderMemoryPressure": FailureWords("memory pressure, and the pod is best effort"),
    },
    "CheckNodeDiskPressure": {"NodeUnderDiskPressure": FailureWords("disk pressure")},
    "CheckNodePIDPressure": {"NodeUnderPIDPressure": FailureWords("pid pressure")},
    "MatchInterPodAffinity": {
        "MatchInterPodAffinity": FailureWords("pod affinity or anti-affinity"),
        "PodAffinityRulesNotMatch": FailureWords(
            "the pod's affinity rules", "the pod's own required affinity"
        ),
        "PodAntiAffinityRulesNotMatch": FailureWords("the pod's anti-affinity rules"),
        "ExistingPodsAntiAffinityRulesNotMatch": FailureWords("anti-affinity rules of pods there"),
    },
}
"""By predicate. PodFitsResources names what is lacking: `Insufficient` and the resource."""
