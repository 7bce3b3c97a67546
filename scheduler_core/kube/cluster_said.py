"""What the cluster's own scheduler had said of a pod, where a decision contradicts it.

A pending pod of an import carries the verdict of its last real attempt in its condition PodScheduled. At the
pod's first attempt in a run the two can be compared: if they differ, the cluster was in another state when it
spoke, or something is missing in the picture or in the play.

The cluster may be of another release than the one that is played. What both mean alike is no difference:
releases word taints, volumes and nodes that PreFilter left out in their own ways.

Source: kubernetes v1.30.0 to v1.37 pkg/scheduler/schedule_one.go; plugins/tainttoleration, volumebinding,
volumerestrictions.
"""

import re
from collections import Counter
from typing import Literal

import msgspec

from scheduler_core.events.decisions import ClusterSaid, Outcome
from scheduler_core.objects.privacy.pod_verdict import fit_part
from scheduler_core.objects.types import Pod


def contradicted(
    pod: Pod, attempt: int, outcome: Outcome, message: str | None
) -> ClusterSaid | msgspec.UnsetType:
    """Return what the cluster said of the pod if this attempt, its first one, came out otherwise."""
    conditions = pod.status.conditions or () if attempt == 1 else ()
    for condition in conditions:
        if condition.type == "PodScheduled" and condition.status == "False":
            said = fit_part(condition.message)
            if said is not None and not _agrees(said, outcome, message):
                return ClusterSaid(said, condition.last_transition_time)
    return msgspec.UNSET


def _agrees(said: str, outcome: Outcome, message: str | None) -> bool:
    """Tell whether the pod fits nowhere here too, for the same reasons where they are worded alike."""
    if outcome not in ("unschedulable", "nominated"):
        return False
    found = fit_part(message)
    return found is None or found == said or _meant(found) == _meant(said)


_REASON = re.compile(r"([0-9]+) (.+?)(?=, [0-9]+ |\.\Z)")
_BEGINNINGS = {
    "node(s) had untolerated taint": "taint",
    "node(s) had volume node affinity conflict": "volume's node affinity",
    "node(s) didn't match PersistentVolume's node affinity": "volume's node affinity",
    "node has pod using PersistentVolumeClaim": "claim in use",
    "node(s) didn't satisfy plugin": "left out",
    "node is filtered out by the prefilter result": "left out",
}
_LEFT_OUT = "left out"
"""Which up to 1.31 no message says."""


def _meant(fit: str) -> tuple[str, dict[str, int]]:
    """Return how many nodes there are, and how many of them were turned away for what, whoever words it."""
    nodes, _, reasons = fit.partition("nodes are available: ")
    meant: Counter[str] = Counter()
    for number, reason in _REASON.findall(reasons):
        known = next((known for start, known in _BEGINNINGS.items() if reason.startswith(start)), reason)
        if known != _LEFT_OUT:
            meant[known] += int(number)
    return nodes, dict(meant)


Agreement = Literal["same", "counts", "words", "none"]
"""same: the very words; counts: the same reasons with other numbers of nodes; words: other reasons; none:
the import has no verdict of the cluster."""


def said_of(pod: Pod) -> ClusterSaid | None:
    """Return what the cluster's scheduler said last of a pod that waits; None for nothing."""
    for condition in pod.status.conditions or ():
        if condition.type == "PodScheduled" and condition.status == "False":
            said = fit_part(condition.message)
            if said is not None:
                return ClusterSaid(said, condition.last_transition_time)
    return None


def agreement(said: ClusterSaid | None, message: str | None) -> Agreement:
    """Return how what the cluster said compares with a message of today, apart from preemption's part."""
    if said is None:
        return "none"
    found = fit_part(message)
    if found is None:
        return "words"
    if found == said.message or _meant(found) == _meant(said.message):
        return "same"
    return "counts" if set(_meant(found)[1]) == set(_meant(said.message)[1]) else "words"
