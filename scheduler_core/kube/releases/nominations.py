"""Where a pod carries its nomination: an annotation in 1.8 and 1.9, its status since 1.11.

Source: kubernetes v1.8 plugin/pkg/scheduler/core and v1.9 pkg/scheduler/core NominatedNodeAnnotationKey;
v1.11 core/v1 PodStatus.NominatedNodeName.
"""

from scheduler_core.objects.types import Pod

_ANNOTATIONS = ("NominatedNodeName", "scheduler.kubernetes.io/nominated-node-name")


def nominated_by_annotation(pod: Pod) -> str:
    """Return the annotated node; a snapshot of a newer cluster has it in the status."""
    annotations = pod.metadata.annotations or {}
    named = (annotations[key] for key in _ANNOTATIONS if annotations.get(key))
    return next(named, pod.status.nominated_node_name or "")
