"""Priority functions that look at the node alone: preferred affinity, taints, avoided controllers, images.

Source: kubernetes v1.8 to v1.13 algorithm/priorities node_affinity.go, taint_toleration.go,
node_prefer_avoid_pods.go, image_locality.go, reduce.go; v1.13 pkg/scheduler/cache addNodeImageStates.
"""

from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np

from scheduler_core.go.arithmetic import go_divide
from scheduler_core.kube.framework import Cycle, ScorePlugin
from scheduler_core.kube.releases.priorities.resource_priorities import MAX_PRIORITY
from scheduler_core.objects.problems import BadInput
from scheduler_core.objects.reading.json_text import decode_json
from scheduler_core.objects.types import Node, OwnerReference, PreferredSchedulingTerm
from scheduler_core.predicates.image_names import normalized_image_name
from scheduler_core.predicates.node_affinity import node_affinity_of, preference_weights
from scheduler_core.predicates.tolerations import untolerated_preferences
from scheduler_core.state.nodes import IntArray

_MEBIBYTE = 1024 * 1024
_SMALLEST, _LARGEST = 23 * _MEBIBYTE, 1000 * _MEBIBYTE
_AVOID = "scheduler.alpha.kubernetes.io/preferAvoidPods"


def scale_to_ten(scores: IntArray) -> IntArray:
    """Return 10 * score / highest score, cut to an integer; zeros where the highest is 0."""
    highest = max(0, int(scores.max())) if len(scores) else 0
    return go_divide(MAX_PRIORITY * scores, highest) if highest else scores


class NodeAffinityPriority(ScorePlugin):
    """The sum of the weights of the preferred terms that match; their `matchFields` are not looked at."""

    name = "NodeAffinityPriority"

    def score(self, cycle: Cycle, prepared: Any, nodes: IntArray) -> IntArray:
        preferred = [_without_fields(entry) for entry in node_affinity_of(cycle.pod.pod).preferred or ()]
        return preference_weights(preferred, cycle.state.nodes)[nodes]

    def normalize(self, cycle: Cycle, prepared: Any, nodes: IntArray, scores: IntArray) -> IntArray:
        return scale_to_ten(scores)


def _without_fields(entry: PreferredSchedulingTerm) -> PreferredSchedulingTerm:
    expressions = msgspec.structs.replace(entry.preference, match_fields=None)
    return msgspec.structs.replace(entry, preference=expressions)


class TaintTolerationPriority(ScorePlugin):
    """The fewest PreferNoSchedule taints that are not tolerated."""

    name = "TaintTolerationPriority"

    def score(self, cycle: Cycle, prepared: Any, nodes: IntArray) -> IntArray:
        tolerations = cycle.pod.pod.spec.tolerations or ()
        return untolerated_preferences(cycle.state.nodes, tolerations)[nodes]

    def normalize(self, cycle: Cycle, prepared: Any, nodes: IntArray, scores: IntArray) -> IntArray:
        return MAX_PRIORITY - scale_to_ten(scores)


class NodePreferAvoidPodsPriority(ScorePlugin):
    """10, but 0 where the node's annotation names the pod's ReplicationController or ReplicaSet."""

    name = "NodePreferAvoidPodsPriority"

    def score(self, cycle: Cycle, prepared: Any, nodes: IntArray) -> IntArray:
        owners = cycle.pod.pod.metadata.owner_references or ()
        owner = next((owner for owner in owners if owner.controller), None)
        if owner is None or owner.kind not in ("ReplicationController", "ReplicaSet"):
            return np.full(len(nodes), MAX_PRIORITY, dtype=np.int64)
        objects = cycle.state.nodes.objects
        avoided = [_avoids(objects[node], owner) for node in nodes.tolist()]
        return np.where(avoided, 0, MAX_PRIORITY).astype(np.int64)


def _avoids(node: Node, owner: OwnerReference) -> bool:
    text = (node.metadata.annotations or {}).get(_AVOID)
    return text is not None and any(
        controller.get("kind") == owner.kind and controller.get("uid") == owner.uid
        for controller in _avoided_controllers(text)
    )


def _avoided_controllers(text: str) -> Iterator[dict[str, Any]]:
    """Yield the controllers that an annotation names; none where it cannot be read."""
    try:
        avoided = decode_json(text.encode()).get("preferAvoidPods") or ()
        yield from [(entry.get("podSignature") or {}).get("podController") or {} for entry in avoided]
    except (BadInput, AttributeError, TypeError):
        return


class ImageLocalityPriority(ScorePlugin):
    """Bytes of the pod's images on the node, each scaled by the share of nodes that have it.

    What counts is how many nodes had the image when this node was reported: itself and those before it.
    """

    name = "ImageLocalityPriority"

    def score(self, cycle: Cycle, prepared: Any, nodes: IntArray) -> IntArray:
        total = np.zeros(len(cycle.state.nodes), dtype=np.int64)
        for container in cycle.pod.pod.spec.containers or ():
            image = cycle.state.nodes.images.get(normalized_image_name(container.image or ""))
            if image is not None:
                share = np.arange(1, len(image.nodes) + 1) / float(len(cycle.state.nodes))
                total[image.nodes] += (float(image.size) * share).astype(np.int64)
        held = np.clip(total, _SMALLEST, _LARGEST)
        return go_divide(MAX_PRIORITY * (held - _SMALLEST), _LARGEST - _SMALLEST)[nodes]
