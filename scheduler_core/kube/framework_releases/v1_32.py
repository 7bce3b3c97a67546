"""kube-scheduler 1.32, by what it does otherwise than 1.33.

Source: kubernetes v1.32 plugins/noderesources balanced_allocation.go PreScore; plugins/volumebinding
binder.go ErrReasonNodeConflict; pkg/features InPlacePodVerticalScaling, SchedulerPopFromBackoffQ.
"""

from dataclasses import replace

from scheduler_core.kube.dropped_fields import RESIZED_CONTAINERS
from scheduler_core.kube.framework_releases.v1_33 import V1_33
from scheduler_core.kube.framework_releases.v1_35 import BalancedAllocation
from scheduler_core.kube.plugins.volume_binding import VolumeBinding
from scheduler_core.kube.release import Difference
from scheduler_core.predicates.volumes.binder import NODE_CONFLICT


class BalancedAllocationOfAll(BalancedAllocation):
    """Scores pods that request nothing too."""

    def scores_requests(self, asked: list[int]) -> bool:
        return True


class VolumeBindingByConflict(VolumeBinding):
    """Words the affinity of volumes as a conflict."""

    reasons = dict(VolumeBinding.reasons) | {NODE_CONFLICT: "node(s) had volume node affinity conflict"}


V1_32 = V1_33.but(
    "1.32",
    registry=V1_33.registry.changed(BalancedAllocationOfAll, VolumeBindingByConflict),
    queueing=replace(V1_33.queueing, pops_early=False),
    drops=(*V1_33.drops, RESIZED_CONTAINERS),
    differences=(
        Difference(
            "scores",
            BalancedAllocation.name,
            "Pods without requests are scored like any other.",
            "Pods without requests are not scored.",
        ),
        Difference(
            "messages",
            VolumeBinding.name,
            "The reason is: node(s) had volume node affinity conflict.",
            "The reason is: node(s) didn't match PersistentVolume's node affinity.",
        ),
        Difference(
            "queue",
            "",
            "A pod is tried no earlier than its back-off ends.",
            "A pod in back-off is tried when no other pod is to be tried.",
        ),
        Difference(
            "pods",
            "",
            "A pod counts with the requests of its spec.",
            "A running pod counts with the greater of its spec and what its containers were given.",
        ),
    ),
)
