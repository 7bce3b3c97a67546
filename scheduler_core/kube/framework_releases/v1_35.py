"""kube-scheduler 1.35, by what it does otherwise than 1.36.

Source: kubernetes v1.35 plugins/noderesources balanced_allocation.go balancedResourceScorer;
plugins/imagelocality sumImageScores; pkg/features NodeDeclaredFeatures.
"""

from scheduler_core.kube.framework_releases.v1_36 import V1_36
from scheduler_core.kube.plugins.image_locality import ImageLocality, images_of_containers
from scheduler_core.kube.plugins.node_declared_features import NodeDeclaredFeatures
from scheduler_core.kube.plugins.node_resources_balanced_allocation import (
    Balance,
    NodeResourcesBalancedAllocation,
)
from scheduler_core.kube.release import Difference
from scheduler_core.objects.types import Pod


class BalancedAllocation(NodeResourcesBalancedAllocation):
    """Scores how balanced a node is with the pod, whatever it was without."""

    def compared(self, before: Balance, after: Balance) -> Balance:
        return after


class ImageLocalityOfContainers(ImageLocality):
    """Adds up the images of containers alone."""

    def references(self, pod: Pod) -> list[str]:
        return images_of_containers(pod)


V1_35 = V1_36.but(
    "1.35",
    registry=V1_36.registry.changed(BalancedAllocation, ImageLocalityOfContainers).without(
        NodeDeclaredFeatures.name
    ),
    differences=(
        Difference(
            "scores",
            BalancedAllocation.name,
            "The score is how balanced a node's resources are with the pod.",
            "The score compares how balanced a node's resources are with the pod and without.",
        ),
        Difference(
            "scores",
            ImageLocality.name,
            "Images of image volumes do not count.",
            "Images of image volumes count like those of containers.",
        ),
        Difference(
            "filters",
            NodeDeclaredFeatures.name,
            "Features that nodes declare are not looked at.",
            "A pod that needs a feature of the kubelet goes where the node declares it.",
        ),
    ),
)
