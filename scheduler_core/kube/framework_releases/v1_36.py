"""kube-scheduler 1.36: the release as which the plugins are written.

Volcano and HAMi run these plugins too, so that newer releases are said by their differences as well.
"""

from scheduler_core.kube.registry import DEFAULT_PLUGINS
from scheduler_core.kube.release import Difference, Release

V1_36 = Release(
    "1.36",
    DEFAULT_PLUGINS,
    differences=(
        Difference(
            "scores",
            "VolumeBinding",
            "The room that storage has left is not scored.",
            "Nodes with more room left in the storage of the pod's volumes score higher.",
        ),
        Difference(
            "scores",
            "ImageLocality",
            "Image volumes add to the score without raising what the highest score supposes.",
            "Image volumes count like containers in what the highest score supposes.",
        ),
        Difference(
            "filters",
            "NodeVolumeLimits",
            "A node without a volume's CSI driver is not rejected for it.",
            "A node without a volume's CSI driver is rejected where the CSIDriver asks for that.",
        ),
        Difference(
            "queue",
            "",
            "What moves the waiting pod itself is heard of every pod.",
            "A waiting pod's own changes are events of their own, TargetPod.",
        ),
        Difference(
            "queue",
            "",
            "A pod in flight is not moved by what another pod in flight changes of itself.",
            "What a pod in flight changes of itself counts for all others in flight as their own change.",
        ),
        Difference(
            "queue",
            "",
            "Every change of taints moves pods that a plugin of new nodes rejected.",
            "Taints move only pods that a plugin of taints rejected.",
        ),
        Difference(
            "queue",
            "InterPodAffinity",
            "A pod that goes moves those whose anti-affinity it matched in all terms.",
            "A pod that goes moves those whose anti-affinity it matched in one term.",
        ),
        Difference(
            "queue",
            "",
            "A gated pod is nominated when its gates are gone.",
            "A gated pod that names a node in its status is nominated at once.",
        ),
        Difference(
            "messages",
            "DynamicResources",
            "Where nothing fits, the message says: no new claims to deallocate.",
            "Where nothing fits, the message says nothing of claims to pods without claims.",
        ),
        Difference(
            "preemption",
            "DefaultPreemption",
            "Of two pods that have not started, the one that is looked at first is the more important.",
            "Pods that have not started keep their order on the node.",
        ),
        Difference(
            "messages",
            "DefaultPreemption",
            "An attempt that nominates says nothing of the node.",
            "An attempt that nominates says which node was found and how many victims it takes.",
        ),
    ),
)
