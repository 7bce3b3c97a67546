"""ImageLocality: prefers nodes that already have the pod's images.

Source: kubernetes v1.36 plugins/imagelocality.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from scheduler_core.go.arithmetic import go_divide
from scheduler_core.kube.framework import MAX_NODE_SCORE, Cycle, Reads, ScorePlugin
from scheduler_core.objects.types import Pod
from scheduler_core.predicates.image_names import normalized_image_name
from scheduler_core.state.nodes import ImageOnNodes, IntArray

Scale = Callable[[int, int], int]

_MEBIBYTE = 1024 * 1024
_SMALLEST = 23 * _MEBIBYTE
_LARGEST_PER_CONTAINER = 1000 * _MEBIBYTE


class ImageLocality(ScorePlugin):
    """Score: bytes of the images on the node, each scaled by the share of nodes that have it."""

    name = "ImageLocality"
    reads = Reads.NODE

    def score(self, cycle: Cycle, prepared: Any, nodes: IntArray) -> IntArray:
        state, number, names = cycle.state, len(cycle.state.nodes), self._images(cycle)
        if not names or cycle.emptied:
            return np.zeros(len(nodes), dtype=np.int64)
        total = np.zeros(number, dtype=np.int64)
        for name in names:
            image = state.nodes.images[name]
            total[image.nodes] += self.counted(cycle, name, image, partial(_scaled, number))
        largest = _LARGEST_PER_CONTAINER * self.image_count(cycle.pod.pod)
        clamped = np.where(total < _SMALLEST, _SMALLEST, np.where(total > largest, largest, total))
        return go_divide(MAX_NODE_SCORE * (clamped - _SMALLEST), largest - _SMALLEST)[nodes]

    def _images(self, cycle: Cycle) -> list[str]:
        """Return the pod's images that some node has."""
        names = map(normalized_image_name, self.references(cycle.pod.pod))
        return [name for name in names if name in cycle.state.nodes.images]

    def references(self, pod: Pod) -> list[str]:
        """Return the images that are added up: of all containers and of image volumes."""
        return [*images_of_containers(pod), *images_of_volumes(pod)]

    def image_count(self, pod: Pod) -> int:
        """Return how many images the highest score supposes."""
        return len(images_of_containers(pod))

    def hangs_on_more(self, cycle: Cycle) -> bool:
        # Since an image came or went, what counts is when the scheduler looked at a node last.
        return any(map(cycle.state.seen_images.varies, self._images(cycle)))

    def counted(self, cycle: Cycle, name: str, image: ImageOnNodes, scale: Scale) -> IntArray | int:
        """Return an image's bytes on its nodes, scaled by the number of nodes that each was told of."""
        return cycle.state.seen_images.scaled(name, image, scale, cycle.pod.scheduler_name)


def images_of_containers(pod: Pod) -> list[str]:
    """Return the images of init containers and containers."""
    containers = [*(pod.spec.init_containers or ()), *(pod.spec.containers or ())]
    return [container.image or "" for container in containers]


def images_of_volumes(pod: Pod) -> list[str]:
    """Return the images of image volumes."""
    return [volume.image.reference or "" for volume in pod.spec.volumes or () if volume.image]


def _scaled(nodes: int, size: int, count: int) -> int:
    """Return an image's bytes, less the fewer of the nodes have it."""
    return int(float(size) * (float(count) / float(nodes)))
