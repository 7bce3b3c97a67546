"""What the cluster's own scheduler had said of a pod, where a decision contradicts it.

A pending pod of an import carries the verdict of its last real attempt in its condition PodScheduled. At the
pod's first attempt in a run the two can be compared: if they differ, the cluster was in another state when it
spoke, or something is missing in the picture or in the play.
"""

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
    return found is None or found == said
